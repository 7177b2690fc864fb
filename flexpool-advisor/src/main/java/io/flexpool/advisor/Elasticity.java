// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How much longer leases get when more of them are active: the exponent e in "lease ∝ active<sup>e</sup>". 0 is a database
 * with room; 1 is one that does no more work however many connections it has, so that each lease takes longer by what the
 * others add. A replay takes leases as they were, so beyond the observed sizes it holds only near 0.
 */
final class Elasticity {
    /** From here on more connections mostly make leases longer. */
    static final double BOTTLENECK = 0.6;
    /** Up to here leases hardly depend on how many are active. */
    static final double ROOM = 0.25;

    /** Fewer leases at one number of active ones are noise. */
    private static final int ENOUGH = 200;
    /** Without so different numbers a slope is a guess. */
    private static final double RANGE = 2;

    private Elasticity() {}

    /**
     * A least-squares line through the logarithms, each number of active leases weighted with how many leases began there.
     *
     * @return empty if too few numbers of active leases were seen
     */
    static OptionalDouble of(LeaseTrace trace) {
        int[] active = active(trace);
        int most = Arrays.stream(active).max().orElse(0);
        long[] count = new long[most + 1];
        double[] sum = new double[most + 1];
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) == LeaseTrace.Ending.RELEASED) {
                count[active[at]]++;
                sum[active[at]] += trace.lease[at];
            }
        }
        double weights = 0;
        double x = 0;
        double y = 0;
        int least = 0;
        int last = 0;
        for (int at = 1; at <= most; at++) {
            if (count[at] >= ENOUGH && sum[at] > 0) {
                weights += count[at];
                x += count[at] * Math.log(at);
                y += count[at] * Math.log(sum[at] / count[at]);
                least = least == 0 ? at : least;
                last = at;
            }
        }
        if (least == 0 || last < RANGE * least) {
            return OptionalDouble.empty();
        }
        double meanX = x / weights;
        double meanY = y / weights;
        double covariance = 0;
        double variance = 0;
        for (int at = 1; at <= most; at++) {
            if (count[at] >= ENOUGH && sum[at] > 0) {
                double distance = Math.log(at) - meanX;
                covariance += count[at] * distance * (Math.log(sum[at] / count[at]) - meanY);
                variance += count[at] * distance * distance;
            }
        }
        return OptionalDouble.of(covariance / variance);
    }

    /** How many leases were active at once when one of them began, at most; 0 without any. */
    static int mostActive(LeaseTrace trace) {
        return Arrays.stream(active(trace)).max().orElse(0);
    }

    /** For each request how many leases were active when its own began, itself among them; 0 for one without a lease. */
    private static int[] active(LeaseTrace trace) {
        long[] begins = new long[trace.size];
        long[] ends = new long[trace.size];
        int leases = 0;
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) != LeaseTrace.Ending.TIMED_OUT) {
                begins[leases] = trace.arrival[at] + trace.wait[at];
                ends[leases] = begins[leases++] + trace.lease[at];
            }
        }
        Arrays.sort(begins, 0, leases);
        Arrays.sort(ends, 0, leases);
        int[] active = new int[trace.size];
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) != LeaseTrace.Ending.TIMED_OUT) {
                long begun = trace.arrival[at] + trace.wait[at];
                active[at] = Math.max(1, upTo(begins, leases, begun) - upTo(ends, leases, begun));
            }
        }
        return active;
    }

    /** How many of the sorted times are not later. */
    private static int upTo(long[] times, int size, long nanos) {
        int from = 0;
        int to = size;
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
