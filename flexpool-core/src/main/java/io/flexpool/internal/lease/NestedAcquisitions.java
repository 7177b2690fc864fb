// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.event.PoolEvent;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.NestedPolicy;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.RateLimit;
import io.flexpool.internal.lease.LeaseTable.Slot;
import io.flexpool.internal.record.Recorder;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects threads that request a connection while they hold one of the same pool. Enough such threads wait for each
 * other's connections until they time out. A connection belongs to the thread that acquired it, not the one that uses
 * it.
 */
public final class NestedAcquisitions {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** Reading the pool's state costs microseconds, and some applications nest with every request. */
    private static final long READ_EVERY_NANOS = 50_000_000;

    private static final long EVENT_EVERY_NANOS = 1_000_000_000;
    /** "Function sequence error". */
    static final String STATE = "HY010";

    private final String pool;
    private final boolean strict;
    private final LeaseTracker leases;
    private final LeaseTable table;
    private final Recorder recorder;
    private final ListenerGuard listeners;
    private final StateReader states;
    private final RateLimit reads;
    private final RateLimit events;
    /** Called for each nested acquisition, even if the pool is not nearly exhausted. */
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    /** By identity: a listener added twice is called twice, and removed twice. */
    private record Subscription(Consumer<PoolEvent.NestedAcquisition> listener, Object identity) {}

    public NestedAcquisitions(PoolContext context, LeaseTracker leases) {
        this.pool = context.name();
        this.strict = context.config().values().get(CoreKey.NESTED, NestedPolicy.class) == NestedPolicy.STRICT;
        this.leases = leases;
        this.table = leases.table();
        this.recorder = context.recorder();
        this.listeners = context.listeners();
        this.states = context.states();
        long now = context.nanos();
        this.reads = new RateLimit(READ_EVERY_NANOS, now);
        this.events = new RateLimit(EVENT_EVERY_NANOS, now);
    }

    /**
     * Checks a request of the calling thread.
     *
     * @return the exception to throw if it is nested and refused; null if it may proceed
     */
    public @Nullable SQLException refusal(long nowNanos) {
        Thread thread = Thread.currentThread();
        Slot held = table.heldBy(thread);
        return held == null ? null : nested(thread, held, nowNanos);
    }

    private @Nullable SQLException nested(Thread thread, Slot held, long nowNanos) {
        recorder.nested((int) thread.getId());
        if (!subscriptions.isEmpty()) {
            PoolEvent.NestedAcquisition event = event(thread, held, states.at(nowNanos));
            subscriptions.forEach(subscription ->
                    listeners.guard("a listener", () -> subscription.listener().accept(event)));
        }
        if (strict) {
            return refusal(thread, held);
        }
        if (reads.permits(nowNanos)) {
            PoolState state = states.at(nowNanos);
            if (nearlyExhausted(state) && events.permits(nowNanos)) {
                report(thread, held, state);
            }
        }
        return null;
    }

    private static boolean nearlyExhausted(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.pending() > 0
                || (most != PoolSnapshot.UNKNOWN && state.leased() + Math.max(0, state.foreign()) >= most);
    }

    private void report(Thread thread, Slot held, PoolState state) {
        PoolEvent.NestedAcquisition event = event(thread, held, state);
        listeners.guard("the log", () -> LOG.warn("{}", event.describe()));
        listeners.publish(event);
    }

    private PoolEvent.NestedAcquisition event(Thread thread, Slot held, PoolState state) {
        return new Events.NestedAcquisition(
                pool, ThreadIdentity.of(thread).name(), leases.callSiteHere(), LeaseTracker.callSite(held), state);
    }

    /**
     * Calls a listener for each nested acquisition.
     *
     * @return removes the listener
     */
    public Runnable onEach(Consumer<PoolEvent.NestedAcquisition> listener) {
        Subscription added = new Subscription(listener, new Object());
        subscriptions.add(added);
        return () -> subscriptions.remove(added);
    }

    private SQLException refusal(Thread thread, Slot held) {
        String here = leases.callSiteHere();
        String before = LeaseTracker.callSite(held);
        return new SQLNonTransientException(
                "flexpool '" + pool + "': nested = strict: "
                        + ThreadIdentity.of(thread).name()
                        + " asks for a second connection" + (here == null ? "" : " at " + here) + " while it holds one"
                        + (before == null ? "" : " from " + before),
                STATE);
    }
}
