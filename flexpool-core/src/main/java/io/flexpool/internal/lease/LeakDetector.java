// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.PoolExecutor;
import io.flexpool.internal.event.PrintableFailure;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTable.Slot;
import io.flexpool.internal.record.Recorder;
import io.flexpool.pool.PoolState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for leases that do not end: one walk through the table each second, nothing per lease. Used by the loop's thread,
 * apart from {@link #resolved}.
 *
 * <p>A lease that is suspected gets a mark in its slot, which whoever ends it finds there. If it ends in the very moment
 * in which it is marked, the next walk notices that its slot has gone on; the mark is resolved by whoever comes first.
 */
public final class LeakDetector {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    static final long EVERY_NANOS = 1_000_000_000L;
    private static final long FRESH_NANOS = 600_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE;
    /** A pool that has leaked altogether is told once, not in a thousand lines. */
    private static final int MOST_LINES = 20;
    /** An abort that hangs is passed by; so many may. */
    private static final int MOST_HELPERS = 8;

    private final String pool;
    private final LeaseTable table;
    private final Recorder recorder;
    private final ListenerGuard listeners;
    private final long leakNanos;
    private final long reclaimNanos;
    private final @Nullable PoolExecutor helper;
    private final PauseWatch pauses;
    private final List<Suspect> suspects = new ArrayList<>();
    private long dueNanos;
    /** When the last suspect came up, if any did. */
    private long lastNanos;

    LeakDetector(PoolContext context, LeaseTable table) {
        this.pool = context.name();
        this.table = table;
        this.recorder = context.recorder();
        this.listeners = context.listeners();
        this.leakNanos = context.config().leases().leakNanos();
        this.reclaimNanos = context.config().leases().reclaimNanos();
        this.helper = reclaimNanos == NEVER ? null : new PoolExecutor(pool, MOST_HELPERS, listeners, context.ticker());
        this.pauses = new PauseWatch(reclaimNanos == NEVER ? leakNanos : Math.max(leakNanos, reclaimNanos));
        this.dueNanos = context.ticker().nanos();
    }

    /** A lease that has been out for too long. Resolved once. */
    public static final class Suspect {
        private final Slot slot;
        private final int generation;
        private final long acquiredNanos;
        private final @Nullable String callSite;
        private final AtomicBoolean resolved = new AtomicBoolean();

        Suspect(Slot slot, int generation, long acquiredNanos, @Nullable String callSite) {
            this.slot = slot;
            this.generation = generation;
            this.acquiredNanos = acquiredNanos;
            this.callSite = callSite;
        }

        boolean isOf(int leaseInSlot) {
            return generation == leaseInSlot;
        }
    }

    /** What reports that a suspected lease has ended. */
    Runnable resolution(Suspect suspect, long heldNanos, boolean reclaimed) {
        return () -> resolved(suspect, heldNanos, reclaimed);
    }

    /** Whether leases that are ended by force must be known by their connection. */
    boolean reclaims() {
        return reclaimNanos != NEVER;
    }

    /** Whether a lease is suspected, and the last of them came up lately: a leak that is over is no reason for ever. */
    boolean fresh(long nowNanos) {
        return !suspects.isEmpty() && nowNanos - lastNanos < FRESH_NANOS;
    }

    /**
     * Walks if a walk is due.
     *
     * @param lateNanos how much later than due the tick comes
     * @param reader makes the picture of a lease that is told
     */
    void tick(long nowNanos, long lateNanos, PoolState state, Function<Slot, @Nullable OpenLease> reader) {
        pauses.tick(nowNanos, lateNanos);
        if (helper != null) {
            helper.reportHanging(nowNanos);
        }
        if (nowNanos - dueNanos < 0) {
            return;
        }
        dueNanos = nowNanos + EVERY_NANOS;
        resolveEnded(nowNanos);
        table.freeLeftovers();
        List<LeasedConnection> overdue = new ArrayList<>();
        int before = suspects.size();
        table.forEach((slot, generation) -> {
            slot.forgetEndedThread();
            if (leakNanos != NEVER) {
                look(slot, generation, nowNanos, state, reader, overdue, before);
            }
        });
        if (suspects.size() > before) {
            lastNanos = nowNanos;
        }
        int unsaid = suspects.size() - before - MOST_LINES;
        if (unsaid > 0) {
            listeners.guard("the log", () -> LOG.warn("{}: {} more connections may have leaked", pool, unsaid));
        }
        if (helper != null && !overdue.isEmpty()) {
            // An abort that hangs keeps the rest until the helper passes it by; what it has ended by then ends but
            // once.
            helper.run("abort", () -> overdue.forEach(this::reclaim));
        }
    }

    private void look(
            Slot slot,
            int generation,
            long nowNanos,
            PoolState state,
            Function<Slot, @Nullable OpenLease> reader,
            List<LeasedConnection> overdue,
            int before) {
        long age = pauses.ageNanos(slot.acquiredNanos, nowNanos);
        LeasedConnection lease = slot.lease;
        Suspect known = slot.suspect;
        if (age <= leakNanos || !slot.still(generation)) {
            return;
        }
        if (known == null || !known.isOf(generation)) {
            suspect(slot, generation, state, reader, suspects.size() - before < MOST_LINES);
        }
        if (lease != null && age > reclaimNanos) {
            overdue.add(lease);
        }
    }

    private void suspect(
            Slot slot, int generation, PoolState state, Function<Slot, @Nullable OpenLease> reader, boolean said) {
        long acquiredNanos = slot.acquiredNanos;
        OpenLease lease = reader.apply(slot);
        if (lease == null || !slot.still(generation)) {
            return;
        }
        recorder.leakSuspected();
        PoolEvent.LeakSuspected event = new Events.LeakSuspected(pool, lease, state);
        if (said) {
            listeners.guard("the log", () -> LOG.warn("{}", event.describe()));
        }
        listeners.raise(event);
        // Told first, marked then: nobody hears that it is resolved before he has heard of it.
        Suspect suspect = new Suspect(slot, generation, acquiredNanos, lease.callSite());
        suspects.add(suspect);
        slot.mark(suspect);
    }

    /** Whether a lease that began then is as old as a suspect. */
    boolean suspects(long acquiredNanos, long nowNanos) {
        return pauses.ageNanos(acquiredNanos, nowNanos) > leakNanos;
    }

    /** Which abort hangs, in words; null if none does. */
    @Nullable
    String hanging(long nowNanos) {
        return helper == null ? null : helper.hanging(nowNanos);
    }

    /** Of those that ended before they were marked, and those whose end told already. */
    private void resolveEnded(long nowNanos) {
        for (Iterator<Suspect> open = suspects.iterator(); open.hasNext(); ) {
            Suspect suspect = open.next();
            if (suspect.slot.generation() != suspect.generation) {
                open.remove();
                resolved(suspect, nowNanos - suspect.acquiredNanos, false);
            }
        }
    }

    /** Tells that a lease has ended that was suspected; once. The event is to be delivered by the caller. */
    void resolved(Suspect suspect, long heldNanos, boolean reclaimed) {
        if (!suspect.resolved.compareAndSet(false, true)) {
            return;
        }
        PoolEvent.LeakResolved event =
                new Events.LeakResolved(pool, Duration.ofNanos(heldNanos), suspect.callSite, reclaimed);
        listeners.guard("the log", () -> LOG.info("{}", event.describe()));
        listeners.raise(event);
    }

    private void reclaim(LeasedConnection lease) {
        try {
            lease.reclaim();
        } catch (SQLException thrown) {
            listeners.guard(
                    "the log",
                    () -> LOG.warn(
                            "{}: the abort of a connection that was taken back threw",
                            pool,
                            PrintableFailure.of(thrown)));
        }
    }

    void close() {
        if (helper != null) {
            helper.close();
        }
    }
}
