// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.internal.gate.Gate.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait at a {@link Gate}, oldest first. Nobody is taken out from the middle, which would be a walk past all who
 * came before: who no longer hopes for a permit stays where it is, is passed over, and is forgotten with many others. So
 * leaving costs the same however many wait, and no more are remembered than twice as many as wait, and a few.
 *
 * <p>Forgetting is one thread's at a time; the others go on meanwhile.
 */
final class WaitQueue {
    /** Fewer that no longer hope are not worth a walk. */
    private static final int FEW = 32;

    private static final VarHandle FORGETTING;

    static {
        try {
            FORGETTING = MethodHandles.lookup().findVarHandle(WaitQueue.class, "forgetting", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ConcurrentLinkedQueue<Waiter> queue = new ConcurrentLinkedQueue<>();
    /** How many have stopped to hope since the queue was last walked. */
    private final AtomicInteger stopped = new AtomicInteger();

    @SuppressWarnings("unused") // through FORGETTING
    private volatile boolean forgetting;

    void add(Waiter waiter) {
        queue.add(waiter);
    }

    /** The oldest who hopes for a permit; null if nobody does. */
    @Nullable
    Waiter oldest() {
        Waiter first = queue.peek();
        return first == null || first.hopes() ? first : oldestBehind();
    }

    /** The first one has stopped to hope, and nobody has forgotten it yet. */
    private @Nullable Waiter oldestBehind() {
        for (Waiter waiter : queue) {
            if (waiter.hopes()) {
                return waiter;
            }
        }
        return null;
    }

    /**
     * Somebody has stopped to hope, who stands at the head or anywhere.
     *
     * @param waiting how many wait now
     */
    void stopped(int waiting) {
        int now = stopped.incrementAndGet();
        do {
            if (!FORGETTING.compareAndSet(this, false, true)) {
                return;
            }
            try {
                forget(now >= FEW && now >= waiting);
            } finally {
                // Not a call: there may be no stack left for one.
                forgetting = false;
            }
            // Whoever came by in the meantime has gone on.
        } while (headHasStopped());
    }

    private void forget(boolean all) {
        while (headHasStopped()) {
            // Nobody else takes from the head.
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

    /** Passes each waiter that still waits to an action, oldest first. */
    void forEachWaiting(Consumer<Waiter> action) {
        for (Waiter waiter : queue) {
            if (waiter.hopes()) {
                action.accept(waiter);
            }
        }
    }

    /** Passes each waiter to an action that waits no longer and is still counted. */
    void forEachUnsettled(Consumer<Waiter> action) {
        for (Waiter waiter : queue) {
            if (!waiter.hopes() && !waiter.settled()) {
                action.accept(waiter);
            }
        }
    }

    /** How many are remembered, whether they hope or not, counted one after the other. */
    int remembered() {
        return queue.size();
    }
}
