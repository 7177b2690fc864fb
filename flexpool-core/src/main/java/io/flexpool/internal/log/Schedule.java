// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import io.flexpool.spi.DaemonThreads;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that logs a summary of each period for all pools of a class loader: started with the first
 * pool, stopped with the last. Pools are weakly referenced, so that a pool that was never closed can be collected.
 */
final class Schedule {
    static final String THREAD = "flexpool-log";

    static final Schedule SHARED = new Schedule();

    private final ReentrantLock lock = new ReentrantLock();
    private int turns;
    private @Nullable ScheduledThreadPoolExecutor executor;

    private Schedule() {}

    /** Logs a summary of each of the pool's periods until the pool is unregistered or collected. */
    Turns add(LoggedPool pool, Duration period) {
        lock.lock();
        try {
            ScheduledThreadPoolExecutor running = executor;
            if (running == null) {
                running = new ScheduledThreadPoolExecutor(1, work -> DaemonThreads.create(THREAD, work));
                running.setRemoveOnCancelPolicy(true);
                executor = running;
            }
            long nanos = period.toNanos();
            Turns added = new Turns(this, pool);
            // With a fixed delay: after a suspension of the machine, missed periods are not run.
            added.task = running.scheduleWithFixedDelay(added::next, nanos, nanos, TimeUnit.NANOSECONDS);
            turns++;
            return added;
        } finally {
            lock.unlock();
        }
    }

    static final class Turns {
        private final Schedule schedule;
        private final WeakReference<LoggedPool> held;
        private final String name;
        /** Guarded by the schedule's lock; null once ended. */
        private @Nullable Future<?> task;

        private Turns(Schedule schedule, LoggedPool pool) {
            this.schedule = schedule;
            this.held = new WeakReference<>(pool);
            this.name = pool.shownAs();
        }

        private void next() {
            LoggedPool pool = held.get();
            if (pool == null) {
                LoggedPool.forget(name);
                end();
                return;
            }
            try {
                pool.periodEnded();
            } catch (Throwable thrown) {
                // An appender that throws must not end the schedule.
            }
        }

        /** Ends the registration; the thread ends with the last. Further calls have no effect. */
        void end() {
            schedule.lock.lock();
            try {
                if (task == null) {
                    return;
                }
                task.cancel(false);
                task = null;
                schedule.turns--;
                if (schedule.turns == 0 && schedule.executor != null) {
                    schedule.executor.shutdownNow();
                    schedule.executor = null;
                }
            } finally {
                schedule.lock.unlock();
            }
        }
    }
}
