// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Start or end of a lease, in the recording that has the I/O: so both have one clock. */
@Name(LeaseMark.NAME)
@Label("Lease of a Test")
@Description("Start or end of a lease that a test took")
@Category({"flexpool", "Tests"})
@Enabled(false)
@StackTrace(false)
final class LeaseMark extends Event {
    static final String NAME = "io.flexpool.junit5.LeaseMark";

    @Label("Lease")
    final long lease;

    @Label("Begins")
    final boolean begins;

    private LeaseMark(TakenLease lease, boolean begins) {
        this.lease = lease.id();
        this.begins = begins;
    }

    static void begins(TakenLease lease) {
        new LeaseMark(lease, true).commit();
    }

    static void ends(TakenLease lease) {
        new LeaseMark(lease, false).commit();
    }
}
