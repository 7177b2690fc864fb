// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The permits of a {@link Gate}: their number, and how many are in use. A superclass, so that a request that need not
 * wait reads the memory of one object only: a separate object would cost two more loads.
 */
abstract class GatePermits extends GateRightPad {
    private static final long USED = 1L;
    private static final int SHIFT = 32;
    private static final long WAITING = 1L << SHIFT;
    /** The numbers of two classes, which different threads write, are two cache lines apart. */
    private static final int APART = 32;
    /** A permit that is counted for no class yet. */
    private static final int UNCOUNTED = -2;

    private static final VarHandle COUNTS;
    private static final VarHandle MOST_WAITING;

    static {
        try {
            COUNTS = MethodHandles.lookup().findVarHandle(GateCounts.class, "counts", long.class);
            MOST_WAITING = MethodHandles.lookup().findVarHandle(GatePermits.class, "mostWaiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Permits while the gate is open. */
    static final int ALL = 1 << 30;

    private volatile int limit;
    /** Connections borrowed without the gate. Written by the tick only. */
    private volatile int foreign;
    /** Whether all requests may pass. */
    private volatile boolean open;
    /** Permits without a holder that were never released. Written by the tick only. */
    private volatile int writtenOff;
    /** Whether no request may pass. */
    private volatile boolean paused;
    /** The number of permits if the gate were not paused. */
    private volatile int permitsIfResumed;
    /** Derived from the fields above. */
    volatile int permits;

    /** The most requests that waited at once since the last tick. Rarely written by two threads at once. */
    private volatile int mostWaiting;

    private final ReentrantLock writing = new ReentrantLock();
    /** Set before the pool is used. */
    ParkedPermits parked = ParkedPermits.NONE;

    final WaitLine line;
    /** Whether permits are counted by class too. */
    private final boolean classed;
    /**
     * Permits in use by each class, parked ones included. Changed inline, without a call of a flexpool method. An Error
     * in such a call, after a permit was taken from the word or returned to it, would make the two numbers differ.
     */
    private final AtomicIntegerArray usedByClass;

    GatePermits(int limit, WaitLine line) {
        this.limit = limit;
        this.permits = limit;
        this.permitsIfResumed = limit;
        this.line = line;
        this.classed = line.classes() > 0;
        this.usedByClass = new AtomicIntegerArray(classed ? (line.classes() + 1) * APART : 0);
    }

    /** Sets where permits are parked. Called once, before the first request. */
    public final void setParking(ParkedPermits slots) {
        parked = slots;
    }

    /** Gives free permits to waiters. */
    abstract void serve(long nowNanos, boolean now, long leaseNanos);

    /** Gives free permits to waiters, even if newcomers may pass them. */
    final void serve(long nowNanos) {
        serve(nowNanos, true, 0);
    }

    /** Called when a permit has become free that a waiter may have missed. */
    final void freed(long nowNanos) {
        if (waiting(counts) > 0) {
            serve(nowNanos, false, Long.MAX_VALUE);
        }
    }

    // ---- how many there are ----

    /** Sets the limit. Serves waiters that now get a permit; leases beyond a lower limit stay open. */
    public final void limit(int newLimit, long nowNanos) {
        change(() -> limit = newLimit);
        serve(nowNanos);
    }

    /** Sets the connections borrowed without the gate: they use permits, because they occupy the pool. */
    public final void foreign(int connections, long nowNanos) {
        if (connections != foreign) {
            change(() -> foreign = connections);
            serve(nowNanos);
        }
    }

    /** Lets all requests pass, now and later. They are still counted. */
    public final void open(long nowNanos) {
        change(() -> open = true);
        serve(nowNanos);
    }

    /** Applies the limit again after {@link #open}. Leases beyond the limit stay open. */
    public final void shut() {
        change(() -> open = false);
    }

    /**
     * Stops all requests, even with free permits, or ends this pause. Waiters keep their place in the queue, and
     * permits in use stay with their holders. The limit is unchanged.
     */
    public final void pause(boolean begins, long nowNanos) {
        change(() -> paused = begins);
        serve(nowNanos);
    }

    /** Takes a free permit although the gate is paused: for a thread with a permit that other requests wait for. */
    public final boolean tryEnterPaused(long nowNanos, int requestClass) {
        // Permits that were parked before the pause count as used.
        removeSurplus();
        return reserve(requestClass, false, true, nowNanos);
    }

    /** Whether no request may pass. */
    final boolean paused() {
        return paused;
    }

    /** Whether all requests may pass. */
    final boolean opened() {
        return permitsIfResumed == ALL;
    }

    /** Rare, so locked: two concurrent writers could leave a wrong sum. */
    private void change(Runnable one) {
        writing.lock();
        try {
            one.run();
            permitsIfResumed = open ? ALL : limit - foreign + writtenOff;
            permits = paused ? 0 : permitsIfResumed;
        } finally {
            writing.unlock();
        }
    }

    public final int limit() {
        return limit;
    }

    public final int foreign() {
        return foreign;
    }

    /** Permits in use: entering and leased. */
    public final int usedCount() {
        return Math.max(0, inUse());
    }

    /** As {@link #usedCount()}; negative if written-off permits were released after all. */
    public final int inUse() {
        return used(counts) - parked.count() - writtenOff;
    }

    /**
     * Writes off used permits that have no holder: the gate gets as many new ones. After a mistake, the surplus permit
     * exists only until the written-off permit is released and this is called again.
     *
     * @param unowned used permits without a holder; may be negative
     */
    public final void writeOff(int unowned, long nowNanos) {
        change(() -> writtenOff = Math.max(0, writtenOff + unowned));
        serve(nowNanos);
    }

    // ---- how many are in use, and wait ----

    public final int waitingCount() {
        return waiting(counts);
    }

    /** Adds to the number of waiters, and returns the number before. If it throws, it has changed nothing. */
    final int countWaiters(int more) {
        long before = (long) COUNTS.getAndAdd(this, more * WAITING);
        // Not a method call: there may be no stack left for one.
        return (int) (before >>> SHIFT);
    }

    /** Records the number of waiting requests. Most numbers are no new maximum. */
    final void recordWaiting(int waiting) {
        int seen = mostWaiting;
        while (seen < waiting && !MOST_WAITING.compareAndSet(this, seen, waiting)) {
            seen = mostWaiting;
        }
    }

    /** The most requests that waited at once since the last call. Called by the tick. */
    public final int takeMostWaiting() {
        int most = mostWaiting == 0 ? 0 : (int) MOST_WAITING.getAndSet(this, 0);
        return Math.max(most, waitingCount());
    }

    /** Whether a permit is free or parked. */
    final boolean hasFree() {
        removeSurplus();
        return used(counts) < permits || parked.count() > 0;
    }

    /** Takes a free permit for a class, or a parked one; with {@code beyond} the class may exceed its maximum. */
    final boolean reserve(int requestClass, boolean beyond, long nowNanos) {
        return reserve(requestClass, beyond, false, nowNanos);
    }

    /** As above; {@code evenPaused}: whether the gate may be paused. If it throws, no permit was taken. */
    private boolean reserve(int requestClass, boolean beyond, boolean evenPaused, long nowNanos) {
        int from = take(requestClass, beyond, evenPaused);
        if (!classed || from == requestClass || from == ParkedPermits.ANY) {
            return from != ParkedPermits.ANY;
        }
        boolean raised = false;
        boolean has = false;
        try {
            if (from != UNCOUNTED) {
                usedByClass.getAndAdd((from + 1) * APART, -1);
            }
            raised = raise(requestClass, beyond);
            if (from != UNCOUNTED) {
                freed(nowNanos);
            }
            has = raised;
        } finally {
            if (!has) {
                if (raised) {
                    usedByClass.getAndAdd((requestClass + 1) * APART, -1);
                }
                COUNTS.getAndAdd(this, -USED);
            }
        }
        if (!has) {
            freed(nowNanos);
        }
        return has;
    }

    /** Takes a permit: returns a parked one's class, {@link #UNCOUNTED} for a free one, ANY if there is none. */
    private int take(int requestClass, boolean beyond, boolean evenPaused) {
        if (!beyond && full(requestClass)) {
            return used(counts) <= permits ? line.takeParked(parked, requestClass) : ParkedPermits.ANY;
        }
        while (true) {
            long seen = counts;
            if (used(seen) < (evenPaused ? permitsIfResumed : permits)) {
                // Adding after the read instead would save at most 4 ns, which is within the noise.
                if (COUNTS.compareAndSet(this, seen, seen + USED)) {
                    return UNCOUNTED;
                }
            } else if (!removeSurplus()) {
                return used(counts) <= permits ? parked.take(ParkedPermits.ANY) : ParkedPermits.ANY;
            }
        }
    }

    /** Puts back a permit of a class, and returns how many requests wait. If it throws, the permit is still taken. */
    final int putBack(int requestClass) {
        // First, so that the next waiter finds a permit of the class too.
        if (classed) {
            usedByClass.getAndAdd((requestClass + 1) * APART, -1);
        }
        boolean back = false;
        try {
            long before = (long) COUNTS.getAndAdd(this, -USED);
            back = true;
            // Not a method call: there may be no stack left for one.
            return (int) (before >>> SHIFT);
        } finally {
            if (!back && classed) {
                usedByClass.getAndAdd((requestClass + 1) * APART, 1);
            }
        }
    }

    /**
     * After the limit was lowered: removes parked permits until the used ones fit the limit, or none is parked.
     *
     * @return whether any was removed
     */
    private boolean removeSurplus() {
        boolean removed = false;
        int from;
        while (used(counts) > permits && (from = parked.take(ParkedPermits.ANY)) != ParkedPermits.ANY) {
            // No call, as in putBack(): the permit is in no slot any more.
            if (classed) {
                usedByClass.getAndAdd((from + 1) * APART, -1);
            }
            COUNTS.getAndAdd(this, -USED);
            removed = true;
        }
        return removed;
    }

    // ---- the permits of each class ----

    /** Whether a class has its maximum of permits. */
    final boolean full(int requestClass) {
        return classed && usedBy(requestClass) >= line.mostNow(requestClass);
    }

    /** Permits that a class uses, parked ones included. */
    final int usedBy(int requestClass) {
        return usedByClass.get((requestClass + 1) * APART);
    }

    /** Counts one more permit of a class, unless it is at its maximum. If it throws, nothing was counted. */
    private boolean raise(int requestClass, boolean beyond) {
        int at = (requestClass + 1) * APART;
        int most = beyond ? Integer.MAX_VALUE : line.mostNow(requestClass);
        if (most == Integer.MAX_VALUE) {
            usedByClass.getAndAdd(at, 1);
            return true;
        }
        int seen;
        do {
            seen = usedByClass.get(at);
            if (seen >= most) {
                return false;
            }
        } while (!usedByClass.compareAndSet(at, seen, seen + 1));
        boolean fits = false;
        try {
            // Requests of two classes may have taken the last permits in the same moment.
            fits = seen < line.mostNow(requestClass);
        } finally {
            if (!fits) {
                usedByClass.getAndAdd(at, -1);
            }
        }
        return fits;
    }

    /**
     * Moves a parked permit that the caller has taken to another class. If the method throws, the permit keeps its old
     * class. The caller checks for waiters next, because the old class has a free permit.
     *
     * @return false if the new class is at its maximum; then the permit keeps its old class
     */
    public final boolean move(int from, int to) {
        boolean moved = raise(to, false);
        if (moved) {
            usedByClass.getAndAdd((from + 1) * APART, -1);
        }
        return moved;
    }

    /** Permits in use by a class: entering and leased. */
    public final int usedCount(int requestClass) {
        return Math.max(0, inUse(requestClass));
    }

    /** As {@link #usedCount(int)}; negative if written-off permits of the class were released after all. */
    public final int inUse(int requestClass) {
        return usedBy(requestClass) - parked.count(requestClass);
    }

    /** Writes off used permits of a class that have no holder, beside {@link #writeOff(int, long)}; may be negative. */
    public final void writeOffOf(int requestClass, int unowned) {
        usedByClass.getAndAdd((requestClass + 1) * APART, -unowned);
    }

    static int used(long counts) {
        return (int) counts;
    }

    static int waiting(long counts) {
        return (int) (counts >>> SHIFT);
    }
}

/**
 * The one word of a {@link Gate} that all threads write, alone on its cache lines. With the gate's other fields beside
 * it, which all threads read, two threads pay 10 to 20 ns more for each acquisition. The virtual machine lays out a
 * superclass's fields first, so the padding stays where it is; it is never read.
 */
@SuppressWarnings("MultipleTopLevelClasses") // the padding belongs to the word, and the word to the permits
abstract class GateCounts extends GateLeftPad {
    volatile long counts;
}

@SuppressWarnings({"unused", "MultipleTopLevelClasses"}) // padding is there to be unused, and belongs to the one word
abstract class GateLeftPad {
    private long l0;
    private long l1;
    private long l2;
    private long l3;
    private long l4;
    private long l5;
    private long l6;
    private long l7;
    private long l8;
    private long l9;
    private long l10;
    private long l11;
    private long l12;
    private long l13;
    private long l14;
    private long l15;
}

@SuppressWarnings({"unused", "MultipleTopLevelClasses"}) // as above
abstract class GateRightPad extends GateCounts {
    private long r0;
    private long r1;
    private long r2;
    private long r3;
    private long r4;
    private long r5;
    private long r6;
    private long r7;
    private long r8;
    private long r9;
    private long r10;
    private long r11;
    private long r12;
    private long r13;
    private long r14;
    private long r15;
}
