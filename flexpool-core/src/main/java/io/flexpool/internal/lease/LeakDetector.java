// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.pool.PoolState;
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
 * <p>The scan marks a suspected lease in its slot. The thread that ends the lease reads the mark plainly: an atomic
 * flag would cost all other leases too. If the lease ends while it is marked, the next scan finds that the slot's
 * number has changed. The first of the two threads reports the end.
 */
public final class LeakDetector {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    static final long EVERY_NANOS = 1_000_000_000L;
    private static final long FRESH_NANOS = 600_000_000_000L;
    /** Limits the log lines for a pool with many leaks. */
    private static final int MOST_LINES = 20;

    private final PoolContext context;
    private final LeaseTable table;
    private final ListenerGuard listeners;
    private final long leakNanos;
    private final PauseWatch pauses;
    private final List<Suspect> suspects = new ArrayList<>();
    private long dueNanos;
    /** Time of the last suspect, if any. */
    private long lastNanos;

    LeakDetector(PoolContext context, LeaseTable table) {
        this.context = context;
        this.table = table;
        this.listeners = context.listeners();
        this.leakNanos = context.config().leakNanos();
        this.pauses = new PauseWatch(leakNanos);
        this.dueNanos = context.nanos();
    }

    /** A lease older than the threshold. Resolved once. */
    public record Suspect(Slot slot, long generation, long acquiredNanos, OpenLease lease, AtomicBoolean resolved) {
        boolean isOf(long leaseInSlot) {
            return generation == leaseInSlot;
        }
    }

    /** Whether a lease is suspected, and the last suspect is recent: an old leak does not keep the alert on. */
    boolean fresh(long nowNanos) {
        return !suspects.isEmpty() && nowNanos - lastNanos < FRESH_NANOS;
    }

    /** Scans the table once a second. The reader creates the reported view of a lease; null if the lease has ended. */
    void tick(long nowNanos, long lateNanos, PoolState state, Function<Slot, @Nullable OpenLease> reader) {
        pauses.tick(nowNanos, lateNanos);
        if (nowNanos - dueNanos < 0) {
            return;
        }
        dueNanos = nowNanos + EVERY_NANOS;
        resolveEnded(nowNanos);
        table.scan(nowNanos);
        int before = suspects.size();
        table.forEach((slot, generation) -> {
            slot.forgetEndedThread();
            long acquiredNanos = slot.acquiredNanos;
            Suspect known = slot.suspect;
            long age = pauses.ageNanos(acquiredNanos, nowNanos);
            if (age <= leakNanos || !slot.unchanged(generation)) {
                return;
            }
            if (known == null || !known.isOf(generation)) {
                OpenLease open = reader.apply(slot);
                if (open != null && slot.unchanged(generation)) {
                    boolean logged = suspects.size() - before < MOST_LINES;
                    suspect(new Suspect(slot, generation, acquiredNanos, open, new AtomicBoolean()), state, logged);
                }
            }
        });
        if (suspects.size() > before) {
            lastNanos = nowNanos;
        }
        int unlogged = suspects.size() - before - MOST_LINES;
        if (unlogged > 0) {
            listeners.guard(
                    "the log", () -> LOG.warn("{}: {} more connections may have leaked", context.name(), unlogged));
        }
    }

    private void suspect(Suspect suspect, PoolState state, boolean logged) {
        context.recorder().leakSuspected();
        Events.LeakSuspected event = new Events.LeakSuspected(context.name(), suspect.lease(), state);
        if (logged) {
            listeners.log(event, true);
        }
        listeners.raise(event);
        // Raised before it is marked: listeners see the suspicion before its resolution.
        suspects.add(suspect);
        suspect.slot().mark(suspect);
    }

    /** Whether a lease that began at a time is old enough to be suspected. */
    boolean suspects(long acquiredNanos, long nowNanos) {
        return pauses.ageNanos(acquiredNanos, nowNanos) > leakNanos;
    }

    /** Resolves suspects that ended before they were marked, and removes those already resolved. */
    private void resolveEnded(long nowNanos) {
        for (Iterator<Suspect> open = suspects.iterator(); open.hasNext(); ) {
            Suspect suspect = open.next();
            if (suspect.slot().generation() != suspect.generation()) {
                open.remove();
                resolved(suspect, nowNanos - suspect.acquiredNanos(), false);
            }
        }
    }

    /** Raises the end of a suspected lease, once. The caller delivers the event. */
    void resolved(Suspect suspect, long heldNanos, boolean reclaimed) {
        if (!suspect.resolved().compareAndSet(false, true)) {
            return;
        }
        Events.LeakResolved event = new Events.LeakResolved(
                context.name(), Duration.ofNanos(heldNanos), suspect.lease().callSite(), reclaimed);
        listeners.log(event, false);
        listeners.raise(event);
    }

    /**
     * Detects pauses of the process: a suspended virtual machine, a stopped process. A thread could not close its
     * connection then, so a pause does not count towards the age at which a lease is suspected: otherwise every open
     * lease would seem held during the pause. The time in which reading one pool hangs is no pause: its connections can
     * be returned meanwhile. Written by the tick's thread, read by any thread.
     */
    static final class PauseWatch {
        /** A tick delayed by more than this follows a pause. */
        static final long LATE_NANOS = 2_000_000_000L;

        private final long longestAgeNanos;
        private volatile List<Pause> pauses = List.of();

        private record Pause(long fromNanos, long toNanos) {
            /** The part of this pause that lies after a moment; the moment must be before its end. */
            long since(long nanos) {
                return Math.max(0, toNanos - nanos - Math.max(0, fromNanos - nanos));
            }
        }

        /** Takes the longest compared age; {@code Long.MAX_VALUE} for no comparison. */
        PauseWatch(long longestAgeNanos) {
            this.longestAgeNanos = longestAgeNanos;
        }

        /** Reports a tick and its delay. */
        void tick(long nowNanos, long lateNanos) {
            if (lateNanos <= LATE_NANOS || longestAgeNanos == Long.MAX_VALUE) {
                return;
            }
            // A lease older than an old pause exceeds every threshold even without the pause.
            List<Pause> kept = new ArrayList<>(pauses);
            kept.removeIf(pause -> nowNanos - pause.toNanos() > longestAgeNanos);
            kept.add(new Pause(nowNanos - lateNanos, nowNanos));
            pauses = List.copyOf(kept);
        }

        /** The time since a moment, without pauses. */
        long ageNanos(long sinceNanos, long nowNanos) {
            long age = nowNanos - sinceNanos;
            for (Pause pause : pauses) {
                age -= pause.since(sinceNanos);
            }
            return age;
        }
    }
}
