// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolEvent;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A request that timed out because all connections were active. */
@Name(AcquisitionTimeout.NAME)
@Label("Acquisition Timeout")
@Description("A request got no connection in time because all were in use")
final class AcquisitionTimeout extends StateEvent {
    static final String NAME = "flexpool.AcquisitionTimeout";

    @Label("Waited")
    @Timespan
    final long waited;

    @Label("Attempts")
    final int attempts;

    @Label("Report")
    final String report;

    @Label("Trace Id")
    final @Nullable String traceId;

    AcquisitionTimeout(String pool, PoolEvent.AcquisitionTimedOut event) {
        super(pool, event.state());
        this.waited = event.duration().toNanos();
        this.attempts = event.attempts();
        this.report = event.describe();
        this.traceId = event.traceId();
    }
}
