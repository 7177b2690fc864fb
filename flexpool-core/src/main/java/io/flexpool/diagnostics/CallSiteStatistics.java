// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import io.flexpool.internal.shared.Words;
import java.time.Duration;

/**
 * Lease statistics of one call site of the application since the pool was wrapped, from the captured leases that have
 * ended: about one in {@code call-sites.sample-every}. Immutable. Made by flexpool alone; minor releases add methods.
 */
public interface CallSiteStatistics {
    /** The entry for all call sites beyond the size of the table. */
    String OTHER = "other";

    /** {@return {@code Class.method(File:line)}, or {@link #OTHER}} */
    String callSite();

    /** {@return captured leases of this call site} */
    long count();

    /** {@return the total lease time of the call site} */
    Duration held();

    /** {@return the median time from request to connection} */
    Duration acquisitionP50();

    /** {@return the 99th percentile of the time from request to connection} */
    Duration acquisitionP99();

    /** {@return the median lease} */
    Duration leaseP50();

    /** {@return the 99th percentile of the lease times} */
    Duration leaseP99();

    /** {@return the share of the lease time outside the database, 0 to 1; NaN without {@code time-in-database}} */
    double idleShare();

    /**
     * The call site in one line.
     *
     * @return for example {@code OrderService.place(OrderService.java:42): 480 ms held in 12 leases, 92 % outside the
     *     database}
     */
    default String describe() {
        return callSite() + ": " + held().toMillis() + " ms held in " + Words.count(count(), "lease")
                + (Double.isNaN(idleShare()) ? "" : ", " + Math.round(100 * idleShare()) + " % outside the database");
    }
}
