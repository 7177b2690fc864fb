// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolEvent;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The circuit opened, half-opened or closed. */
@Name(CircuitChanged.NAME)
@Label("Circuit Changed")
@Description("The circuit opened, let one request through as a probe, or closed")
@StackTrace(false)
final class CircuitChanged extends StateEvent {
    static final String NAME = "flexpool.CircuitChanged";

    @Label("Phase")
    @Description("OPEN, HALF_OPEN or CLOSED")
    final String phase;

    @Label("Open For")
    @Timespan
    final long openFor;

    @Label("Connect Failures")
    @Description("Connect failures in a row")
    final int connectFailures;

    @Label("Reason")
    final String reason;

    CircuitChanged(String pool, PoolEvent.CircuitChanged event) {
        super(pool, event.state());
        this.phase = event.phase().name();
        this.openFor = event.openFor().toNanos();
        this.connectFailures = event.connectFailures();
        this.reason = event.reason();
    }
}
