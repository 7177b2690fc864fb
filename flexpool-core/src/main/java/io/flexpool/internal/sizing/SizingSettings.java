// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.time.Duration;

/**
 * The settings of the sizing controller, checked with the other keys.
 *
 * @param min the lowest lease limit, at least 1
 * @param waitTarget the target for the 99th percentile of waits, positive
 * @param instances the number of pools of the same size on the database, including this pool, at least 1
 */
public record SizingSettings(int min, Duration waitTarget, int instances) {
    /** At least 2 connections, a wait of 10 ms, and the database for itself. */
    public static final SizingSettings DEFAULT = new SizingSettings(2, Duration.ofMillis(10), 1);

    /** How long after a connect failure the limit does not grow, for any reason. */
    public static final Duration AFTER_CONNECT_FAILURE = Duration.ofSeconds(5);

    /** A copy with the number of pools of the same size on the database, including this pool. */
    public SizingSettings withInstances(int count) {
        return new SizingSettings(min, waitTarget, count);
    }

    double waitTargetSeconds() {
        return waitTarget.toNanos() / 1e9;
    }
}
