// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.SettingDefinition;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** One lease, recorded when it ends, on the thread that closed the connection. */
@Name(ConnectionLease.NAME)
@Label("Connection Lease")
@Category("flexpool")
@Description("A lease that lasted longer than the setting longerThan")
final class ConnectionLease extends Event {
    static final String NAME = "flexpool.ConnectionLease";

    /** Used to check whether any recording has the event enabled; never recorded. */
    private static final ConnectionLease PROBE = new ConnectionLease("", 0);

    /** JFR's setting, known once JFR has requested it. */
    private static volatile @Nullable LeaseFloor asked;

    @Label("Pool")
    final String pool;

    @Label("Held")
    @Description("From the hand-over to the close; the event itself is recorded at the end and has no duration")
    @Timespan
    final long held;

    ConnectionLease(String pool, long held) {
        this.pool = pool;
        this.held = held;
    }

    /** Whether any recording wants this lease. Creates no event and reads no clock, as {@code commit()} would. */
    static boolean wanted(long held) {
        if (!PROBE.isEnabled()) {
            return false;
        }
        LeaseFloor floor = asked;
        return floor == null || floor.reached(held);
    }

    @SettingDefinition
    @Label("Longer Than")
    @Description("Record leases that lasted at least this long")
    boolean longerThan(LeaseFloor floor) {
        asked = floor;
        return floor.reached(held);
    }
}
