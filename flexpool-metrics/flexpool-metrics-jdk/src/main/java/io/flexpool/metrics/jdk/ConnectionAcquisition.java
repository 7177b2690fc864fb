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

/** One acquisition, recorded when it has ended, on the requesting thread. */
@Name(ConnectionAcquisition.NAME)
@Label("Connection Acquisition")
@Category("flexpool")
@Description("A request for a connection that took longer than the setting longerThan, with any outcome")
final class ConnectionAcquisition extends Event {
    static final String NAME = "flexpool.ConnectionAcquisition";

    /** Used to check whether any recording has the event enabled; never recorded. */
    private static final ConnectionAcquisition PROBE = new ConnectionAcquisition("", 0, "");

    /** JFR's setting, known once JFR has requested it. */
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

    /** Whether any recording wants this acquisition. Creates no event and reads no clock, as {@code commit()} would. */
    static boolean wanted(long waited) {
        if (!PROBE.isEnabled()) {
            return false;
        }
        AcquisitionFloor floor = asked;
        return floor == null || floor.reached(waited);
    }

    @SettingDefinition
    @Label("Longer Than")
    @Description("Record requests that took at least this long")
    boolean longerThan(AcquisitionFloor floor) {
        asked = floor;
        return floor.reached(waited);
    }
}
