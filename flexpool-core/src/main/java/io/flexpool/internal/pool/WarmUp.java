// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestScope;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.spi.DaemonThreads;
import java.sql.Connection;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One warm-up: as many threads as connections borrow one each, keep it until all have one or the time is over, and give it
 * back. One thread each, because a thread that holds one and asks for the next is a nested request. They ask as every
 * request does, through the gate, so no limit is passed, and each is counted as an acquisition.
 */
final class WarmUp {
    private static final int LONGEST = 200;

    private final PoolContext context;
    private final int wanted;
    private final long withinNanos;
    private final Callable<Connection> pool;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final CountDownLatch answered;
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch ended;

    WarmUp(PoolContext context, int wanted, long withinNanos, Callable<Connection> pool) {
        this.context = context;
        this.wanted = wanted;
        this.withinNanos = withinNanos;
        this.pool = pool;
        this.answered = new CountDownLatch(wanted);
        this.ended = new CountDownLatch(wanted);
    }

    /**
     * With the class loader of the thread that asks, as a request has it. Without one UCP and Atomikos do not connect, and
     * Vibur, which keeps the first one that it sees, serves no request of the JVM any more. The thread ends with the warm-up.
     */
    static Thread thread(String pool, Runnable work) {
        Thread thread = DaemonThreads.create("flexpool-warm-up-" + pool, work);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        return thread;
    }

    /** Returns how many were open at once. An interrupt ends the wait, and stays set. */
    int open() {
        long end = System.nanoTime() + withinNanos;
        try {
            for (int at = 0; at < wanted; at++) {
                thread(context.name(), this::borrow).start();
            }
            boolean all = answered.await(withinNanos, TimeUnit.NANOSECONDS);
            int opened = open.get();
            over.countDown();
            // They are given back when this returns, so that the first requests find them.
            while (all && ended.getCount() > 0 && end - System.nanoTime() > 0) {
                all = !ended.await(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
            return opened;
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
            return open.get();
        } catch (OutOfMemoryError noThread) {
            failure.compareAndSet(null, noThread);
            return open.get();
        } finally {
            over.countDown();
        }
    }

    private void borrow() {
        RequestScope scope = RequestScope.open(null, null, withinNanos);
        try {
            Throwable thrown = ListenerGuard.thrownBy(this::hold);
            if (thrown != null) {
                failure.compareAndSet(null, thrown);
                // Of one whose close throws it has been counted before: then all have answered.
                answered.countDown();
            }
        } finally {
            scope.close();
            ended.countDown();
        }
    }

    private @Nullable Object hold() throws Exception {
        try (Connection connection = pool.call()) {
            if (connection != null) {
                open.incrementAndGet();
            }
            answered.countDown();
            over.await();
        }
        return null;
    }

    /** Why one of them did not open; null if all did. */
    @Nullable
    String firstFailure() {
        Throwable first = failure.get();
        return first == null
                ? null
                : Secrets.masked(
                        PlainText.line(first.getMessage() == null ? first.toString() : first.getMessage(), LONGEST));
    }
}
