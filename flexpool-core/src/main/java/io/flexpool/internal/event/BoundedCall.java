// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.spi.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call into the pool that may never return, because many pools hold their own lock while they connect: the caller
 * waits for a bounded time, and the call continues on a separate thread. Thread-safe.
 */
public final class BoundedCall {
    private enum State {
        RUNNING,
        RETURNED,
        GIVEN_UP
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private final Callable<?> call;
    private final Runnable late;
    /** The call's exception; written by its thread before that ends. */
    private volatile @Nullable Throwable thrown;

    private BoundedCall(Callable<?> call, Runnable late) {
        this.call = call;
        this.late = late;
    }

    /**
     * Runs a call with the caller's context class loader. An interrupt of the caller interrupts the call and stays set.
     *
     * @param thread the name of the call's thread
     * @param late run on the call's thread if the call ends after the caller's wait
     * @return whether the call has returned in time
     * @throws Exception an exception that the call threw in time
     */
    public static boolean run(String thread, Duration within, Callable<?> call, Runnable late) throws Exception {
        BoundedCall bounded = new BoundedCall(call, late);
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Thread runner;
        try {
            runner = DaemonThreads.create(thread, () -> {
                Thread.currentThread().setContextClassLoader(loader);
                bounded.call();
            });
            runner.start();
        } catch (OutOfMemoryError noThread) {
            call.call();
            return true;
        }
        return bounded.await(runner, within.toNanos());
    }

    private void call() {
        thrown = ListenerGuard.thrownBy(call);
        if (!state.compareAndSet(State.RUNNING, State.RETURNED)) {
            late.run();
        }
    }

    private boolean await(Thread runner, long nanos) throws Exception {
        boolean interrupted = false;
        long end = System.nanoTime() + nanos;
        try {
            while (state.get() == State.RUNNING && runner.isAlive()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                try {
                    // Zero would mean no limit.
                    runner.join(Math.max(1, Duration.ofNanos(left).toMillis()));
                } catch (InterruptedException enough) {
                    interrupted = true;
                    runner.interrupt();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (state.compareAndSet(State.RUNNING, State.GIVEN_UP)) {
            return false;
        }
        Throwable failed = thrown;
        if (failed instanceof Error error) {
            throw error;
        }
        if (failed != null) {
            throw (Exception) failed;
        }
        return true;
    }
}
