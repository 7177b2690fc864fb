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
 * Watches all pools of a class loader, from the first pool to the last. One daemon thread ticks them all, one after the
 * other; a second one, the watchdog, sees to it that there is such a thread. Pools are held weakly, so that one that was
 * forgotten without a close does not stay.
 *
 * <p>A tick calls foreign code: the pool's own methods, a log appender. If one pool's tick takes longer than
 * {@link #TICK_NANOS}, the watchdog gives the round to a fresh thread and leaves the late one to that pool alone: it ticks
 * only this pool until a tick is quick again, and ends then. So a pool that hangs costs the others one tick, once, and
 * holds one thread, however often it hangs. The watchdog itself calls nothing foreign, logs nothing, and is replaced by the
 * ticking thread should it have died; a ticking thread that died is replaced by the watchdog.
 *
 * <p>Who ticks what is decided under the lock, which is never held during a tick.
 */
final class Housekeeper {
    /** The controller's tick. */
    static final long TICK_NANOS = 250_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    static final Housekeeper SHARED = new Housekeeper();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Entry> entries = new ArrayList<>();
    /** What the watchdog found: logged by a thread of its own, for a log may block. */
    private final Outbox reports = new Outbox("flexpool");
    /** Written under the lock, as is the round. */
    private volatile @Nullable Thread watchdog;

    private volatile @Nullable Round round;

    /** What is ticked. */
    interface Watched {
        String name();

        /** One tick, so much later than due. */
        void beat(long lateNanos);

        /** Whether the tick that runs now has taken too long, so that the pool is left to its own thread. */
        void leftAlone(boolean alone);
    }

    /** One pool, and which thread ticks it. Changed under the lock. */
    private static final class Entry {
        /** Cleared when the pool is removed. */
        private final WeakReference<Watched> held;

        private final String name;
        /** When its last tick began. */
        private volatile long beganNanos = System.nanoTime();

        private final long addedNanos = beganNanos;
        /** Whether the log says that it hangs. */
        private boolean reported;
        /** The former round whose thread was left to it; null if the round ticks it. */
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
                // Its first tick comes after a tick, and not beside the first calls.
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

    /** Under the lock. Forgotten pools go; after the last one the threads end. */
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

    /** Under the lock. If there is no thread to be had, nothing has changed. */
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
            // The ticking thread tries again with each tick, and must not end because of that.
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
                // After a pause of the machine the ticking thread is late through no fault of its own.
                pardoned = !pardoned && System.nanoTime() - before > 2 * TICK_NANOS;
                try {
                    if (!pardoned) {
                        look();
                    }
                } catch (Throwable noMemory) {
                    // Nor a thread: the next look may have more luck.
                    pardoned = true;
                }
            }
        }
    }

    private void look() {
        lock.lock();
        try {
            look(System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private void look(long nowNanos) {
        endIfEmpty();
        Round now = round;
        if (now == null) {
            return;
        }
        Entry at = now.at;
        if (!now.thread.isAlive()) {
            startRound(nowNanos);
        } else if (at != null && nowNanos - at.beganNanos >= TICK_NANOS) {
            startRound(nowNanos);
            at.own = now;
            now.thread.setName("flexpool-loop-" + at.name);
            Watched pool = at.held.get();
            if (pool != null) {
                pool.leftAlone(true);
            }
        }
        for (Entry entry : entries) {
            lookAt(entry, nowNanos);
        }
    }

    /** Under the lock. */
    private void lookAt(Entry entry, long nowNanos) {
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
                        + ". The pool's metrics are stale and its size does not change. Other pools are not"
                        + " affected.";
                report(() -> LOG.warn("{}", line));
            }
        }
    }

    private void report(Runnable line) {
        // An appender that throws is ignored: the age of the pool's last tick still shows it.
        reports.add(() -> ListenerGuard.thrownBy(Executors.callable(line)));
    }

    // ---- the ticking threads ----

    /** One thread's turn at ticking all pools; after it has been replaced, at ticking the one that it was late with. */
    private final class Round implements Runnable {
        private final Thread thread = DaemonThreads.create("flexpool-loop", this);
        /** What the last turn ticked: the list that the next one fills anew. Used by the thread alone. */
        private final List<Entry> mine = new ArrayList<>();

        private final long firstDueNanos;
        /** What is being ticked. Under the lock. */
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
                // Ticks are aligned: a late one is not made up for by a hurried one.
                long now = System.nanoTime();
                do {
                    due += TICK_NANOS;
                } while (due - now <= 0);
                reports.deliverElsewhere();
                mine.clear();
                park(due, null);
            }
        }

        /** Until the thread that starts this one, under the lock, has made it the round. */
        private void awaitTurn() {
            lock.lock();
            try {
                endIfEmpty();
            } finally {
                lock.unlock();
            }
        }

        /** Until a time, or until this round has been replaced, or one pool has left it. */
        private void park(long due, @Nullable Entry alone) {
            long left;
            while ((left = due - System.nanoTime()) > 0 && (alone == null ? round == this : belongsTo(alone))) {
                LockSupport.parkNanos(Housekeeper.this, left);
            }
        }

        /** Lists what this round ticks; false once it has been replaced. */
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

        /** The pool whose tick was late, until one is quick again, or the pool has gone. What the pool took is no pause. */
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
                pool.leftAlone(false);
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
                // One pool's tick must not stop the others', nor its own next one; neither must the log.
                ignored(pool, thrown);
            } finally {
                ticks(null);
            }
        }

        /** In one step with the look that the watchdog takes: at the end either it has replaced this round, or it does not. */
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
            ListenerGuard.thrownBy(() -> {
                LOG.warn(
                        "{}: a periodic task failed and runs again in 250 ms",
                        pool.name(),
                        PrintableFailure.of(thrown));
                return null;
            });
        }
    }
}
