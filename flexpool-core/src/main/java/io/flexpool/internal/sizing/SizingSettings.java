// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.time.Duration;

/**
 * What a person may set of the sizing controller, checked with the other keys.
 *
 * @param min the lease limit never to go below, at least 1
 * @param waitTarget the 99th percentile of waiting to aim at, positive
 * @param instances how many pools of the same size share the database, this one included, at least 1
 */
public record SizingSettings(int min, Duration waitTarget, int instances) {
    /** At least 2 connections, a wait of 10 ms, and the database for itself. */
    public static final SizingSettings DEFAULT = new SizingSettings(2, Duration.ofMillis(10), 1);

    /** How long after a connect failure nothing grows, for any reason. */
    public static final Duration AFTER_CONNECT_FAILURE = Duration.ofSeconds(5);

    /** The same for a pool that shares the database with others of its size; so many, this one included. */
    public SizingSettings withInstances(int count) {
        return new SizingSettings(min, waitTarget, count);
    }

    double waitTargetSeconds() {
        return waitTarget.toNanos() / 1e9;
    }
}
