// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.util.Arrays;

/** The number of active leases of a trace over time. Immutable. */
final class ActiveLeases {
    private static final int LATE = 10;

    private final LeaseTrace trace;
    private final long[] begins;
    private final long[] ends;

    ActiveLeases(LeaseTrace trace) {
        this.trace = trace;
        this.begins = new long[trace.size - trace.count(Ending.TIMED_OUT)];
        this.ends = new long[begins.length];
        int leases = 0;
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) != Ending.TIMED_OUT) {
                begins[leases] = begin(at);
                ends[leases] = begins[leases++] + trace.lease[at];
            }
        }
        Arrays.sort(begins);
        Arrays.sort(ends);
    }

    private long begin(int request) {
        return trace.arrival[request] + trace.wait[request];
    }

    /**
     * The maximum number of leases active at once; 0 without leases. The record ends a lease a moment after its
     * connection has passed to the next lease. So more leases than the pool has connections count only if they overlap
     * for a tenth of the usual lease.
     *
     * @param size the pool's size
     */
    int most(int size) {
        int most = most(0L);
        return most <= size ? most : Math.max(size, most(usual() / LATE));
    }

    private long usual() {
        long[] leases = trace.lease.clone();
        Arrays.sort(leases);
        return leases[leases.length / 2];
    }

    private int most(long lateNanos) {
        int most = Math.min(1, begins.length);
        int ended = 0;
        for (int begun = 0; begun < begins.length; begun++) {
            while (ended < begun && ends[ended] <= begins[begun] + lateNanos) {
                ended++;
            }
            most = Math.max(most, begun + 1 - ended);
        }
        return most;
    }

    /** For each released lease, the mean number of leases active during it, including itself; 0 for other requests. */
    double[] means() {
        long[] begun = sums(begins);
        long[] ended = sums(ends);
        double[] means = new double[trace.size];
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) == Ending.RELEASED && trace.lease[at] > 0) {
                long from = begin(at);
                long to = from + trace.lease[at];
                long spent = activeUntil(to, begun, ended) - activeUntil(from, begun, ended);
                means[at] = (double) spent / trace.lease[at];
            }
        }
        return means;
    }

    /** The summed active time of all leases up to a time. Sums may overflow; their differences are still right. */
    private long activeUntil(long nanos, long[] begun, long[] ended) {
        int beginsBefore = upTo(begins, nanos);
        int endsBefore = upTo(ends, nanos);
        return (beginsBefore - endsBefore) * nanos - begun[beginsBefore] + ended[endsBefore];
    }

    /** The prefix sums, starting with 0. */
    private static long[] sums(long[] times) {
        long[] sums = new long[times.length + 1];
        for (int at = 0; at < times.length; at++) {
            sums[at + 1] = sums[at] + times[at];
        }
        return sums;
    }

    /** The number of sorted times up to and including {@code nanos}. */
    private static int upTo(long[] times, long nanos) {
        int from = 0;
        int to = times.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (times[middle] <= nanos) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }
}
