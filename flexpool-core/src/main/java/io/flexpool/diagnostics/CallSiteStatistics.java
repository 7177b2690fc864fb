// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

/**
 * What one place of the application did with connections, of the leases whose call site was captured and that have
 * ended: with {@code call-sites.capture = sampled} about one in {@code call-sites.sample-every}. Immutable, since the
 * pool was wrapped.
 *
 * @param callSite {@code Class.method(File:line)}, or {@link #OTHER}
 * @param count leases of this place that were captured
 * @param heldNanos for how long connections were out for it, all together, nanoseconds
 * @param acquisitionP50Nanos the median time from request to connection, nanoseconds
 * @param acquisitionP99Nanos what 99 % of the requests did not exceed, nanoseconds
 * @param leaseP50Nanos the median lease, nanoseconds
 * @param leaseP99Nanos what 99 % of the leases did not exceed, nanoseconds
 * @param idleShare the share of {@code heldNanos} that was not spent in the database, from 0 to 1; -1 if unknown, that is
 *     unless {@code time-in-database} is on
 */
public record CallSiteStatistics(
        String callSite,
        long count,
        long heldNanos,
        long acquisitionP50Nanos,
        long acquisitionP99Nanos,
        long leaseP50Nanos,
        long leaseP99Nanos,
        double idleShare) {

    /** The call site that stands for all those that found no place in the table. */
    public static final String OTHER = "other";

    /**
     * The place in one line.
     *
     * @return for example {@code OrderService.place(OrderService.java:42): 480 ms held in 12 leases, 92 % of it not in the
     *     database}
     */
    public String describe() {
        return callSite + ": " + heldNanos / 1_000_000 + " ms held in " + count + (count == 1 ? " lease" : " leases")
                + (idleShare < 0 ? "" : ", " + Math.round(100 * idleShare) + " % of it not in the database");
    }
}
