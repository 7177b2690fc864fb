// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.spi.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call into the pool that may never return, because many pools hold their own lock while they connect: the caller
 * waits for a bounded time, and the call continues on a separate thread. Thread-safe.
 */
public final class BoundedCall {
    private BoundedCall() {}

    /**
     * Runs a call with the caller's context class loader. An interrupt of the caller interrupts the call and stays set.
     *
     * @param late run on the call's thread if the call ends after the caller's wait
     * @return whether the call has returned in time
     */
    public static boolean run(String thread, Duration within, Callable<?> call, Runnable late) throws Exception {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        // No CompletableFuture: its get() runs other tasks on a thread of the common pool, and unwraps exceptions.
        FutureTask<?> task = new FutureTask<>(call);
        Thread runner;
        try {
            runner = DaemonThreads.create(thread, () -> {
                Thread.currentThread().setContextClassLoader(loader);
                task.run();
                if (task.isCancelled()) {
                    late.run();
                }
            });
            runner.start();
        } catch (OutOfMemoryError noThread) {
            call.call();
            return true;
        }
        return await(task, runner, within.toNanos());
    }

    private static boolean await(FutureTask<?> task, Thread runner, long nanos) throws Exception {
        boolean interrupted = false;
        long end = System.nanoTime() + nanos;
        try {
            while (true) {
                try {
                    task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (TimeoutException over) {
                    // Without an interrupt. Has no effect if the call has returned in this moment.
                    if (task.cancel(false)) {
                        return false;
                    }
                } catch (InterruptedException enough) {
                    interrupted = true;
                    runner.interrupt();
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof Error error) {
                        throw error;
                    }
                    throw (Exception) failed.getCause();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
