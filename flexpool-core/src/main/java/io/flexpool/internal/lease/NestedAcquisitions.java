// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.event.PoolEvent;
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
 * A thread asks for a connection while it holds one of the same pool. With enough such threads each waits for what the
 * others hold, and only timeouts end that. A connection belongs to the thread that asked for it, whoever uses it.
 */
public final class NestedAcquisitions {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** A look at the whole pool costs microseconds, and some applications nest with every request. */
    private static final long LOOK_EVERY_NANOS = 50_000_000;

    private static final long TELL_EVERY_NANOS = 1_000_000_000;
    /** "Function sequence error": what a caller may not do in this order. */
    static final String STATE = "HY010";

    private final String pool;
    private final boolean strict;
    private final LeaseTracker leases;
    private final LeaseTable table;
    private final Recorder recorder;
    private final ListenerGuard listeners;
    private final StateReader states;
    private final RateLimit looks;
    private final RateLimit events;
    /** Who wants to hear of each, whatever the pool has left. */
    private final List<Hearer> hearers = new CopyOnWriteArrayList<>();

    /** By identity: one that is given twice is heard twice, and ends twice. */
    private record Hearer(Consumer<PoolEvent.NestedAcquisition> told, Object identity) {}

    public NestedAcquisitions(PoolContext context, LeaseTracker leases) {
        this.pool = context.name();
        this.strict = context.config().leases().strict();
        this.leases = leases;
        this.table = leases.table();
        this.recorder = context.recorder();
        this.listeners = context.listeners();
        this.states = context.states();
        long now = context.nanos();
        this.looks = new RateLimit(LOOK_EVERY_NANOS, now);
        this.events = new RateLimit(TELL_EVERY_NANOS, now);
    }

    /**
     * A request of the calling thread.
     *
     * @return why it is refused, as a nested one; null if it may go on
     */
    public @Nullable SQLException refusal(long nowNanos) {
        Thread thread = Thread.currentThread();
        Slot held = table.heldBy(thread);
        return held == null ? null : seen(thread, held, nowNanos);
    }

    private @Nullable SQLException seen(Thread thread, Slot held, long nowNanos) {
        recorder.nested((int) thread.getId());
        if (!hearers.isEmpty()) {
            PoolEvent.NestedAcquisition event = event(thread, held, states.at(nowNanos));
            hearers.forEach(
                    hearer -> listeners.guard("a listener", () -> hearer.told().accept(event)));
        }
        if (strict) {
            return refusal(thread, held);
        }
        if (looks.permits(nowNanos)) {
            PoolState state = states.at(nowNanos);
            if (nearlyExhausted(state) && events.permits(nowNanos)) {
                tell(thread, held, state);
            }
        }
        return null;
    }

    private static boolean nearlyExhausted(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.pending() > 0
                || (most != PoolSnapshot.UNKNOWN && state.leased() + Math.max(0, state.foreign()) >= most);
    }

    private void tell(Thread thread, Slot held, PoolState state) {
        PoolEvent.NestedAcquisition event = event(thread, held, state);
        listeners.guard("the log", () -> LOG.warn("{}", event.describe()));
        listeners.tell(event);
    }

    private PoolEvent.NestedAcquisition event(Thread thread, Slot held, PoolState state) {
        return new Events.NestedAcquisition(
                pool, ThreadIdentity.of(thread).name(), leases.callSiteHere(), LeaseTracker.callSite(held), state);
    }

    /**
     * Tells somebody of each nested request.
     *
     * @return ends it
     */
    public Runnable tellAll(Consumer<PoolEvent.NestedAcquisition> told) {
        Hearer added = new Hearer(told, new Object());
        hearers.add(added);
        return () -> hearers.remove(added);
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
