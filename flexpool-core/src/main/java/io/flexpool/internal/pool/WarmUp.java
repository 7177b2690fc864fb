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
 * One warm-up: for each connection a thread borrows one, keeps it until all threads have one or the time is over, and
 * gives it back. One thread per connection, because a second request of a thread would be nested. The requests pass the
 * gate like all others, so the limit holds, and each is counted as an acquisition.
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
     * A thread with the caller's class loader, as a request has it. Without a class loader UCP and Atomikos cannot
     * connect, and Vibur, which keeps the first one, would fail every later request of the JVM. The thread ends with
     * the warm-up.
     */
    static Thread thread(String pool, Runnable work) {
        Thread thread = DaemonThreads.create("flexpool-warm-up-" + pool, work);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        return thread;
    }

    /** Returns how many connections were open at once. An interrupt ends the wait, and stays set. */
    int open() {
        long end = System.nanoTime() + withinNanos;
        try {
            for (int at = 0; at < wanted; at++) {
                thread(context.name(), this::borrow).start();
            }
            boolean all = answered.await(withinNanos, TimeUnit.NANOSECONDS);
            int opened = open.get();
            over.countDown();
            // The connections are back when this returns, so that the first requests find them.
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
                // If only the close threw, hold() has counted it already: then the latch is at 0 anyway.
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

    /** Why a connection did not open; null if all did. */
    @Nullable
    String firstFailure() {
        Throwable first = failure.get();
        return first == null
                ? null
                : Secrets.masked(
                        PlainText.line(first.getMessage() == null ? first.toString() : first.getMessage(), LONGEST));
    }
}
