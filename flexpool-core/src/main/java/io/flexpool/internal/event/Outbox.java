// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.internal.shared.DaemonThreads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Events of one pool that wait to be delivered, in the order in which they were raised. To add one takes no lock and calls
 * no foreign code, so that it may be done under a lock and in the loop; to deliver is a step of its own, done by one
 * thread at a time. A delivery that does not return holds up what comes after it, and nothing else: at most
 * {@value #CAPACITY} wait, and what comes on top is dropped and counted.
 */
final class Outbox {
    static final int CAPACITY = 1_000;
    /** A pool's delivering thread ends after so much idle time. */
    private static final int KEPT_SECONDS = 5;

    private static final long RESIGNS_WITHIN_NANOS = 20_000;

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    /** Which thread delivers now; null if none does. */
    private final AtomicReference<Thread> deliverer = new AtomicReference<>();

    private final ThreadPoolExecutor executor;

    Outbox(String pool) {
        // One delivery may be queued behind one that is just about to end and no longer looks for more.
        this.executor = new ThreadPoolExecutor(
                1,
                1,
                KEPT_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(1),
                task -> DaemonThreads.create("flexpool-events-" + pool, task));
        this.executor.allowCoreThreadTimeOut(true);
    }

    /** Adds a delivery, unless too many wait. */
    void add(Runnable delivery) {
        if (size.incrementAndGet() > CAPACITY) {
            size.decrementAndGet();
            dropped.incrementAndGet();
        } else {
            waiting.add(delivery);
        }
    }

    /** Adds a delivery that is never dropped. */
    void addAlways(Runnable delivery) {
        size.incrementAndGet();
        waiting.add(delivery);
    }

    /** Delivers on this thread until nothing waits, unless another thread is doing so. */
    void deliver() {
        Thread self = Thread.currentThread();
        // Again: what was added after the last look and before the end would wait for the next delivery.
        while (!waiting.isEmpty() && deliverer.compareAndSet(null, self)) {
            try {
                Runnable delivery;
                while ((delivery = waiting.poll()) != null) {
                    size.decrementAndGet();
                    delivery.run();
                }
            } finally {
                deliverer.set(null);
            }
        }
    }

    /** Has a thread of its own deliver what waits. */
    void deliverElsewhere() {
        if (!waiting.isEmpty() && deliverer.get() == null) {
            try {
                executor.execute(this::deliver);
            } catch (RejectedExecutionException queuedOrClosed) {
                // A delivery is queued already, or the pool is closed and the thread that raises an event delivers it.
            } catch (OutOfMemoryError noThread) {
                // Nothing is lost: the loop asks again at its next tick.
            }
        }
    }

    /**
     * Has another thread deliver, and waits for it; an interrupt does not shorten the wait.
     *
     * @return false if that took too long
     */
    boolean settle(long atMostNanos) {
        if (deliverer.get() == Thread.currentThread() || (waiting.isEmpty() && deliverer.get() == null)) {
            // Called by a listener: it cannot wait for itself.
            return true;
        }
        CountDownLatch delivered = new CountDownLatch(1);
        addAlways(delivered::countDown);
        deliverElsewhere();
        long end = System.nanoTime() + atMostNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return delivered.await(end - System.nanoTime(), TimeUnit.NANOSECONDS) && resigned(end);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the next event is delivered by the thread that raises it, and not by one that is just about to end. */
    private boolean resigned(long end) {
        while (deliverer.get() != null && waiting.isEmpty() && end - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, RESIGNS_WITHIN_NANOS);
        }
        return true;
    }

    int waiting() {
        return size.get();
    }

    long dropped() {
        return dropped.get();
    }

    /** What waits is still delivered; the thread that does so ends then. */
    void close() {
        executor.shutdown();
    }
}
