// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow.OfClass;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What came and went since the last tick, and how many requests of each class are there. */
final class TickCounts {
    private final long[] arrivalsOf;
    private final long[] completionsOf;
    private final long[] leaseNanosOf;
    private final int[] presentOf;
    private long arrivals;
    private long completions;
    private long leaseNanos;
    private long timeouts;
    private double activeSeconds;
    private double saturatedSeconds;

    /**
     * Nothing yet.
     *
     * @param classes how many classes of requests there are, 0 if they are all alike
     */
    TickCounts(int classes) {
        arrivalsOf = new long[classes];
        completionsOf = new long[classes];
        leaseNanosOf = new long[classes];
        presentOf = new int[classes];
    }

    void arrived(int requestClass) {
        arrivals++;
        if (requestClass < arrivalsOf.length) {
            arrivalsOf[requestClass]++;
            presentOf[requestClass]++;
        }
    }

    void completed(int requestClass, long nanos) {
        completions++;
        leaseNanos += nanos;
        if (requestClass < arrivalsOf.length) {
            completionsOf[requestClass]++;
            leaseNanosOf[requestClass] += nanos;
            presentOf[requestClass]--;
        }
    }

    void timedOut() {
        timeouts++;
    }

    /** A request that timed out does not ask again. */
    void gone(int requestClass) {
        if (requestClass < arrivalsOf.length) {
            presentOf[requestClass]--;
        }
    }

    void pass(double seconds, int active, boolean saturated) {
        activeSeconds += active * seconds;
        if (saturated) {
            saturatedSeconds += seconds;
        }
    }

    Traffic take(int connectFailures, double seconds) {
        List<OfClass> classes = new ArrayList<>();
        for (int at = 0; at < arrivalsOf.length; at++) {
            classes.add(new OfClass(arrivalsOf[at], completionsOf[at], leaseNanosOf[at], presentOf[at]));
        }
        Traffic traffic = new Traffic(
                arrivals,
                completions,
                leaseNanos,
                timeouts,
                connectFailures,
                activeSeconds / seconds,
                Math.min(1, saturatedSeconds / seconds),
                List.copyOf(classes));
        Arrays.fill(arrivalsOf, 0);
        Arrays.fill(completionsOf, 0);
        Arrays.fill(leaseNanosOf, 0);
        arrivals = 0;
        completions = 0;
        leaseNanos = 0;
        timeouts = 0;
        activeSeconds = 0;
        saturatedSeconds = 0;
        return traffic;
    }
}
