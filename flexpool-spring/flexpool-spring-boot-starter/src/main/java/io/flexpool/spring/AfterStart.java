// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Runs actions once all singletons exist, or at once if they already do. flexpool wraps a pool during the creation of
 * its data source. A request for the meter registry at that point would be a cycle if the registry needs the database.
 */
final class AfterStart implements SmartInitializingSingleton {
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean started;

    /** Runs the action now, or on the thread that creates the last singleton. */
    void run(Runnable task) {
        if (!kept(task)) {
            task.run();
        }
    }

    private boolean kept(Runnable task) {
        lock.lock();
        try {
            return !started && waiting.add(task);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable task = waiting.poll();
            started = task == null;
            return task;
        } finally {
            lock.unlock();
        }
    }
}
