// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.spi.DaemonThreads;
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
 * The queue of one pool's undelivered events, in the order in which they were raised. Adding takes no lock and calls no
 * foreign code, so it is allowed under a lock and in the tick; delivery is a separate step, by one thread at a time. A
 * delivery that does not return delays only later events: at most {@value #CAPACITY} wait, later ones are dropped and
 * counted.
 */
public final class Outbox {
    static final int CAPACITY = 1_000;
    /** Idle time after which a pool's delivering thread ends. */
    private static final int KEPT_SECONDS = 5;

    private static final long RESIGNS_WITHIN_NANOS = 20_000;

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    /** The delivering thread; null without one. */
    private final AtomicReference<Thread> deliverer = new AtomicReference<>();

    private final ThreadPoolExecutor executor;

    /** Creates an empty queue; its delivering thread has the pool's name. */
    public Outbox(String pool) {
        // One delivery may be queued behind a delivery that is about to end and polls no more.
        this.executor = new ThreadPoolExecutor(
                1,
                1,
                KEPT_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(1),
                DaemonThreads.named("flexpool-events-" + pool));
        this.executor.allowCoreThreadTimeOut(true);
    }

    /** Adds a delivery, unless too many wait. */
    public void add(Runnable delivery) {
        if (size.incrementAndGet() > CAPACITY) {
            size.decrementAndGet();
            dropped.incrementAndGet();
        } else {
            queue(delivery);
        }
    }

    /** Adds a delivery that is never dropped. */
    void addAlways(Runnable delivery) {
        size.incrementAndGet();
        queue(delivery);
    }

    private void queue(Runnable delivery) {
        boolean queued = false;
        try {
            queued = waiting.add(delivery);
        } finally {
            if (!queued) {
                // Out of memory: free the place again, which would be lost for good.
                size.decrementAndGet();
            }
        }
    }

    /** Delivers on this thread until the queue is empty, unless another thread is delivering. */
    void deliver() {
        Thread self = Thread.currentThread();
        // Again: an event added after the last poll and before the end would wait for the next delivery.
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

    /** Delivers on a separate thread. */
    public void deliverElsewhere() {
        if (!waiting.isEmpty() && deliverer.get() == null) {
            try {
                executor.execute(this::deliver);
            } catch (RejectedExecutionException queuedOrClosed) {
                // A delivery is queued already, or the pool is closed and the thread that raises an event delivers it.
            } catch (OutOfMemoryError noThread) {
                // No event is lost: the next tick tries again.
            }
        }
    }

    /** Delivers on another thread and waits; an interrupt does not shorten the wait. False if the time is over. */
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

    /**
     * Waits until the delivering thread has ended, so that the next event is delivered by the thread that raises it.
     */
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

    /** Ends the delivering thread once the queue is empty. */
    void close() {
        executor.shutdown();
    }
}
