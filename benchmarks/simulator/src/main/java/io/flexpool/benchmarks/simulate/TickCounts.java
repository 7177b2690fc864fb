// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow.Traffic;

/** What came and went since the last tick. */
final class TickCounts {
    private long arrivals;
    private long completions;
    private long leaseNanos;
    private long timeouts;
    private double activeSeconds;
    private double saturatedSeconds;

    void arrived() {
        arrivals++;
    }

    void completed(long nanos) {
        completions++;
        leaseNanos += nanos;
    }

    void timedOut() {
        timeouts++;
    }

    void pass(double seconds, int active, boolean saturated) {
        activeSeconds += active * seconds;
        if (saturated) {
            saturatedSeconds += seconds;
        }
    }

    Traffic take(int connectFailures, double seconds) {
        Traffic traffic = new Traffic(
                arrivals,
                completions,
                leaseNanos,
                timeouts,
                connectFailures,
                activeSeconds / seconds,
                Math.min(1, saturatedSeconds / seconds));
        arrivals = 0;
        completions = 0;
        leaseNanos = 0;
        timeouts = 0;
        activeSeconds = 0;
        saturatedSeconds = 0;
        return traffic;
    }
}
