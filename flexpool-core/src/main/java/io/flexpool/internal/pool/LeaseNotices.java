// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import java.util.List;

/**
 * Notifies the observer of leases, and listeners of slow acquisitions and long leases. A lease has begun, or has ended,
 * even if that cannot be reported: callers ignore exceptions of this class. Thread-safe.
 */
final class LeaseNotices {
    private static final long ALWAYS = Long.MIN_VALUE;

    private final PoolContext context;
    private final long slowNanos;
    private final long longNanos;
    /** The thresholds for reports of acquisitions and leases: one comparison decides that there is no report. */
    long acquiredAfterNanos;

    long releasedAfterNanos;
    /** Not final, because backends are bound to a complete pool; set before it is returned. */
    private LeaseObserver observer = LeaseObserver.NONE;

    LeaseNotices(PoolContext context) {
        this.context = context;
        this.slowNanos = context.config().values().nanos(CoreKey.SLOW_ACQUISITION);
        this.longNanos = context.config().values().nanos(CoreKey.LONG_LEASE);
        observe(context.listeners().guard(List.of(context.config().observer())));
    }

    /** Sets the observer, which is guarded. */
    void observe(LeaseObserver guarded) {
        observer = guarded;
        acquiredAfterNanos = guarded == LeaseObserver.NONE ? slowNanos : ALWAYS;
        releasedAfterNanos = guarded == LeaseObserver.NONE ? longNanos : ALWAYS;
    }

    void acquired(long requestedNanos, long acquiredNanos) {
        observer.acquired(requestedNanos, acquiredNanos, AcquisitionOutcome.OK);
        long waitedNanos = acquiredNanos - requestedNanos;
        if (waitedNanos > slowNanos) {
            context.listeners()
                    .publish(new Events.AcquisitionSlow(
                            context.name(), Duration.ofNanos(waitedNanos), context.state(acquiredNanos)));
        }
    }

    void released(long acquiredNanos, long releasedNanos) {
        observer.released(acquiredNanos, releasedNanos);
        long heldNanos = releasedNanos - acquiredNanos;
        if (heldNanos > longNanos) {
            context.listeners().publish(new Events.LeaseLong(context.name(), Duration.ofNanos(heldNanos)));
        }
    }

    /** Reports the end of a lease that was a leak suspect. */
    void resolved(Runnable report) {
        report.run();
        context.listeners().deliver();
    }
}
