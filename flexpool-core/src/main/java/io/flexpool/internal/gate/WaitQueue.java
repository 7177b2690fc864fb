// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of a {@link Gate}, oldest first. Removing a waiter from the middle would mean a walk past all older ones,
 * and 10,000 that time out together would walk past each other. Instead, a waiter that has stopped waiting stays in
 * place, is skipped, and is removed together with many others. So the cost of leaving does not depend on the number of
 * waiters, and the queue holds at most a few more than two entries per waiter.
 *
 * <p>One thread removes at a time, without blocking the others.
 */
class WaitQueue implements Iterable<Waiter> {
    /** Fewer stopped waiters are not worth a walk. */
    static final int FEW = 32;

    private static final AtomicIntegerFieldUpdater<WaitQueue> REMOVERS =
            AtomicIntegerFieldUpdater.newUpdater(WaitQueue.class, "removers");

    private final ConcurrentLinkedQueue<Waiter> queue = new ConcurrentLinkedQueue<>();
    /** The number of waiters that have stopped since the queue was last walked. */
    private final AtomicInteger stopped = new AtomicInteger();

    /** 1 while a thread removes, otherwise 0. */
    @SuppressWarnings("unused") // through REMOVERS
    private volatile int removers;

    void add(Waiter waiter) {
        queue.add(waiter);
    }

    /** The oldest waiter; null without one. */
    @Nullable
    Waiter oldest() {
        Waiter first = queue.peek();
        // A stopped waiter may not be removed yet.
        return first == null || first.waits() ? first : firstWaiting(queue.iterator());
    }

    static @Nullable Waiter firstWaiting(Iterator<Waiter> waiters) {
        while (waiters.hasNext()) {
            Waiter waiter = waiters.next();
            if (waiter.waits()) {
                return waiter;
            }
        }
        return null;
    }

    /**
     * A waiter, anywhere in the queue, has stopped waiting.
     *
     * @param waiter the stopped waiter
     * @param waiting the number of waiters now
     */
    void stopped(Waiter waiter, int waiting) {
        int now = stopped.incrementAndGet();
        do {
            if (!REMOVERS.compareAndSet(this, 0, 1)) {
                return;
            }
            try {
                remove(now >= FEW && now >= waiting);
            } finally {
                // A plain store: a call could overflow the stack.
                removers = 0;
            }
            // Other threads that arrived in the meantime did not remove.
        } while (headHasStopped());
    }

    private void remove(boolean all) {
        while (headHasStopped()) {
            // No other thread takes from the head.
            queue.poll();
        }
        if (all) {
            stopped.set(0);
            queue.removeIf(Waiter::settled);
        }
    }

    private boolean headHasStopped() {
        Waiter first = queue.peek();
        return first != null && first.settled();
    }

    /** The waiters, oldest first, including stopped ones. */
    @Override
    public Iterator<Waiter> iterator() {
        return queue.iterator();
    }

    /** Whether the queue has no waiter, not even a stopped one. */
    boolean isEmpty() {
        return queue.isEmpty();
    }
}
