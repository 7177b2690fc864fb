// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;

/**
 * How many requests had or wanted a connection at once, weighted by time: for how long there were so many. From the record
 * as it is, or with all waits left out, as a pool without end would have had it.
 */
final class Demand {
    private final long[] nanosAt;
    private final long allNanos;

    private Demand(long[] nanosAt) {
        this.nanosAt = nanosAt;
        this.allNanos = Arrays.stream(nanosAt).sum();
    }

    /** Of the record: a request counts from its arrival to the end of its lease, or of its wait. */
    static Demand recorded(LeaseTrace trace) {
        return of(trace, true);
    }

    /** Of a pool in which no request waits. */
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
            // Not this request, even if it took no time.
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

    /** The highest; 0 if there was none. */
    int max() {
        return nanosAt.length - 1;
    }

    /** The demand that was not exceeded for a share of the time. */
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

    /** The average. */
    double mean() {
        double sum = 0;
        for (int at = 0; at < nanosAt.length; at++) {
            sum += (double) at * nanosAt[at];
        }
        return allNanos == 0 ? 0 : sum / allNanos;
    }
}
