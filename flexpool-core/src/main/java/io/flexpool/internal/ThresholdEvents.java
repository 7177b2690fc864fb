// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.event.PoolEvent;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import java.time.Duration;

/** Notifies listeners of acquisitions and leases that took longer than configured. Thread-safe. */
final class ThresholdEvents {
    private final PoolContext context;

    ThresholdEvents(PoolContext context) {
        this.context = context;
    }

    /** An acquisition was slow. */
    void acquired(long waitedNanos, long nowNanos) {
        PoolEvent.AcquisitionSlow event =
                new Events.AcquisitionSlow(context.name(), Duration.ofNanos(waitedNanos), context.state(nowNanos));
        context.listeners().publish(event);
    }

    /** A lease that has ended was long. */
    void released(long heldNanos) {
        PoolEvent.LeaseLong event = new Events.LeaseLong(context.name(), Duration.ofNanos(heldNanos));
        context.listeners().publish(event);
    }
}
