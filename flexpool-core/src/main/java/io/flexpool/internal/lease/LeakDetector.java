// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.config.CoreKey;
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
 * Detects leases that do not end: one scan of the table per second, no cost per lease. Used by the tick's thread,
 * except {@link #resolved}.
 *
 * <p>A suspected lease gets a mark in its slot, which the thread that ends it finds. If it ends while it is being
 * marked, the next scan notices that the slot's generation has changed; the first of the two threads resolves the mark.
 */
public final class LeakDetector {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    static final long EVERY_NANOS = 1_000_000_000L;
    private static final long FRESH_NANOS = 600_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE;
    /** A pool whose connections all leak gives a few log lines, not a thousand. */
    private static final int MOST_LINES = 20;
    /** Maximum threads, if aborts hang. */
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
    /** Time of the last suspect, if any. */
    private long lastNanos;

    LeakDetector(PoolContext context, LeaseTable table) {
        this.pool = context.name();
        this.table = table;
        this.recorder = context.recorder();
        this.listeners = context.listeners();
        this.leakNanos = context.config().values().nanos(CoreKey.LEAK_THRESHOLD);
        this.reclaimNanos = context.config().values().nanos(CoreKey.LEAK_RECLAIM_AFTER);
        this.helper = reclaimNanos == NEVER ? null : new PoolExecutor(pool, MOST_HELPERS, listeners, context.ticker());
        this.pauses = new PauseWatch(reclaimNanos == NEVER ? leakNanos : Math.max(leakNanos, reclaimNanos));
        this.dueNanos = context.ticker().nanos();
    }

    /** A lease older than the threshold. Resolved once. */
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

    /** A task that reports the end of a suspected lease. */
    Runnable resolution(Suspect suspect, long heldNanos, boolean reclaimed) {
        return () -> resolved(suspect, heldNanos, reclaimed);
    }

    /** Whether leases are reclaimed, so that slots must keep their connection. */
    boolean reclaims() {
        return reclaimNanos != NEVER;
    }

    /** Whether a lease is suspected, and the last suspect is recent: an old leak does not raise the alert for ever. */
    boolean fresh(long nowNanos) {
        return !suspects.isEmpty() && nowNanos - lastNanos < FRESH_NANOS;
    }

    /**
     * Scans if a scan is due.
     *
     * @param lateNanos delay of the tick
     * @param reader creates the reported view of a lease
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
                check(slot, generation, nowNanos, state, reader, overdue, before);
            }
        });
        if (suspects.size() > before) {
            lastNanos = nowNanos;
        }
        int unlogged = suspects.size() - before - MOST_LINES;
        if (unlogged > 0) {
            listeners.guard("the log", () -> LOG.warn("{}: {} more connections may have leaked", pool, unlogged));
        }
        if (helper != null && !overdue.isEmpty()) {
            // A hanging abort delays the rest until the helper treats it as hanging; a lease still ends only once.
            helper.run("abort", () -> overdue.forEach(this::reclaim));
        }
    }

    private void check(
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
            Slot slot, int generation, PoolState state, Function<Slot, @Nullable OpenLease> reader, boolean logged) {
        long acquiredNanos = slot.acquiredNanos;
        OpenLease lease = reader.apply(slot);
        if (lease == null || !slot.still(generation)) {
            return;
        }
        recorder.leakSuspected();
        PoolEvent.LeakSuspected event = new Events.LeakSuspected(pool, lease, state);
        if (logged) {
            listeners.guard("the log", () -> LOG.warn("{}", event.describe()));
        }
        listeners.raise(event);
        // Raised before it is marked: listeners see the suspicion before its resolution.
        Suspect suspect = new Suspect(slot, generation, acquiredNanos, lease.callSite());
        suspects.add(suspect);
        slot.mark(suspect);
    }

    /** Whether a lease that began at a time is old enough to be suspected. */
    boolean suspects(long acquiredNanos, long nowNanos) {
        return pauses.ageNanos(acquiredNanos, nowNanos) > leakNanos;
    }

    /** Describes the hanging abort; null if none hangs. */
    @Nullable
    String hanging(long nowNanos) {
        return helper == null ? null : helper.hanging(nowNanos);
    }

    /** Resolves suspects that ended before they were marked, and removes those already resolved. */
    private void resolveEnded(long nowNanos) {
        for (Iterator<Suspect> open = suspects.iterator(); open.hasNext(); ) {
            Suspect suspect = open.next();
            if (suspect.slot.generation() != suspect.generation) {
                open.remove();
                resolved(suspect, nowNanos - suspect.acquiredNanos, false);
            }
        }
    }

    /** Raises the end of a suspected lease, once. The caller delivers the event. */
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
                    () -> LOG.warn("{}: aborting a reclaimed connection failed", pool, PrintableFailure.of(thrown)));
        }
    }

    void close() {
        if (helper != null) {
            helper.close();
        }
    }
}
