// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the pool calls that may block (opening and closing connections), one at a time and on a thread that only exists
 * while there is something to do. A second call while one runs is dropped: the loop asks again at its next tick.
 */
final class Helper {
    private final GuardedListeners guard;
    private final ThreadPoolExecutor executor;

    Helper(String pool, GuardedListeners guard) {
        this.guard = guard;
        this.executor = new ThreadPoolExecutor(0, 1, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(null, task, "flexpool-helper-" + pool, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            return thread;
        });
    }

    /**
     * Runs a call, unless one is running.
     *
     * @return false if it was dropped
     */
    boolean run(String what, Runnable call) {
        try {
            executor.execute(() -> guard.guard("the adapter's " + what, call));
            return true;
        } catch (RejectedExecutionException busyOrClosed) {
            return false;
        }
    }

    boolean busy() {
        return executor.getActiveCount() > 0;
    }

    /** Interrupts what runs, and runs nothing more. */
    void close() {
        executor.shutdownNow();
    }
}
