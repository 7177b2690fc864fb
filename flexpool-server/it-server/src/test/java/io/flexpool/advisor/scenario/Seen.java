// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import io.flexpool.advisor.LeaseTrace;
import java.util.Arrays;

/**
 * What rules of thumb look at.
 *
 * @param meanDemand leases that are open on average
 * @param demandP99 leases that were open at once, for all but 1 % of the time
 * @param rateP95 the 95th percentile of the requests a second, of 5 s each
 * @param meanLeaseSeconds the mean lease
 */
record Seen(double meanDemand, int demandP99, double rateP95, double meanLeaseSeconds) {
    private static final long BLOCK_NANOS = 5_000_000_000L;
    private static final double NANOS = 1e9;

    static Seen of(LeaseTrace trace) {
        int requests = trace.requests();
        long[] ends = new long[requests];
        int[] perBlock = new int[(int) (trace.span().toNanos() / BLOCK_NANOS) + 1];
        double leases = 0;
        for (int at = 0; at < requests; at++) {
            ends[at] = trace.arrivalNanos(at) + trace.waitNanos(at) + trace.leaseNanos(at);
            leases += trace.leaseNanos(at);
            perBlock[(int) (trace.arrivalNanos(at) / BLOCK_NANOS)]++;
        }
        Arrays.sort(ends);
        Arrays.sort(perBlock);
        double rate = perBlock[(int) Math.ceil(0.95 * perBlock.length) - 1] * NANOS / BLOCK_NANOS;
        double span = Math.max(1, trace.span().toNanos());
        return new Seen(leases / span, p99(trace, ends), rate, leases / requests / NANOS);
    }

    private static int p99(LeaseTrace trace, long[] ends) {
        long[] nanosAt = new long[ends.length + 1];
        int ended = 0;
        long now = 0;
        for (int at = 0; at < ends.length; at++) {
            while (ended < at && ends[ended] <= trace.arrivalNanos(at)) {
                nanosAt[at - ended] += ends[ended] - now;
                now = ends[ended++];
            }
            nanosAt[at - ended] += trace.arrivalNanos(at) - now;
            now = trace.arrivalNanos(at);
        }
        long all = Arrays.stream(nanosAt).sum();
        long below = 0;
        int demand = -1;
        while (below < 0.99 * all) {
            below += nanosAt[++demand];
        }
        return Math.max(0, demand);
    }
}
