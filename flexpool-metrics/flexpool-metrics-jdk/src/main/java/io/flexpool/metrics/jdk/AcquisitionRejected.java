// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolEvent;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A request rejected by a strategy. Without a stack trace, because there can be very many. */
@Name(AcquisitionRejected.NAME)
@Label("Acquisition Rejected")
@Description("A strategy rejected a request")
@StackTrace(false)
final class AcquisitionRejected extends StateEvent {
    static final String NAME = "flexpool.AcquisitionRejected";

    @Label("Waited")
    @Timespan
    final long waited;

    @Label("Report")
    final String report;

    AcquisitionRejected(String pool, PoolEvent.AcquisitionRejected event) {
        super(pool, event.state());
        this.waited = event.duration().toNanos();
        this.report = event.describe();
    }
}
