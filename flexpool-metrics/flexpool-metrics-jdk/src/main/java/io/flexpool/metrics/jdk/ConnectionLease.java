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

/** One connection that was out, recorded when it came back, on the thread that closed it. */
@Name(ConnectionLease.NAME)
@Label("Connection Lease")
@Category("flexpool")
@Description("A connection that was out for longer than the setting longerThan")
final class ConnectionLease extends Event {
    static final String NAME = "flexpool.ConnectionLease";

    /** Asked whether any recording has the event enabled; never recorded. */
    private static final ConnectionLease LOOK = new ConnectionLease("", 0);

    /** JFR's own, known once JFR has asked it. */
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

    /** Whether any recording wants this lease. Makes no event and reads no clock, as {@code commit()} does first. */
    static boolean wanted(long held) {
        if (!LOOK.isEnabled()) {
            return false;
        }
        LeaseFloor floor = asked;
        return floor == null || floor.reached(held);
    }

    @SettingDefinition
    @Label("Longer Than")
    @Description("Record leases that lasted at least so long")
    boolean longerThan(LeaseFloor floor) {
        asked = floor;
        return floor.reached(held);
    }
}
