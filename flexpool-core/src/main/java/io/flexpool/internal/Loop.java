// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one daemon thread that watches all pools of a class loader: it begins with the first pool and ends with the last.
 * It only reads and decides; whatever may block runs on a pool's {@link Helper}. Pools are held weakly, so that one
 * that was forgotten without a close does not stay.
 */
final class Loop {
    /** The controller's tick. */
    static final long TICK_NANOS = 250_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Loop SHARED = new Loop();

    private final ReentrantLock lock = new ReentrantLock();
    private final List<WeakReference<MonitoredPool>> pools = new ArrayList<>();
    private @Nullable Thread thread;

    private Loop() {}

    static Loop shared() {
        return SHARED;
    }

    void add(MonitoredPool pool) {
        lock.lock();
        try {
            pools.add(new WeakReference<>(pool));
            if (thread == null) {
                begin();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. The thread inherits nothing from the one that happened to build the first pool. */
    private void begin() {
        Thread fresh = new Thread(null, this::run, "flexpool-loop", 0, false);
        fresh.setDaemon(true);
        fresh.setContextClassLoader(null);
        fresh.start();
        thread = fresh;
    }

    void remove(MonitoredPool pool) {
        lock.lock();
        try {
            pools.removeIf(held -> held.get() == pool || held.get() == null);
            if (pools.isEmpty() && thread != null) {
                LockSupport.unpark(thread);
                thread = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            tickWhileThereArePools();
        } finally {
            lock.lock();
            try {
                if (thread == Thread.currentThread()) {
                    // Only an Error leads here. The next pool that is wrapped begins anew.
                    thread = null;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void tickWhileThereArePools() {
        long due = System.nanoTime();
        while (mine()) {
            for (MonitoredPool pool : current()) {
                try {
                    pool.tick();
                } catch (Throwable thrown) {
                    // One pool's tick must not stop the others', nor its own next one.
                    LOG.warn("{}: a tick threw and was ignored", pool.name(), thrown);
                }
            }
            // Ticks are aligned: a late one is not made up for by a hurried one.
            long now = System.nanoTime();
            do {
                due += TICK_NANOS;
            } while (due - now <= 0);
            long left;
            while ((left = due - System.nanoTime()) > 0 && mine()) {
                LockSupport.parkNanos(this, left);
            }
        }
    }

    /** Whether the current thread is still the one that should run. */
    private boolean mine() {
        lock.lock();
        try {
            pools.removeIf(held -> held.get() == null);
            if (pools.isEmpty() && thread == Thread.currentThread()) {
                thread = null;
            }
            return thread == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    private List<MonitoredPool> current() {
        lock.lock();
        try {
            List<MonitoredPool> live = new ArrayList<>(pools.size());
            for (WeakReference<MonitoredPool> held : pools) {
                MonitoredPool pool = held.get();
                if (pool != null) {
                    live.add(pool);
                }
            }
            return live;
        } finally {
            lock.unlock();
        }
    }
}
