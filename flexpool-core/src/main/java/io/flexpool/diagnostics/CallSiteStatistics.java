// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import io.flexpool.internal.shared.Words;
import java.time.Duration;

/**
 * Lease statistics of one call site of the application since the pool was wrapped, from the captured leases that have
 * ended: about one in {@code call-sites.sample-every}. Immutable. Made by flexpool alone; minor releases add methods.
 */
public interface CallSiteStatistics {
    /** The entry for all call sites that did not fit into the table. */
    String OTHER = "other";

    /** {@return {@code Class.method(File:line)}, or {@link #OTHER}} */
    String callSite();

    /** {@return captured leases of this call site} */
    long count();

    /** {@return for how long it leased connections, all together} */
    Duration held();

    /** {@return the median time from request to connection} */
    Duration acquisitionP50();

    /** {@return what 99 % of the requests did not exceed} */
    Duration acquisitionP99();

    /** {@return the median lease} */
    Duration leaseP50();

    /** {@return what 99 % of the leases did not exceed} */
    Duration leaseP99();

    /** {@return the share of the held time outside the database, 0 to 1; NaN unless {@code time-in-database} is on} */
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
