// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.AcquisitionOrder;
import io.flexpool.pool.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A resizable counter of permits in front of a pool, and the queue of the requests that wait for one.
 *
 * <p>A permit's holder is first inside the pool's {@code getConnection()} ("entering"), then has a connection
 * ("leased"). The gate does not distinguish the two: the recorder counts leases, which saves another atomic addition on
 * a word that all threads share.
 *
 * <p><b>Order.</b> While the oldest waiter has waited at most {@link #ORDER_AFTER_NANOS}, a newcomer may take a free
 * permit ahead of the queue: that saves a thread switch and makes a busy gate fast. Once the oldest waiter has waited
 * longer, newcomers queue up and each released permit goes to the oldest waiter, so that none starves. Before that, a
 * waiter that has become the oldest is woken to try, and newcomers may pass it for a moment, if a lease that ends was
 * shorter than a thread takes to wake up ({@link #BRIEF_NANOS}): handing over each permit would take longer than using it.
 * With {@link AcquisitionOrder#THROUGHPUT} that holds for every lease, and the moment is longer. Measured on two
 * processors, 16 threads on 4 permits that hold nothing: 3.6 million leases a second if each permit is handed over, 5.1
 * with a millisecond to pass, 5.2 with five; 6.6 without a gate.
 *
 * <p><b>How it works.</b> One word holds the permits in use and the number of waiters, so that a permit is taken by one
 * compare-and-set, and a release shows whether requests wait. While none waits, a released permit is {@linkplain
 * ParkedPermits parked} instead: it stays counted as used, and the same thread's next request takes it without touching
 * the word. When the word has no free permit left, requests search for parked ones and take them along: so permits move
 * to the threads that use them, and none is kept by a thread that once came first.
 *
 * <p>Only {@link #serve} moves a permit to a waiter: it takes the permit, then claims the waiter by a compare-and-set,
 * and puts the permit back if the waiter has left. Every change that may free a permit for a waiter is followed by a
 * call of it: by the waiter before each sleep, by a release that saw a waiter (after parking, it checks again), by a
 * raise of the limit, and by a waiter that leaves (it may have been woken in vain for a permit that another can use).
 * So no wake-up is lost. The waiter's claim decides every race between permit, timeout and interrupt.
 *
 * <p>Parking alone has no fence between its store and that check, because the fence would be a twentieth of what flexpool
 * adds to a call. So a thread that parks may miss a request that begins to wait in the same moment, and that request may
 * miss the permit. Only the first one of a queue can be missed for that reason, so it sleeps for {@link
 * #LOOK_AGAIN_NANOS} only, and then looks again. The tick looks, too: the memory model sets no time for a store to
 * arrive. The package has a table of all accesses, with the mode of each and the reason.
 */
public class Gate extends GateRightPad {
    /** How long the oldest waiter waits before newcomers must queue. */
    static final long ORDER_AFTER_NANOS = 1_000_000;
    /** A lease that is shorter than it takes a thread to wake up. */
    static final long BRIEF_NANOS = 50_000;
    /** For how long newcomers may pass the oldest waiter, from the first permit that it is woken for. */
    static final long PASS_NANOS = 1_000_000;
    /** The same if throughput matters more than order: some time slices of a thread. */
    static final long PASS_FOR_THROUGHPUT_NANOS = 5_000_000;
    /** How long a waiter sleeps before it looks again: far longer than a processor keeps a store to itself. */
    static final long LOOK_AGAIN_NANOS = 50_000;

    static final long USED = 1L;
    private static final int SHIFT = 32;
    private static final long WAITING = 1L << SHIFT;

    static final VarHandle COUNTS;
    private static final VarHandle COUNTED;
    private static final VarHandle MOST_WAITING;

    static {
        try {
            COUNTS = MethodHandles.lookup().findVarHandle(GateCounts.class, "counts", long.class);
            COUNTED = MethodHandles.lookup().findVarHandle(Waiter.class, "counted", boolean.class);
            MOST_WAITING = MethodHandles.lookup().findVarHandle(Gate.class, "mostWaiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A waiter may be between two instructions for as long as its thread has no processor. */
    private static final int UNSETTLED_CHECKS = 8;

    /** Permits while the gate is open. */
    static final int ALL = 1 << 30;

    private volatile int limit;
    /** Connections borrowed past the gate. Written by the tick only. */
    private volatile int foreign;
    /** Whether all requests may pass. */
    private volatile boolean open;
    /** Permits without a holder that were never released. Written by the tick only. */
    private volatile int lost;
    /** Since the tick before. Written where a request begins to wait, hardly ever by two at once. */
    private volatile int mostWaiting;
    /** Whether no request may pass. */
    private volatile boolean held;
    /** As many as there would be if it were not held. */
    volatile int unheld;
    /** Derived from the fields above. */
    volatile int permits;

    private final ReentrantLock writing = new ReentrantLock();
    /** Set before the pool is used. */
    ParkedPermits parked = ParkedPermits.NONE;

    private final WaitQueue queue;

    final Ticker ticker;
    private final QueueTime queueTime;
    /** Leases up to this length let newcomers pass, and for how long. */
    final long briefNanos;

    final long passNanos;
    /**
     * Requests that were counted, did not get into the queue, and could not be uncounted. Written without a method
     * call, because the writing thread has no stack for one, and so without order: of two concurrent writes one may be
     * lost.
     */
    private int unqueued;
    /** How many of them have been uncounted. Used by the tick only. */
    private int unqueuedRepaid;

    /** In the order that is the default. */
    public Gate(int limit, Ticker ticker) {
        this(limit, ticker, AcquisitionOrder.FAIR);
    }

    public Gate(int limit, Ticker ticker, AcquisitionOrder order) {
        this(limit, ticker, order, new WaitQueue());
    }

    Gate(int limit, Ticker ticker, AcquisitionOrder order, WaitQueue queue) {
        boolean fair = order == AcquisitionOrder.FAIR;
        this.briefNanos = fair ? BRIEF_NANOS : Long.MAX_VALUE;
        this.passNanos = fair ? PASS_NANOS : PASS_FOR_THROUGHPUT_NANOS;
        this.limit = limit;
        this.permits = limit;
        this.unheld = limit;
        this.ticker = ticker;
        this.queue = queue;
        this.queueTime = new QueueTime(ticker.nanos());
    }

    /** How many classes of requests it distinguishes; 0 for none. */
    public int classes() {
        return 0;
    }

    /** Sets where permits are parked. Called once, before the first request. */
    public void parkIn(ParkedPermits slots) {
        parked = slots;
    }

    /** Whether a request may take a parked permit: no waiter goes first, and there are not more than the limit. */
    public boolean admits(long nowNanos) {
        long seen = counts;
        return used(seen) <= permits && (waiting(seen) == 0 || !inOrder(nowNanos));
    }

    /**
     * Whether the permit of a lease may be parked instead of {@linkplain #exit released}: it is not surplus, and none
     * waits, or the oldest waiter only for a wake-up.
     */
    public boolean parks(long nowNanos, long heldNanos) {
        long seen = counts;
        return used(seen) <= permits && (waiting(seen) == 0 || (heldNanos <= briefNanos && mayPass(nowNanos)));
    }

    boolean mayPass(long nowNanos) {
        Waiter oldest = queue.oldest();
        return oldest != null && (oldest.isNew(nowNanos) || oldest.passes(nowNanos, passNanos));
    }

    /**
     * To be called after a permit was parked: a waiter that has joined meanwhile searched for parked permits after
     * joining, so either it has found this one, or finds it when it looks again, or this thread sees it. If this throws,
     * the tick {@linkplain #repair serves} waiters.
     */
    public void parked(long nowNanos, long heldNanos) {
        if (waiting(counts) > 0) {
            // Between the store that parked and the read of the flag by which the waiter says that it will search.
            VarHandle.fullFence();
            serve(nowNanos, false, heldNanos);
        }
    }

    /**
     * Takes a permit at once, if one is free and no waiter goes first.
     *
     * @return true if the caller now has a permit, and must call {@link #exit} once
     */
    public boolean tryEnter(long nowNanos) {
        long seen = counts;
        if (waiting(seen) > 0 && inOrder(nowNanos)) {
            return false;
        }
        return reserve();
    }

    /** Joins the queue. The caller must call await, and leave if that returns without a permit. */
    public Waiter join(long sinceNanos) {
        return join(new Waiter(Thread.currentThread(), sinceNanos));
    }

    final Waiter join(Waiter waiter) {
        long nowNanos = ticker.nanos();
        long before = (long) COUNTS.getAndAdd(this, WAITING);
        try {
            waiter.ahead = waiting(before);
            atMost(waiter.ahead + 1);
            if (waiter.ahead == 0) {
                queueTime.begins(nowNanos);
            }
            queue.add(waiter);
        } catch (Throwable thrown) {
            // It may be in the queue already, and no permit is to go to it.
            waiter.left = true;
            try {
                noLongerWaits(waiter, nowNanos);
            } catch (Throwable noRoom) {
                // If it is still counted. Then the tick uncounts it, and does not once more if it finds it in the
                // queue.
                if (waiter.counted) {
                    waiter.counted = false;
                    unqueued++;
                }
            }
            throw thrown;
        }
        return waiter;
    }

    /**
     * Waits for a permit.
     *
     * @param untilNanos end of the wait, on the gate's ticker
     * @return true if the caller has a permit; false if the time is up, the waiter was {@linkplain #recall recalled} or
     *     the thread was interrupted (the flag stays set); the caller is then still in the queue
     */
    public boolean await(Waiter waiter, long untilNanos) {
        boolean looksAgain = waiter.ahead == 0;
        while (true) {
            // Clear the wake-up before serving: a permit freed in between wakes this thread again.
            waiter.woken = false;
            // Between this store and the search of the slots, as in parked(). A slot's word is read with acquire, which
            // a
            // volatile store before it does not wait for: without the fence both could miss each other, as this thread
            // finds
            // no permit yet, and the one that parks it takes this thread for one that has not searched.
            VarHandle.fullFence();
            long now = ticker.nanos();
            serve(now);
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
            long restNanos = untilNanos - now;
            LockSupport.parkNanos(this, looksAgain ? Math.min(restNanos, LOOK_AGAIN_NANOS) : restNanos);
            looksAgain = false;
        }
    }

    /** Interrupts every wait: each thread checks whether to wait any longer. */
    public void recall() {
        for (Waiter waiter : queue) {
            if (waiter.waits()) {
                waiter.recalled = true;
                LockSupport.unpark(waiter.thread);
            }
        }
    }

    /**
     * Leaves the queue.
     *
     * @return false if a permit was granted first, which the caller then has
     */
    public boolean leave(Waiter waiter, long nowNanos) {
        if (!waiter.claim.compareAndSet(Waiter.PENDING, Waiter.GONE)) {
            return false;
        }
        waiter.thread = null;
        try {
            noLongerWaits(waiter, nowNanos);
            queue.stopped(waiter, waitingCount());
        } finally {
            serve(nowNanos);
        }
        return true;
    }

    /** Uncounts a waiter, once. If the count could not be changed, the waiter is still counted. */
    final void noLongerWaits(Waiter waiter, long nowNanos) {
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

    /** Releases a permit without a lease, as after a failed attempt. */
    public void exit(long nowNanos) {
        exit(nowNanos, Long.MAX_VALUE);
    }

    /**
     * Releases the caller's permit, whose lease lasted so long. If this throws, the permit is still taken;
     * an error after the release concerns only waiters, and the tick {@linkplain #repair serves them}.
     */
    public void exit(long nowNanos, long heldNanos) {
        long before = (long) COUNTS.getAndAdd(this, -USED);
        try {
            if (waiting(before) > 0) {
                serve(nowNanos, false, heldNanos);
            }
        } catch (Throwable noRoom) {
            // The permit has gone back. The tick serves those that wait.
            return;
        }
    }

    /** Sets the limit. Serves waiters that now have room; leases beyond a lower limit stay open. */
    public void limit(int newLimit, long nowNanos) {
        change(() -> limit = newLimit);
        serve(nowNanos);
    }

    /** Sets the connections borrowed past the gate: they use up permits, because the pool has no more. */
    public void foreign(int connections, long nowNanos) {
        if (connections != foreign) {
            change(() -> foreign = connections);
            serve(nowNanos);
        }
    }

    /** Lets all requests pass, now and later. They are still counted. */
    public void open(long nowNanos) {
        change(() -> open = true);
        serve(nowNanos);
    }

    /** Limits again after {@link #open}. Leases beyond the limit stay open. */
    public void shut() {
        change(() -> open = false);
    }

    /**
     * Lets no request pass, however many permits are free, or lets them pass again. Those that wait keep their place in the
     * queue, and permits in use stay with their holders. The limit is what it was.
     */
    public void hold(boolean none, long nowNanos) {
        change(() -> held = none);
        serve(nowNanos);
    }

    /** Takes a free permit although the gate is held: for a thread that has one already, on whose end others wait. */
    public boolean tryEnterHeld() {
        while (true) {
            long seen = counts;
            if (used(seen) >= unheld) {
                // Those that were parked before the hold count as used.
                if (!removeSurplus()) {
                    return false;
                }
            } else if (COUNTS.compareAndSet(this, seen, seen + USED)) {
                return true;
            }
        }
    }

    /** Whether no request may pass. */
    final boolean held() {
        return held;
    }

    /** Rare, so locked: two concurrent writers could leave a wrong sum. */
    private void change(Runnable one) {
        writing.lock();
        try {
            one.run();
            unheld = open ? ALL : limit - foreign + lost;
            permits = held ? 0 : unheld;
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

    /** As {@link #usedCount()}; negative if written-off permits were released after all. */
    public int inUse() {
        return used(counts) - parked.count() - lost;
    }

    /**
     * Writes off used permits that have no holder: as many are added. A written-off permit that is released after all
     * is no longer lost, so a mistake yields a surplus permit only until its release and the next call of this.
     *
     * @param unowned used permits without a holder; may be negative
     */
    public void writeOff(int unowned, long nowNanos) {
        change(() -> lost = Math.max(0, lost + unowned));
        serve(nowNanos);
    }

    /**
     * Called by the tick: serves waiters that a releasing thread could not serve or did not see, and uncounts waiters that have
     * stopped and could not do so themselves. Each of them is identified: a difference between the count and the queue
     * proves nothing, because under load some waiters are always about to join or leave.
     */
    public void repair(long nowNanos) {
        if (waitingCount() > 0) {
            serve(nowNanos);
        }
        for (; unqueuedRepaid != unqueued; unqueuedRepaid++) {
            endQueueTime((long) COUNTS.getAndAdd(this, -WAITING), nowNanos);
        }
        for (Waiter waiter : queue) {
            if (!waiter.waits() && !waiter.settled() && ++waiter.unsettledChecks >= UNSETTLED_CHECKS) {
                noLongerWaits(waiter, nowNanos);
                queue.stopped(waiter, waitingCount());
            }
        }
    }

    /** The length of the queue, including waiters that have stopped waiting. */
    int queueSize() {
        return queue.size();
    }

    public int waitingCount() {
        return waiting(counts);
    }

    /** Each joins with a shared addition, whose result is the number that wait; most are no new maximum. */
    private void atMost(int waiting) {
        int seen = mostWaiting;
        while (seen < waiting && !MOST_WAITING.compareAndSet(this, seen, waiting)) {
            seen = mostWaiting;
        }
    }

    /** The most requests that waited at once since the last call. Called by the tick. */
    public int takeMostWaiting() {
        int most = mostWaiting == 0 ? 0 : (int) MOST_WAITING.getAndSet(this, 0);
        return Math.max(most, waitingCount());
    }

    /** How many requests wait that a higher limit would serve; or as many as it counts to, where it has to count. */
    public int servableCount(int countsTo) {
        return waitingCount();
    }

    /** The total time in which at least one request waited, since the gate was created. */
    public long queuedNanos(long nowNanos) {
        return queueTime.nanos(nowNanos);
    }

    /** How long the oldest waiter has waited; 0 if none waits. */
    public long oldestWaitNanos(long nowNanos) {
        Waiter oldest = queue.oldest();
        return oldest == null ? 0 : Math.max(0, nowNanos - oldest.sinceNanos);
    }

    /** Gives free permits to the oldest waiters, in any case. */
    private void serve(long nowNanos) {
        serve(nowNanos, true, 0);
    }

    /**
     * Gives free permits to the oldest waiters.
     *
     * @param now whether to grant in any case; if not, a head of the queue that newcomers may pass is only woken to
     *     try, and may find that a newcomer was faster
     * @param heldNanos how long the lease lasted whose permit is free now
     */
    void serve(long nowNanos, boolean now, long heldNanos) {
        Waiter oldest;
        while ((oldest = queue.oldest()) != null) {
            boolean tries =
                    !now && (oldest.isNew(nowNanos) || (heldNanos <= briefNanos && oldest.passes(nowNanos, passNanos)));
            if (tries && oldest.woken) {
                // It serves itself once it runs, after it has cleared the flag: so it finds this permit too.
                return;
            }
            if (!room()) {
                return;
            }
            if (tries) {
                oldest.woken = true;
                LockSupport.unpark(oldest.thread);
                return;
            }
            if (!reserve()) {
                return;
            }
            boolean granted = false;
            try {
                granted = !oldest.left && oldest.claim.compareAndSet(Waiter.PENDING, Waiter.GRANTED);
            } finally {
                if (!granted) {
                    // It left, or another server was faster. The loop checks again: one may have joined meanwhile.
                    COUNTS.getAndAdd(this, -USED);
                }
            }
            served(oldest, granted, nowNanos);
        }
    }

    final void served(Waiter oldest, boolean granted, long nowNanos) {
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
            queue.stopped(oldest, waitingCount());
        }
    }

    final boolean room() {
        removeSurplus();
        return used(counts) < permits || parked.count() > 0;
    }

    /** Takes a free permit, or a parked one. */
    boolean reserve() {
        while (true) {
            long seen = counts;
            if (used(seen) < permits) {
                // Adding after the read instead would save at most 4 ns, which is within the noise.
                if (COUNTS.compareAndSet(this, seen, seen + USED)) {
                    return true;
                }
            } else if (!removeSurplus()) {
                return used(counts) <= permits && parked.takeAny();
            }
        }
    }

    /**
     * After the limit was lowered: removes parked permits until the used ones fit the limit, or none is parked.
     *
     * @return whether any was removed
     */
    boolean removeSurplus() {
        boolean removed = false;
        while (used(counts) > permits && parked.takeAny()) {
            COUNTS.getAndAdd(this, -USED);
            removed = true;
        }
        return removed;
    }

    boolean inOrder(long nowNanos) {
        Waiter oldest = queue.oldest();
        return oldest != null && !oldest.isNew(nowNanos) && !oldest.isPassed(nowNanos);
    }

    static int used(long counts) {
        return (int) counts;
    }

    static int waiting(long counts) {
        return (int) (counts >>> SHIFT);
    }
}
