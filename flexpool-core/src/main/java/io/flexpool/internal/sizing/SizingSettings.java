// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.time.Duration;

/**
 * What a person may set of the sizing controller.
 *
 * @param min the lease limit never to go below, at least 1
 * @param waitTarget the 99th percentile of waiting to aim at, positive
 * @param slowRatio how many times its calm length a lease must reach to count as a slow database, above 1
 * @param instances how many pools of the same size share the database, this one included, at least 1
 */
public record SizingSettings(int min, Duration waitTarget, double slowRatio, int instances) {
    /** At least 2 connections, a wait of 10 ms, and twice the calm lease: where a database's throughput peaks. */
    public static final SizingSettings DEFAULT = new SizingSettings(2, Duration.ofMillis(10), 2.0);

    /** How long after a connect failure nothing grows, for any reason. */
    public static final Duration AFTER_CONNECT_FAILURE = Duration.ofSeconds(5);

    /** Of a pool that has the database for itself. */
    public SizingSettings(int min, Duration waitTarget, double slowRatio) {
        this(min, waitTarget, slowRatio, 1);
    }

    /** Refuses what makes no sense. */
    public SizingSettings {
        if (min < 1) {
            throw new IllegalArgumentException("min = " + min + ": must be at least 1");
        }
        if (waitTarget.isNegative() || waitTarget.isZero()) {
            throw new IllegalArgumentException("wait-target = " + waitTarget + ": must be positive");
        }
        if (!(slowRatio > 1)) {
            throw new IllegalArgumentException("slow-ratio = " + slowRatio + ": must be above 1");
        }
        if (instances < 1) {
            throw new IllegalArgumentException("instances = " + instances + ": must be at least 1");
        }
    }

    /**
     * The same for a pool that shares the database.
     *
     * @param count how many pools of the same size share it, this one included, at least 1
     * @return these settings with that count
     * @throws IllegalArgumentException if it is below 1
     */
    public SizingSettings withInstances(int count) {
        return new SizingSettings(min, waitTarget, slowRatio, count);
    }

    double waitTargetSeconds() {
        return waitTarget.toNanos() / 1e9;
    }
}
