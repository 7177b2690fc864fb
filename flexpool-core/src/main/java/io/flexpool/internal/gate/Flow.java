// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Waiters of one class, or of one of its tenants, oldest first, after waiters that joined while the class was
 * {@linkplain ControlledDelay shed}, newest first. Thread-safe.
 */
final class Flow extends WaitQueue {
    private final ConcurrentLinkedDeque<Waiter> newest = new ConcurrentLinkedDeque<>();
    /** The number of these waiters that have stopped since the last walk. */
    private final AtomicInteger stoppedNewest = new AtomicInteger();

    @Override
    void add(Waiter waiter) {
        if (((ClassWaiter) waiter).shed()) {
            newest.addFirst(waiter);
        } else {
            super.add(waiter);
        }
    }

    /** The waiter to serve next; null without one. */
    @Nullable
    ClassWaiter next() {
        Waiter shed = newest.peekFirst();
        if (shed != null && !shed.waits()) {
            shed = firstWaiting(newest.iterator());
        }
        return (ClassWaiter) (shed == null ? super.oldest() : shed);
    }

    @Override
    @Nullable
    Waiter oldest() {
        Waiter shed = newest.peekLast();
        if (shed != null && !shed.waits()) {
            shed = firstWaiting(newest.descendingIterator());
        }
        return ClassQueues.older(shed, super.oldest());
    }

    @Override
    void stopped(Waiter waiter, int waiting) {
        if (!((ClassWaiter) waiter).shed()) {
            super.stopped(waiter, waiting);
        } else {
            int now = stoppedNewest.incrementAndGet();
            // Concurrent walks are harmless: each removes stopped waiters.
            if (now >= FEW && now >= waiting) {
                stoppedNewest.set(0);
                newest.removeIf(Waiter::settled);
            }
        }
    }

    @Override
    public Iterator<Waiter> iterator() {
        if (newest.isEmpty()) {
            return super.iterator();
        }
        List<Waiter> all = new ArrayList<>(newest);
        super.iterator().forEachRemaining(all::add);
        return all.iterator();
    }

    @Override
    boolean isEmpty() {
        return newest.isEmpty() && super.isEmpty();
    }
}
