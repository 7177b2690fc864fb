// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.internal.record.Stripes;
import io.flexpool.pool.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A resizable counter of permits in front of a pool, and the queue of those who wait for one.
 *
 * <p>A permit's holder is first inside the pool's {@code getConnection()} ("entering"), then the connection is out
 * ("leased"). The gate does not tell the two apart: who is leased is known from the recorder, without another atomic
 * addition on a word that all threads share.
 *
 * <p><b>Order.</b> As long as nobody has waited longer than {@link #ORDER_AFTER_NANOS}, a newcomer may take a free
 * permit past the queue: that saves a change of threads and is what makes a busy gate fast. Once the oldest waiter has
 * waited longer, newcomers queue up and each released permit is handed to the oldest waiter, so that nobody starves.
 *
 * <p><b>How it works.</b> One word holds the permits in use and the number who wait, so that a permit is taken by one
 * compare-and-set, and whoever gives one back learns whether somebody waits. While no more than half of the permits are used
 * and nobody waits, a permit that comes back is {@linkplain ParkedPermits parked} instead: it stays counted as used, and
 * the same thread's next request takes it without touching the word. Once none is left in the word, those who come look
 * for parked ones, and none is parked any more.
 *
 * <p>Only {@link #serve} ever moves a permit to a waiter: it first takes the permit, then claims the waiter by a
 * compare-and-set, and puts the permit back if the waiter has left. Everybody who changes something a waiter may hope for
 * calls it afterwards: the waiter itself before each sleep, a releaser who saw a waiter (after parking, it looks again), a
 * raise of the limit, and a waiter that leaves (it may have been woken in vain for a permit that another could use). So no
 * wake-up is lost. A waiter's own claim decides every race between permit, timeout and interrupt.
 */
public final class Gate extends GateRightPad {
    /** How long the oldest waiter waits before newcomers must queue. */
    static final long ORDER_AFTER_NANOS = 1_000_000;

    private static final long USED = 1L;
    private static final int SHIFT = 32;
    private static final long WAITING = 1L << SHIFT;

    /** One request that waits. Used by one thread; claimed by any. */
    public static final class Waiter {
        private static final int HOPING = 0;
        private static final int GRANTED = 1;
        private static final int GONE = 2;

        /** Null once it has left, for it may be remembered for a while. */
        private @Nullable Thread thread;

        private final long sinceNanos;
        private int ahead;
        private final AtomicInteger claim = new AtomicInteger(HOPING);
        /** Whether the wait is to end early, so that its thread looks for a reason to give up. */
        private volatile boolean recalled;
        /** Woken and not yet awake: one wake-up is enough. */
        private volatile boolean woken;
        /** Set by who has no stack left to {@linkplain Gate#leave leave} with. */
        public volatile boolean left;
        /** Whether this one is counted among those who wait; whoever clears it by a compare-and-set takes it off. */
        @SuppressWarnings("unused") // through COUNTED
        private volatile boolean counted = true;
        /** How many looks in a row have found it counted though it waits no longer. Used by the loop only. */
        private int looks;

        Waiter(Thread thread, long sinceNanos) {
            this.thread = thread;
            this.sinceNanos = sinceNanos;
        }

        /** How many waited when this one joined. */
        public int ahead() {
            return ahead;
        }

        public boolean granted() {
            return claim.get() == GRANTED;
        }

        boolean hopes() {
            return claim.get() == HOPING && !left;
        }

        /** Whether it waits no longer and is counted no longer, so that nothing is left to do for it. */
        boolean settled() {
            return !hopes() && !counted;
        }
    }

    private static final VarHandle COUNTS;
    private static final VarHandle COUNTED;

    static {
        try {
            COUNTS = MethodHandles.lookup().findVarHandle(GateCounts.class, "counts", long.class);
            COUNTED = MethodHandles.lookup().findVarHandle(Waiter.class, "counted", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A waiter may be between two instructions for as long as its thread has no processor. */
    private static final int LOOKS = 8;

    /** Room for everybody. */
    private static final int ALL = 1 << 30;

    private volatile int limit;
    /** Connections that are out past the gate. Written by the loop only. */
    private volatile int foreign;
    /** Whether all may pass. */
    private volatile boolean open;
    /** Permits that nobody has and that were never given back. Written by the loop only. */
    private volatile int lost;
    /** What follows from the four. */
    private volatile int permits;
    /** Somebody gave a permit back and could not look for who waits. */
    private volatile boolean unserved;

    private final ReentrantLock writing = new ReentrantLock();
    private final ParkedPermits parked = new ParkedPermits(Stripes.count());

    private final WaitQueue queue = new WaitQueue();

    private final Ticker ticker;
    private final QueueTime queueTime;
    /**
     * Requests that were counted, did not get into the queue, and could not be taken off again. Written without a call, for
     * who writes it could make none, and so without order: of two that are written in the same moment one may be missed.
     */
    private int unqueued;
    /** How many of them have been taken off. Used by the loop only. */
    private int unqueuedRepaid;

    public Gate(int limit, Ticker ticker) {
        this.limit = limit;
        this.permits = limit;
        this.ticker = ticker;
        this.queueTime = new QueueTime(ticker.nanos());
    }

    /**
     * Takes a permit at once, if one is free and nobody has to be served first.
     *
     * @return true if the caller has a permit now and must call {@link #exit} once
     */
    public boolean tryEnter(long nowNanos) {
        long seen = counts;
        if (waiting(seen) > 0 && inOrder(nowNanos)) {
            return false;
        }
        return (used(seen) <= permits && parked.take()) || reserve();
    }

    /** Joins the queue. The caller must await, and leave if that ends without a permit. */
    public Waiter join(long sinceNanos) {
        Waiter waiter = new Waiter(Thread.currentThread(), sinceNanos);
        long nowNanos = ticker.nanos();
        long before = (long) COUNTS.getAndAdd(this, WAITING);
        try {
            waiter.ahead = waiting(before);
            if (waiter.ahead == 0) {
                queueTime.begins(nowNanos);
            }
            queue.add(waiter);
        } catch (Throwable thrown) {
            try {
                noLongerWaits(waiter, nowNanos);
            } catch (Throwable noRoom) {
                unqueued++;
            }
            throw thrown;
        }
        return waiter;
    }

    /**
     * Waits for a permit.
     *
     * @param untilNanos until when, on the gate's ticker
     * @return true if the permit is the caller's; false if the time has come, the waiter was {@linkplain #recall recalled} or
     *     the thread was interrupted (the flag is left as it is), and the caller still stands in the queue
     */
    public boolean await(Waiter waiter, long untilNanos) {
        while (true) {
            // First forget the wake-up, then look: a permit freed in between wakes this thread again.
            waiter.woken = false;
            long now = ticker.nanos();
            serve(now, true);
            if (waiter.granted()) {
                return true;
            }
            if (untilNanos - now <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (waiter.recalled) {
                waiter.recalled = false;
                return false;
            }
            LockSupport.parkNanos(this, untilNanos - now);
        }
    }

    /** Ends every wait for the moment: each thread looks whether it has a reason to wait any longer. */
    public void recall() {
        queue.forEachWaiting(waiter -> {
            waiter.recalled = true;
            LockSupport.unpark(waiter.thread);
        });
    }

    /**
     * Leaves the queue.
     *
     * @return false if a permit was granted first; it is the caller's
     */
    public boolean leave(Waiter waiter, long nowNanos) {
        if (!waiter.claim.compareAndSet(Waiter.HOPING, Waiter.GONE)) {
            return false;
        }
        waiter.thread = null;
        try {
            noLongerWaits(waiter, nowNanos);
            queue.stopped(waitingCount());
        } finally {
            serve(nowNanos, true);
        }
        return true;
    }

    /** Takes a waiter off the count, once. If the count could not be changed, the waiter is still counted. */
    private void noLongerWaits(Waiter waiter, long nowNanos) {
        if (!COUNTED.compareAndSet(waiter, true, false)) {
            return;
        }
        long before;
        try {
            before = (long) COUNTS.getAndAdd(this, -WAITING);
        } catch (Throwable noRoom) {
            waiter.counted = true;
            throw noRoom;
        }
        endQueueTime(before, nowNanos);
    }

    private void endQueueTime(long before, long nowNanos) {
        if (waiting(before) == 1) {
            queueTime.ends(nowNanos);
        }
    }

    /**
     * The caller's permit is free: its lease ended, or its attempt failed. If this throws, the permit is still taken: what
     * is thrown once it is free concerns those who wait, and the loop {@linkplain #look looks after them}.
     */
    public void exit(long nowNanos) {
        long seen = counts;
        // While half of all are left for others, so that hardly anybody has to look for this one.
        boolean stays = waiting(seen) == 0 && 2 * used(seen) <= permits && parked.park();
        // Who has joined since looks for parked permits after it has joined; this looks for it after parking.
        long before = stays ? counts : (long) COUNTS.getAndAdd(this, -USED);
        try {
            if (waiting(before) > 0) {
                serve(nowNanos, false);
            }
        } catch (Throwable noRoom) {
            unserved = true;
        }
    }

    /** Moves the limit. Waiters that now have room are served; leases beyond a lower limit are left alone. */
    public void limit(int newLimit, long nowNanos) {
        change(() -> limit = newLimit);
        serve(nowNanos, true);
    }

    /** Counts connections that are out past the gate: they take permits, for the pool has no more. */
    public void foreign(int connections, long nowNanos) {
        if (connections != foreign) {
            change(() -> foreign = connections);
            serve(nowNanos, true);
        }
    }

    /** Lets everybody pass, now and later. Those who pass are counted all the same. */
    public void open(long nowNanos) {
        change(() -> open = true);
        serve(nowNanos, true);
    }

    /** Limits again after {@link #open}. Leases beyond the limit are left alone. */
    public void shut() {
        change(() -> open = false);
    }

    /** Rare. Two writers at once could leave the sum of what they wrote wrong. */
    private void change(Runnable one) {
        writing.lock();
        try {
            one.run();
            permits = open ? ALL : limit - foreign + lost;
        } finally {
            writing.unlock();
        }
    }

    public int limit() {
        return limit;
    }

    public int foreign() {
        return foreign;
    }

    /** Permits in use: entering and leased. */
    public int usedCount() {
        return Math.max(0, inUse());
    }

    /** As {@link #usedCount()}; negative if permits came back that had been written off. */
    public int inUse() {
        return used(counts) - parked.count() - lost;
    }

    /**
     * Writes off permits that nobody has: there are as many more. One that comes back after all is no longer lost, so a
     * permit that was written off by mistake is too many only until it is given back and this is called again.
     *
     * @param nobodys permits in use that are nobody's; may be negative
     */
    public void writeOff(int nobodys, long nowNanos) {
        change(() -> lost = Math.max(0, lost + nobodys));
        serve(nowNanos, true);
    }

    /**
     * What the loop does for those who wait: serves whom the one who gave a permit back could not serve, and takes off the
     * count who waits no longer and could not do so itself. Each is known by name: a difference between the count and the
     * queue proves nothing, for in a crowd some are always about to come or to go.
     */
    public void look(long nowNanos) {
        if (unserved) {
            unserved = false;
            serve(nowNanos, true);
        }
        for (; unqueuedRepaid != unqueued; unqueuedRepaid++) {
            endQueueTime((long) COUNTS.getAndAdd(this, -WAITING), nowNanos);
        }
        queue.forEachUnsettled(waiter -> {
            if (++waiter.looks >= LOOKS) {
                noLongerWaits(waiter, nowNanos);
                queue.stopped(waitingCount());
            }
        });
    }

    /** How many the queue remembers, also of those who wait no longer. */
    int remembered() {
        return queue.remembered();
    }

    public int waitingCount() {
        return waiting(counts);
    }

    /** For how long, since the gate was made, at least one request has waited at it. */
    public long queuedNanos(long nowNanos) {
        return queueTime.nanos(nowNanos);
    }

    /** How long the oldest waiter has waited; 0 if none waits. */
    public long oldestWaitNanos(long nowNanos) {
        Waiter oldest = queue.oldest();
        return oldest == null ? 0 : Math.max(0, nowNanos - oldest.sinceNanos);
    }

    /**
     * Gives free permits to the oldest waiters.
     *
     * @param now whether to hand over in any case; if not, a head of the queue that has not waited long is only woken
     *     to try, and may find that a newcomer was faster
     */
    private void serve(long nowNanos, boolean now) {
        Waiter oldest;
        while ((oldest = queue.oldest()) != null) {
            if (!room()) {
                return;
            }
            if (!now && nowNanos - oldest.sinceNanos <= ORDER_AFTER_NANOS) {
                if (!oldest.woken) {
                    oldest.woken = true;
                    LockSupport.unpark(oldest.thread);
                }
                return;
            }
            if (!reserve()) {
                return;
            }
            boolean granted = false;
            try {
                granted = !oldest.left && oldest.claim.compareAndSet(Waiter.HOPING, Waiter.GRANTED);
            } finally {
                if (!granted) {
                    // It left, or another server was faster. The loop looks again, for somebody may have come
                    // meanwhile.
                    COUNTS.getAndAdd(this, -USED);
                }
            }
            served(oldest, granted, nowNanos);
        }
    }

    private void served(Waiter oldest, boolean granted, long nowNanos) {
        try {
            if (granted) {
                noLongerWaits(oldest, nowNanos);
            }
        } finally {
            if (granted) {
                if (oldest.thread != Thread.currentThread()) {
                    LockSupport.unpark(oldest.thread);
                }
                oldest.thread = null;
            }
            queue.stopped(waitingCount());
        }
    }

    private boolean room() {
        giveBackSurplus();
        return used(counts) < permits || parked.count() > 0;
    }

    /** Takes a permit that nobody has, or one that somebody has parked. */
    private boolean reserve() {
        while (true) {
            long seen = counts;
            if (used(seen) < permits) {
                if (COUNTS.compareAndSet(this, seen, seen + USED)) {
                    return true;
                }
            } else if (!giveBackSurplus()) {
                return used(counts) <= permits && parked.takeAny();
            }
        }
    }

    /**
     * After the limit was lowered, parked permits are no longer there for anybody: until no more are used than there
     * are, or none is parked.
     *
     * @return whether there were any
     */
    private boolean giveBackSurplus() {
        boolean some = false;
        while (used(counts) > permits && parked.takeAny()) {
            COUNTS.getAndAdd(this, -USED);
            some = true;
        }
        return some;
    }

    private boolean inOrder(long nowNanos) {
        Waiter oldest = queue.oldest();
        return oldest != null && nowNanos - oldest.sinceNanos > ORDER_AFTER_NANOS;
    }

    private static int used(long counts) {
        return (int) counts;
    }

    private static int waiting(long counts) {
        return (int) (counts >>> SHIFT);
    }
}
