// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.internal.event.PrintableFailure;
import io.flexpool.internal.shared.DaemonThreads;
import io.flexpool.internal.shared.Words;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
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
    /** A tick that takes longer is logged. */
    static final long REPORT_NANOS = 1_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Housekeeper SHARED = new Housekeeper();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Entry> entries = new ArrayList<>();
    /** What the watchdog found: logged by the ticking thread, for a log may block. */
    private final WatchLog reports = new WatchLog();

    private @Nullable Thread watchdog;
    private @Nullable Round round;

    Housekeeper() {}

    static Housekeeper shared() {
        return SHARED;
    }

    /** What is ticked. */
    interface Watched {
        String name();

        /**
         * One tick.
         *
         * @param lateNanos how much later than due it comes
         */
        void beat(long lateNanos);

        /** Whether the tick that runs now has taken too long, so that the pool is left to its own thread. */
        void leftAlone(boolean alone);
    }

    /** One pool, and which thread ticks it. Under the lock, apart from {@link #lastNanos}, which is the ticking thread's. */
    private static final class Entry {
        private final WeakReference<Watched> held;
        private final String name;
        /** When its last tick began. */
        private long lastNanos;
        /** Whether a tick runs, and since when. */
        private boolean ticking;

        private long sinceNanos;
        /** Whether the log says that it hangs. */
        private boolean reported;
        /** The thread that was left to it; null if the round ticks it. */
        private @Nullable Thread own;

        Entry(Watched watched, long nowNanos) {
            this.held = new WeakReference<>(watched);
            this.name = watched.name();
            this.lastNanos = nowNanos;
        }
    }

    void add(Watched pool) {
        lock.lock();
        try {
            if (entries.isEmpty()) {
                entries.add(new Entry(reports, System.nanoTime()));
            }
            entries.add(new Entry(pool, System.nanoTime()));
            if (round == null || !round.thread.isAlive()) {
                Round fresh = new Round();
                fresh.thread.start();
                round = fresh;
            }
            keepWatchdog();
        } finally {
            lock.unlock();
        }
    }

    void remove(Watched pool) {
        lock.lock();
        try {
            entries.removeIf(entry -> entry.held.get() == pool);
            endIfEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. Forgotten pools go; after the last one the threads end. */
    private void endIfEmpty() {
        entries.removeIf(entry -> entry.held.get() == null);
        if (entries.size() > 1 || (entries.size() == 1 && entries.get(0).held.get() != reports)) {
            return;
        }
        entries.clear();
        if (round != null) {
            LockSupport.unpark(round.thread);
            round = null;
        }
        if (watchdog != null) {
            LockSupport.unpark(watchdog);
            watchdog = null;
        }
    }

    /** Under the lock. */
    private void keepWatchdog() {
        if (watchdog != null && watchdog.isAlive()) {
            return;
        }
        Thread fresh = DaemonThreads.create("flexpool-watchdog", this::watch);
        watchdog = fresh;
        try {
            fresh.start();
        } catch (OutOfMemoryError noThread) {
            // The ticking thread tries again with each tick, and must not end because of that.
            watchdog = null;
        }
    }

    // ---- the watchdog ----

    private void watch() {
        boolean pardoned = false;
        boolean on = true;
        while (on) {
            long before = System.nanoTime();
            LockSupport.parkNanos(this, TICK_NANOS);
            // After a pause of the machine the ticking thread is late through no fault of its own.
            pardoned = !pardoned && System.nanoTime() - before > 2 * TICK_NANOS;
            try {
                on = watching();
                if (on && !pardoned) {
                    look(System.nanoTime());
                }
            } catch (Throwable noMemory) {
                // Nor a thread: the next look may have more luck.
                pardoned = true;
            }
        }
    }

    private boolean watching() {
        lock.lock();
        try {
            return watchdog == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    private void look(long nowNanos) {
        lock.lock();
        try {
            endIfEmpty();
            Round now = round;
            if (now == null) {
                return;
            }
            Entry at = now.at;
            if (!now.thread.isAlive()) {
                handOver(now, null);
            } else if (at != null && nowNanos - at.sinceNanos >= TICK_NANOS) {
                handOver(now, at);
            }
            entries.forEach(entry -> lookAt(entry, nowNanos));
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. The round goes on in a fresh thread; if there is none to be had, nothing has changed. */
    private void handOver(Round late, @Nullable Entry left) {
        Round fresh = new Round();
        fresh.thread.start();
        round = fresh;
        if (left != null) {
            left.own = late.thread;
            late.thread.setName("flexpool-loop-" + left.name);
            Watched pool = left.held.get();
            if (pool != null) {
                pool.leftAlone(true);
            }
        }
    }

    /** Under the lock. */
    private void lookAt(Entry entry, long nowNanos) {
        Thread own = entry.own;
        if (own == null) {
            return;
        }
        if (!own.isAlive()) {
            entry.own = null;
        } else if (!entry.reported && entry.ticking && nowNanos - entry.sinceNanos >= REPORT_NANOS) {
            entry.reported = true;
            reports.add(entry.name + ": the watch over this pool has hung for "
                    + Words.millis(nowNanos - entry.sinceNanos) + place(own)
                    + "; until that returns its figures stand still and nothing is decided about its size. "
                    + "Other pools are watched as before");
        }
    }

    /** Where a thread hangs, as far as it can be seen; JDK frames say less than the first one of another. */
    private static String place(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String type = frame.getClassName();
            if (!Words.ofTheJdk(type)) {
                return " in " + type + "." + frame.getMethodName() + "()";
            }
        }
        return "";
    }

    // ---- the ticking threads ----

    /** One thread's turn at ticking all pools; after it has been replaced, at ticking the one that it was late with. */
    private final class Round {
        private final Thread thread = DaemonThreads.create("flexpool-loop", this::run);
        /** What is being ticked. Under the lock. */
        private @Nullable Entry at;

        private void run() {
            long due = System.nanoTime();
            while (mine()) {
                for (Entry entry : current()) {
                    tick(entry, System.nanoTime() - entry.lastNanos - TICK_NANOS);
                    if (!mine()) {
                        alone(entry);
                        return;
                    }
                }
                // Ticks are aligned: a late one is not made up for by a hurried one.
                long now = System.nanoTime();
                do {
                    due += TICK_NANOS;
                } while (due - now <= 0);
                park(due, this::mine);
            }
        }

        private void park(long due, BooleanSupplier still) {
            long left;
            while ((left = due - System.nanoTime()) > 0 && still.getAsBoolean()) {
                LockSupport.parkNanos(Housekeeper.this, left);
            }
        }

        private boolean mine() {
            lock.lock();
            try {
                if (round != this) {
                    return false;
                }
                keepWatchdog();
                return true;
            } finally {
                lock.unlock();
            }
        }

        private List<Entry> current() {
            lock.lock();
            try {
                endIfEmpty();
                return entries.stream().filter(entry -> entry.own == null).toList();
            } finally {
                lock.unlock();
            }
        }

        /** The pool whose tick was late, until one is quick again, or the pool has gone. What the pool took is no pause. */
        private void alone(Entry entry) {
            while (belongsTo(entry)) {
                long due = System.nanoTime() + TICK_NANOS;
                park(due, () -> belongsTo(entry));
                long before = System.nanoTime();
                tick(entry, before - due);
                if (System.nanoTime() - before < TICK_NANOS) {
                    rejoin(entry);
                }
            }
        }

        private boolean belongsTo(Entry entry) {
            lock.lock();
            try {
                return entry.own == thread && entries.contains(entry);
            } finally {
                lock.unlock();
            }
        }

        private void rejoin(Entry entry) {
            lock.lock();
            try {
                if (entry.own != thread) {
                    return;
                }
                entry.own = null;
                Watched pool = entry.held.get();
                if (pool != null) {
                    pool.leftAlone(false);
                }
                if (entry.reported) {
                    entry.reported = false;
                    reports.add(entry.name + ": is watched again");
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
            entry.lastNanos = System.nanoTime();
            begin(entry);
            try {
                pool.beat(Math.max(0, lateNanos));
            } catch (Throwable thrown) {
                // One pool's tick must not stop the others', nor its own next one; neither must the log.
                ignored(pool, thrown);
            } finally {
                end(entry);
            }
        }

        private void begin(Entry entry) {
            lock.lock();
            try {
                at = entry;
                entry.ticking = true;
                entry.sinceNanos = entry.lastNanos;
            } finally {
                lock.unlock();
            }
        }

        /** In one step with the look that the watchdog takes: either it has replaced this thread by now, or it does not. */
        private void end(Entry entry) {
            lock.lock();
            try {
                at = null;
                entry.ticking = false;
            } finally {
                lock.unlock();
            }
        }

        private void ignored(Watched pool, Throwable thrown) {
            try {
                LOG.warn("{}: a tick threw and was ignored", pool.name(), PrintableFailure.of(thrown));
            } catch (Throwable alsoThrown) {
                // An appender that throws, or no memory for the line. The age of the last tick still shows it.
                return;
            }
        }
    }
}
