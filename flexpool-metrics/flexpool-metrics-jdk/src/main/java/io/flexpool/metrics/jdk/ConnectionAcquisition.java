// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.SettingDefinition;
import jdk.jfr.Timespan;

/** One request for a connection, recorded when it has ended, on the thread that asked. */
@Name(ConnectionAcquisition.NAME)
@Label("Connection Acquisition")
@Category("flexpool")
@Description("A request for a connection that took longer than the setting longerThan, however it ended")
final class ConnectionAcquisition extends Event {
    static final String NAME = "flexpool.ConnectionAcquisition";

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

    @SettingDefinition
    @Label("Longer Than")
    @Description("Record requests that took at least so long")
    boolean longerThan(AcquisitionFloor floor) {
        return floor.reached(waited);
    }
}
