// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.Outbox;
import io.flexpool.internal.event.PrintableFailure;
import io.flexpool.internal.shared.Words;
import io.flexpool.spi.DaemonThreads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ticks all pools of a class loader, while there are any. One daemon thread ticks them one after the other; a second
 * one, the watchdog, replaces it if necessary. Pools are weakly referenced, so that unclosed pools can be collected.
 *
 * <p>A tick calls foreign code: the pool's own methods, a log appender. If one pool's tick takes longer than
 * {@link #TICK_NANOS}, the watchdog starts a new thread for the other pools. The late thread then ticks only the slow
 * pool, until a tick is fast, and ends. So a pool costs the others one tick and occupies one thread, however often it
 * hangs. The watchdog calls no foreign code and does not log. If one of the two threads dies, the other replaces it.
 *
 * <p>Pools are assigned to threads under the lock. The lock is never held during a tick.
 */
final class Housekeeper {
    /** The controller's tick. */
    static final long TICK_NANOS = 250_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    static final Housekeeper SHARED = new Housekeeper();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Entry> entries = new ArrayList<>();
    /** The watchdog's reports, logged by a separate thread because logging may block. */
    private final Outbox reports = new Outbox("flexpool");
    /** Written under the lock, like {@code round}. */
    private volatile @Nullable Thread watchdog;

    private volatile @Nullable Round round;

    /** A pool that is ticked. */
    interface Watched {
        String name();

        /** Runs one tick, which begins late by this time. */
        void beat(long lateNanos);

        /** Sets whether the running tick has taken so long that the pool is left to a separate thread. */
        void stalled(boolean stalls);
    }

    /** One pool, and which thread ticks it. Changed under the lock. */
    private static final class Entry {
        /** Cleared when the pool is removed. */
        private final WeakReference<Watched> held;

        private final String name;
        /** When its last tick began. */
        private volatile long beganNanos = System.nanoTime();

        private final long addedNanos = beganNanos;
        /** Whether a hanging tick of this pool was logged. */
        private boolean reported;
        /** The former round, which now ticks only this pool; null if the current round ticks it. */
        private volatile @Nullable Round own;

        Entry(Watched watched) {
            this.held = new WeakReference<>(watched);
            this.name = watched.name();
        }
    }

    void add(Watched pool) {
        lock.lock();
        try {
            entries.add(new Entry(pool));
            Round now = round;
            if (now == null) {
                // The first tick runs one interval later, not beside the first calls.
                startRound(System.nanoTime() + TICK_NANOS);
            } else if (!now.thread.isAlive()) {
                startRound(System.nanoTime());
            }
            keepWatchdog();
        } finally {
            lock.unlock();
        }
    }

    void remove(Watched pool) {
        lock.lock();
        try {
            for (Entry entry : entries) {
                if (entry.held.get() == pool) {
                    entry.held.clear();
                }
            }
            endIfEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Called under the lock. Removes collected pools; after the last pool the threads end. */
    private void endIfEmpty() {
        for (int at = entries.size() - 1; at >= 0; at--) {
            if (entries.get(at).held.get() == null) {
                entries.remove(at);
            }
        }
        if (!entries.isEmpty()) {
            return;
        }
        Round endedRound = round;
        round = null;
        if (endedRound != null) {
            LockSupport.unpark(endedRound.thread);
        }
        Thread endedWatchdog = watchdog;
        watchdog = null;
        LockSupport.unpark(endedWatchdog);
    }

    /** Called under the lock. Changes nothing if no thread can be started. */
    private void startRound(long dueNanos) {
        Round fresh = new Round(dueNanos);
        fresh.thread.start();
        round = fresh;
    }

    /** Under the lock. */
    private void keepWatchdog() {
        Thread now = watchdog;
        if (now != null && now.isAlive()) {
            return;
        }
        Thread fresh = DaemonThreads.create("flexpool-watchdog", new Watchdog());
        watchdog = fresh;
        try {
            fresh.start();
        } catch (OutOfMemoryError noThread) {
            // The ticking thread must not end because of this; it tries again with each tick.
            watchdog = null;
        }
    }

    // ---- the watchdog ----

    private final class Watchdog implements Runnable {
        @Override
        public void run() {
            boolean pardoned = false;
            while (watchdog == Thread.currentThread()) {
                long before = System.nanoTime();
                LockSupport.parkNanos(Housekeeper.this, TICK_NANOS);
                // After a pause of the whole JVM the ticking thread is late too, although no pool hangs.
                pardoned = !pardoned && System.nanoTime() - before > 2 * TICK_NANOS;
                try {
                    if (!pardoned) {
                        check();
                    }
                } catch (Throwable noMemory) {
                    // No memory, or no thread could be started: the next check tries again.
                    pardoned = true;
                }
            }
        }
    }

    private void check() {
        lock.lock();
        try {
            endIfEmpty();
            Round now = round;
            if (now != null) {
                check(now, System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private void check(Round now, long nowNanos) {
        Entry at = now.at;
        if (!now.thread.isAlive()) {
            startRound(nowNanos);
        } else if (at != null && nowNanos - at.beganNanos >= TICK_NANOS) {
            startRound(nowNanos);
            at.own = now;
            now.thread.setName("flexpool-loop-" + at.name);
            Watched pool = at.held.get();
            if (pool != null) {
                pool.stalled(true);
            }
        }
        for (Entry entry : entries) {
            reportIfHung(entry, nowNanos);
        }
    }

    /** Under the lock. */
    private void reportIfHung(Entry entry, long nowNanos) {
        Round own = entry.own;
        if (own == null) {
            return;
        }
        if (!own.thread.isAlive()) {
            entry.own = null;
        } else if (!entry.reported && own.at != null && nowNanos - entry.beganNanos >= HungTick.HANGS_NANOS) {
            long hung = nowNanos - entry.beganNanos;
            HungTick tick = new HungTick(own.thread);
            if (tick.isReported(hung, nowNanos - entry.addedNanos)) {
                entry.reported = true;
                String line = entry.name + ": monitoring has been stuck for " + Words.millis(hung) + tick.place()
                        + ". The pool's metrics are stale and its size does not change. Take a thread dump.";
                report(() -> LOG.warn("{}", line));
            }
        }
    }

    private void report(Runnable line) {
        // An appender that throws is ignored: the age of the pool's last tick still shows it.
        reports.add(() -> ListenerGuard.thrownBy(Executors.callable(line)));
    }

    // ---- the ticking threads ----

    /** The work of one ticking thread: it ticks all pools, or, after it was replaced, only the pool that was late. */
    private final class Round implements Runnable {
        private final Thread thread = DaemonThreads.create("flexpool-loop", this);
        /** The pools of the current turn; each turn refills the list. Used by this thread only. */
        private final List<Entry> mine = new ArrayList<>();

        private final long firstDueNanos;
        /** The pool that is being ticked. Accessed under the lock. */
        private @Nullable Entry at;

        Round(long firstDueNanos) {
            this.firstDueNanos = firstDueNanos;
        }

        @Override
        public void run() {
            long due = firstDueNanos;
            awaitTurn();
            park(due, null);
            while (takeTurn()) {
                for (Entry entry : mine) {
                    tick(entry, System.nanoTime() - entry.beganNanos - TICK_NANOS);
                    if (round != this) {
                        alone(entry);
                        return;
                    }
                }
                // Ticks keep their schedule: a late tick makes no later one run early.
                long now = System.nanoTime();
                do {
                    due += TICK_NANOS;
                } while (due - now <= 0);
                reports.deliverElsewhere();
                mine.clear();
                park(due, null);
            }
        }

        /** Waits until the starting thread, which has the lock, has stored this round. */
        private void awaitTurn() {
            lock.lock();
            try {
                endIfEmpty();
            } finally {
                lock.unlock();
            }
        }

        /** Waits until a time, or until this round has been replaced, or the pool has left it. */
        private void park(long due, @Nullable Entry alone) {
            long left;
            while ((left = due - System.nanoTime()) > 0 && (alone == null ? round == this : belongsTo(alone))) {
                LockSupport.parkNanos(Housekeeper.this, left);
            }
        }

        /** Lists the pools that this round ticks; false once it has been replaced. */
        private boolean takeTurn() {
            lock.lock();
            try {
                if (round != this) {
                    return false;
                }
                keepWatchdog();
                endIfEmpty();
                for (Entry entry : entries) {
                    if (entry.own == null) {
                        mine.add(entry);
                    }
                }
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** Ticks the late pool until a tick is fast, or the pool is gone. Its slow ticks do not count as lateness. */
        private void alone(Entry entry) {
            while (belongsTo(entry)) {
                long due = System.nanoTime() + TICK_NANOS;
                park(due, entry);
                long before = System.nanoTime();
                tick(entry, before - due);
                if (System.nanoTime() - before < TICK_NANOS) {
                    rejoin(entry);
                }
            }
        }

        private boolean belongsTo(Entry entry) {
            return entry.own == this && entry.held.get() != null;
        }

        private void rejoin(Entry entry) {
            lock.lock();
            try {
                Watched pool = entry.held.get();
                if (entry.own != this || pool == null) {
                    return;
                }
                entry.own = null;
                pool.stalled(false);
                if (entry.reported) {
                    entry.reported = false;
                    String line = entry.name + ": monitoring recovered";
                    report(() -> LOG.info("{}", line));
                }
            } finally {
                lock.unlock();
            }
        }

        private void tick(Entry entry, long lateNanos) {
            Watched pool = entry.held.get();
            if (pool == null) {
                return;
            }
            ticks(entry);
            try {
                pool.beat(Math.max(0, lateNanos));
            } catch (Throwable thrown) {
                // Neither a failed tick nor a failing log appender may stop other ticks.
                ignored(pool, thrown);
            } finally {
                ticks(null);
            }
        }

        /** Sets the current pool, under the lock: so the watchdog replaces a live round only during a tick. */
        private void ticks(@Nullable Entry entry) {
            lock.lock();
            try {
                at = entry;
                if (entry != null) {
                    entry.beganNanos = System.nanoTime();
                }
            } finally {
                lock.unlock();
            }
        }

        private void ignored(Watched pool, Throwable thrown) {
            // An appender that throws, or no memory for the line, is ignored: the age of the last tick still shows it.
            String text = "{}: a periodic task failed and runs again in 250 ms";
            Runnable line = () -> LOG.warn(text, pool.name(), PrintableFailure.of(thrown));
            ListenerGuard.thrownBy(Executors.callable(line));
        }
    }
}
