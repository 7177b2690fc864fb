// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolEvent;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A lease is older than the leak threshold. */
@Name(LeakSuspected.NAME)
@Label("Leak Suspected")
@Description("A lease is older than leak.threshold; reported once per lease, by flexpool's own thread")
@StackTrace(false)
final class LeakSuspected extends StateEvent {
    static final String NAME = "flexpool.LeakSuspected";

    @Label("Holder")
    @Description("The name of the thread that acquired the connection")
    final String holder;

    @Label("Holder Id")
    final long holderId;

    @Label("Call Site")
    @Description("The application's call site; none if it was not captured")
    final @Nullable String callSite;

    @Label("Held")
    @Timespan
    final long held;

    @Label("Activity")
    @Description("IN_DATABASE, IDLE or UNKNOWN")
    final String activity;

    @Label("Statement")
    @Description("The running or last statement, shortened; only with statement-text = true")
    final @Nullable String statement;

    LeakSuspected(String pool, PoolEvent.LeakSuspected event) {
        super(pool, event.state());
        this.holder = event.lease().thread();
        this.holderId = event.lease().threadId();
        this.callSite = event.lease().callSite();
        this.held = event.lease().age().toNanos();
        this.activity = event.lease().activity().name();
        this.statement = event.lease().statement();
    }
}
