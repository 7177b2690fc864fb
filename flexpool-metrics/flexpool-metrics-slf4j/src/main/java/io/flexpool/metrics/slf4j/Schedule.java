// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.slf4j;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that ends the periods of all pools of a class loader: it begins with the first pool and ends
 * with the last. Pools are held weakly, so that one that was forgotten without a close does not stay.
 */
final class Schedule {
    static final String THREAD = "flexpool-metrics-slf4j";

    private static final Schedule SHARED = new Schedule();

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LoggedPool, Future<?>> pools = new WeakHashMap<>();
    private @Nullable ScheduledThreadPoolExecutor executor;

    private Schedule() {}

    static Schedule shared() {
        return SHARED;
    }

    void add(LoggedPool pool, Duration period) {
        lock.lock();
        try {
            ScheduledThreadPoolExecutor running = executor;
            if (running == null) {
                running = new ScheduledThreadPoolExecutor(1, Schedule::thread);
                running.setRemoveOnCancelPolicy(true);
                executor = running;
            }
            long nanos = period.toNanos();
            // With a delay between: after a suspension of the machine nothing is made up for.
            pools.put(pool, running.scheduleWithFixedDelay(new Turn(this, pool), nanos, nanos, TimeUnit.NANOSECONDS));
        } finally {
            lock.unlock();
        }
    }

    void remove(LoggedPool pool) {
        lock.lock();
        try {
            Future<?> turns = pools.remove(pool);
            if (turns != null) {
                turns.cancel(false);
            }
            endWithTheLast();
        } finally {
            lock.unlock();
        }
    }

    /** Of a pool that was forgotten: the map has lost it already. */
    private void forgotten() {
        lock.lock();
        try {
            endWithTheLast();
        } finally {
            lock.unlock();
        }
    }

    private void endWithTheLast() {
        if (pools.isEmpty() && executor != null) {
            executor.shutdownNow();
            executor = null;
        }
    }

    /** Inherits nothing from the thread that happened to build the first pool. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, THREAD, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    private static final class Turn implements Runnable {
        private final Schedule schedule;
        private final WeakReference<LoggedPool> held;
        private final String name;

        Turn(Schedule schedule, LoggedPool pool) {
            this.schedule = schedule;
            this.held = new WeakReference<>(pool);
            this.name = pool.shownAs();
        }

        @Override
        public void run() {
            LoggedPool pool = held.get();
            if (pool == null) {
                LoggedPool.forget(name);
                schedule.forgotten();
                // Ends these turns; nobody else is told.
                throw new IllegalStateException("the pool was forgotten");
            }
            try {
                pool.periodEnded();
            } catch (Throwable thrown) {
                // An appender that throws must not end the turns.
            }
        }
    }
}
