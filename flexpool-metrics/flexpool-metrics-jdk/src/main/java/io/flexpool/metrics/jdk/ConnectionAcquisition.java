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

/** One request for a connection, recorded when it has ended, on the thread that asked. */
@Name(ConnectionAcquisition.NAME)
@Label("Connection Acquisition")
@Category("flexpool")
@Description("A request for a connection that took longer than the setting longerThan, however it ended")
final class ConnectionAcquisition extends Event {
    static final String NAME = "flexpool.ConnectionAcquisition";

    /** Asked whether any recording has the event enabled; never recorded. */
    private static final ConnectionAcquisition LOOK = new ConnectionAcquisition("", 0, "");

    /** JFR's own, known once JFR has asked it. */
    private static volatile @Nullable AcquisitionFloor asked;

    @Label("Pool")
    final String pool;

    @Label("Waited")
    @Description("From the request to the answer; the event itself is recorded at the end and has no duration")
    @Timespan
    final long waited;

    @Label("Outcome")
    final String outcome;

    ConnectionAcquisition(String pool, long waited, String outcome) {
        this.pool = pool;
        this.waited = waited;
        this.outcome = outcome;
    }

    /** Whether any recording wants this request. Makes no event and reads no clock, as {@code commit()} does first. */
    static boolean wanted(long waited) {
        if (!LOOK.isEnabled()) {
            return false;
        }
        AcquisitionFloor floor = asked;
        return floor == null || floor.reached(waited);
    }

    @SettingDefinition
    @Label("Longer Than")
    @Description("Record requests that took at least so long")
    boolean longerThan(AcquisitionFloor floor) {
        asked = floor;
        return floor.reached(waited);
    }
}
