// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.NestedPolicy;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.RateLimit;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import org.jspecify.annotations.Nullable;

/**
 * Detects threads that request a second connection of the same pool while they hold one. Enough such threads wait for
 * each other's connections until they time out. A connection belongs to the thread that acquired it, or to the owner
 * that this thread carried, not to the thread that uses it.
 */
public final class NestedAcquisitions {
    /** Reading the pool's state costs microseconds, and some applications nest with every request. */
    private static final long READ_EVERY_NANOS = 50_000_000;

    private static final long EVENT_EVERY_NANOS = 1_000_000_000;
    /**
     * "Function sequence error": this order of calls is not allowed, and a retry does not help. Pools and frameworks
     * take states of class 08 for a broken connection and retry; the pool's own timeout class would be wrong, because
     * nothing timed out.
     */
    static final String STATE = "HY010";

    private final PoolContext context;
    private final boolean strict;
    private final LeaseTracker leases;
    private final RateLimit reads;
    private final RateLimit events;

    public NestedAcquisitions(PoolContext context, LeaseTracker leases) {
        this.context = context;
        this.strict = context.config().values().get(CoreKey.NESTED, NestedPolicy.class) == NestedPolicy.STRICT;
        this.leases = leases;
        long now = context.nanos();
        this.reads = new RateLimit(READ_EVERY_NANOS, now);
        this.events = new RateLimit(EVENT_EVERY_NANOS, now);
    }

    /** The exception to throw if a request of the calling thread is nested and refused; null if it may proceed. */
    public @Nullable SQLException refusal(long nowNanos) {
        return leases.table.heldBy(Thread.currentThread()) == null ? null : nested(nowNanos);
    }

    private @Nullable SQLException nested(long nowNanos) {
        context.recorder().nested((int) Thread.currentThread().getId());
        if (!leases.inspections.isEmpty()) {
            // Even if the pool is not nearly exhausted.
            Events.NestedAcquisition event = event(context.state(nowNanos));
            leases.inspect(inspector -> inspector.nested(event));
        }
        if (strict) {
            return refusal();
        }
        if (reads.permits(nowNanos)) {
            PoolState state = context.state(nowNanos);
            if (nearlyExhausted(state) && events.permits(nowNanos)) {
                Events.NestedAcquisition event = event(state);
                context.listeners().log(event, true);
                context.listeners().publish(event);
            }
        }
        return null;
    }

    private static boolean nearlyExhausted(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.pending() > 0
                || (most != PoolSnapshot.UNKNOWN && state.leased() + Math.max(0, state.foreign()) >= most);
    }

    private Events.NestedAcquisition event(PoolState state) {
        return new Events.NestedAcquisition(
                context.name(), threadName(), leases.currentCallSite(), callSiteOfHeld(), state);
    }

    private SQLException refusal() {
        String here = leases.currentCallSite();
        String before = callSiteOfHeld();
        return new SQLNonTransientException(
                context.name() + ": nested = strict: " + threadName()
                        + " requests a second connection" + (here == null ? "" : " at " + here) + " while it holds one"
                        + (before == null ? "" : " from " + before),
                STATE);
    }

    private @Nullable String callSiteOfHeld() {
        Slot held = leases.table.longestHeldBy(Thread.currentThread());
        return held == null ? null : CallSites.name(held.site);
    }

    private static String threadName() {
        return ThreadIdentity.here().name();
    }
}
