// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;

/**
 * The distribution of demand over time: the number of requests that had or needed a connection at once. Either as
 * recorded, or without waits, as in an unlimited pool.
 */
final class Demand {
    private final long[] nanosAt;
    private final long allNanos;

    private Demand(long[] nanosAt) {
        this.nanosAt = nanosAt;
        this.allNanos = Arrays.stream(nanosAt).sum();
    }

    /** The recorded demand: a request counts from its arrival to the end of its lease, or of its wait. */
    static Demand recorded(LeaseTrace trace) {
        return of(trace, true);
    }

    /** The demand in a pool in which no request waits. */
    static Demand unlimited(LeaseTrace trace) {
        return of(trace, false);
    }

    private static Demand of(LeaseTrace trace, boolean waits) {
        long[] ends = new long[trace.size];
        for (int at = 0; at < trace.size; at++) {
            ends[at] = trace.arrival[at] + (waits ? trace.wait[at] : 0) + trace.lease[at];
        }
        Arrays.sort(ends);
        long[] nanosAt = new long[trace.size + 1];
        int ended = 0;
        long now = 0;
        int most = 0;
        for (int at = 0; at < trace.size; at++) {
            // Counts only earlier requests, so not this one even if it took no time.
            while (ended < at && ends[ended] <= trace.arrival[at]) {
                nanosAt[at - ended] += ends[ended] - now;
                now = ends[ended++];
            }
            nanosAt[at - ended] += trace.arrival[at] - now;
            now = trace.arrival[at];
            most = Math.max(most, at + 1 - ended);
        }
        for (; ended < trace.size; ended++) {
            nanosAt[trace.size - ended] += ends[ended] - now;
            now = ends[ended];
        }
        return new Demand(Arrays.copyOf(nanosAt, most + 1));
    }

    /** The highest demand; 0 without requests. */
    int max() {
        return nanosAt.length - 1;
    }

    /** The demand at a quantile of time. */
    int percentile(double quantile) {
        long below = 0;
        for (int at = 0; at < nanosAt.length; at++) {
            below += nanosAt[at];
            if (below >= quantile * allNanos) {
                return at;
            }
        }
        return max();
    }

    /** The mean demand over time. */
    double mean() {
        double sum = 0;
        for (int at = 0; at < nanosAt.length; at++) {
            sum += (double) at * nanosAt[at];
        }
        return allNanos == 0 ? 0 : sum / allNanos;
    }
}
