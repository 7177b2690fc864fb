// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A resizable counter of permits in front of a pool, and the queue of the requests that wait for one.
 *
 * <p>A permit's holder is first inside the pool's {@code getConnection()} ("entering"), then has a connection
 * ("leased"). The gate does not distinguish the two: the recorder counts leases, which saves another atomic addition on
 * a word that all threads share.
 *
 * <p><b>Order.</b> While the oldest waiter has waited at most {@link #ORDER_AFTER_NANOS}, a newcomer may take a free
 * permit ahead of the queue. That saves a thread switch and makes a busy gate fast. Once the oldest waiter has waited
 * longer, newcomers queue up and each released permit goes to the oldest waiter, so that none starves. Before that, a
 * waiter that has become the oldest is woken to try. Newcomers may pass it for a moment if a lease that ends was
 * shorter than a thread takes to wake up ({@link #BRIEF_NANOS}), because handing over each permit would take longer
 * than using it. With {@link AcquisitionOrder#THROUGHPUT} that holds for every lease, and the moment is longer.
 * Measured on two processors, with 16 threads on 4 permits and empty leases: 3.6 million leases a second if each permit
 * is handed over, 5.1 with a millisecond to pass, 5.2 with five, and 6.6 without a gate.
 *
 * <p><b>How it works.</b> One word holds the permits in use and the number of waiters, so that a permit is taken by one
 * compare-and-set, and a release shows whether requests wait. While none waits, a released permit is {@linkplain
 * ParkedPermits parked} instead: it stays counted as used, and the same thread's next request takes it without touching
 * the word. When the word has no free permit left, requests search for parked ones. So permits move to the threads that
 * use them, and no thread keeps a permit because it once came first.
 *
 * <p>Only {@link #serve} moves a permit to a waiter. It takes the permit, then claims the waiter by a compare-and-set,
 * and puts the permit back if the waiter has left. It is called after every change that may free a permit for a waiter:
 * a release or a parking that saw a waiter, and a raise of the limit. A waiter calls it before each sleep. A waiter
 * that leaves calls it too, because it may have been woken for a permit that another waiter can use. So no wake-up is
 * lost. The waiter's claim decides every race between permit, timeout and interrupt.
 *
 * <p>Parking alone has no fence between its store and that check, because the fence would be a twentieth of the cost
 * that flexpool adds to a call. So a thread that parks may miss a request that begins to wait in the same moment, and
 * that request may miss the permit. Only the first one of a queue can be missed for that reason, so it sleeps for
 * {@link #CHECK_AGAIN_NANOS} only, and then checks again. The tick checks, too: the memory model sets no time for a
 * store to arrive. The package has a table of all accesses, with the mode of each and the reason.
 */
public final class Gate extends GatePermits {
    /** How long the oldest waiter waits before newcomers must queue. */
    static final long ORDER_AFTER_NANOS = 1_000_000;
    /** Leases up to this length are shorter than the wake-up of a thread. */
    static final long BRIEF_NANOS = 50_000;
    /** How long newcomers may pass the oldest waiter after its first wake-up for a permit. */
    static final long PASS_NANOS = 1_000_000;
    /** {@link #PASS_NANOS} if throughput matters more than order: some time slices of a thread. */
    static final long PASS_FOR_THROUGHPUT_NANOS = 5_000_000;
    /** How long a waiter sleeps before it checks again: far longer than a store takes to reach other processors. */
    static final long CHECK_AGAIN_NANOS = 50_000;

    private static final VarHandle COUNTED;

    static {
        try {
            COUNTED = MethodHandles.lookup().findVarHandle(Waiter.class, "counted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Checks before a waiter is uncounted: its thread may lose its processor between two instructions. */
    private static final int UNSETTLED_CHECKS = 8;

    private final Ticker ticker;
    private final QueueTime queueTime;
    /** Leases up to this length let newcomers pass, for {@link #passNanos}. */
    final long briefNanos;

    final long passNanos;

    /** A gate without classes, in the default order. */
    public Gate(int limit, Ticker ticker) {
        this(limit, ticker, AcquisitionOrder.FAIR);
    }

    /** A gate without classes of requests. */
    public Gate(int limit, Ticker ticker, AcquisitionOrder order) {
        this(limit, ticker, order, new WaitLine.OneQueue(new WaitQueue()));
    }

    Gate(int limit, Ticker ticker, AcquisitionOrder order, WaitLine line) {
        super(limit, line);
        boolean fair = order == AcquisitionOrder.FAIR;
        this.briefNanos = fair ? BRIEF_NANOS : Long.MAX_VALUE;
        this.passNanos = fair ? PASS_NANOS : PASS_FOR_THROUGHPUT_NANOS;
        this.ticker = ticker;
        this.queueTime = new QueueTime(ticker.nanos());
    }

    /** The number of request classes; 0 without classes. */
    public int classes() {
        return line.classes();
    }

    /** Whether a request may take a parked permit: the used permits fit the limit, and no waiter goes first. */
    public boolean admits(long nowNanos) {
        long seen = counts;
        return used(seen) <= permits && (waiting(seen) == 0 || !line.goesFirst(nowNanos));
    }

    /**
     * Whether the permit of a lease may be parked instead of {@linkplain #exit released}: it is not surplus, and each
     * waiting request waits only for a wake-up or for another class's permit.
     */
    public boolean canPark(long nowNanos, long leaseNanos) {
        long seen = counts;
        return used(seen) <= permits && (waiting(seen) == 0 || line.letsPark(this, nowNanos, leaseNanos));
    }

    /**
     * Call it after parking a permit. A waiter searches for parked permits after joining, so it has found this permit,
     * or finds it when it checks again, or this thread sees the waiter. If this throws, the tick
     * {@linkplain #repair serves} waiters.
     */
    public void afterPark(long nowNanos, long leaseNanos) {
        if (waiting(counts) > 0) {
            // Between the store that parked and the read of the flag of a waiter that will search.
            VarHandle.fullFence();
            serve(nowNanos, false, leaseNanos);
        }
    }

    /** As {@link #tryEnter(long, int, boolean)}, for a request of class 0. */
    public boolean tryEnter(long nowNanos) {
        return tryEnter(nowNanos, 0, false);
    }

    /**
     * Takes a permit at once, if one is free and no waiter has precedence.
     *
     * @param holds whether the thread already holds a permit. Then its class may exceed its maximum, because the held
     *     permit returns only after this one
     * @return true if the caller now has a permit, and must call {@link #exit} once
     */
    public boolean tryEnter(long nowNanos, int requestClass, boolean holds) {
        if (waiting(counts) > 0 && line.goesFirst(nowNanos)) {
            return false;
        }
        return reserve(requestClass, false, nowNanos) || (holds && reserve(requestClass, true, nowNanos));
    }

    /** Joins the queue, in class 0. The caller must call await, and leave if that returns without a permit. */
    public Waiter join(long sinceNanos) {
        return join(line.waiter(sinceNanos));
    }

    /**
     * Adds the waiter before counting it. So a waiter that could not be added is not counted, and the tick finds a
     * waiter in the queue if its stack is exhausted later. If a permit is granted in between, the waiter uncounts
     * itself.
     */
    Waiter join(Waiter waiter) {
        long nowNanos = ticker.nanos();
        boolean joined = false;
        try {
            line.add(waiter);
            int before = countWaiters(1);
            waiter.counted = Waiter.COUNTED;
            waiter.ahead = before;
            if (waiter.ahead == 0) {
                queueTime.begins(nowNanos);
            }
            recordWaiting(waiter.ahead + 1);
            if (!waiter.waits()) {
                stopped(waiter, nowNanos);
            }
            joined = true;
        } finally {
            if (!joined) {
                // The waiter may be queued, but must get no permit. A plain store: a call could overflow the stack.
                waiter.left = true;
                waiter.counted = waiter.counted == Waiter.NEW ? Waiter.UNCOUNTED : waiter.counted;
            }
        }
        return waiter;
    }

    /**
     * Waits for a permit.
     *
     * @param untilNanos end of the wait, on the gate's ticker
     * @return true if the caller has a permit; false if the time is up, the waiter was woken by {@link #wakeAll}, or
     *     the thread was interrupted (the flag stays set); the caller is then still in the queue
     */
    public boolean await(Waiter waiter, long untilNanos) {
        boolean checksAgain = waiter.ahead == 0;
        while (true) {
            // Clear the wake-up before serving: a permit freed in between wakes this thread again.
            waiter.woken = false;
            // Orders this store before the search of the slots, as in afterPark(). The search reads with acquire, which
            // may overtake a volatile store. Without the fence, this thread could miss a permit, while the thread that
            // parks it reads the old flag and assumes that this thread has yet to search.
            VarHandle.fullFence();
            long now = ticker.nanos();
            serve(now);
            if (waiter.granted()) {
                return true;
            }
            if (untilNanos - now <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (waiter.wakeRequested) {
                waiter.wakeRequested = false;
                return false;
            }
            long restNanos = untilNanos - now;
            LockSupport.parkNanos(this, checksAgain ? Math.min(restNanos, CHECK_AGAIN_NANOS) : restNanos);
            checksAgain = false;
        }
    }

    /** Interrupts every wait: each thread checks whether to wait any longer. */
    public void wakeAll() {
        for (Waiter waiter : line.all()) {
            if (waiter.waits()) {
                waiter.wakeRequested = true;
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
            // A waiter that had expired when its turn came has left already.
            return !waiter.granted();
        }
        waiter.thread = null;
        try {
            stopped(waiter, nowNanos);
        } finally {
            serve(nowNanos);
        }
        return true;
    }

    /** A waiter has stopped waiting. */
    void stopped(Waiter waiter, long nowNanos) {
        uncount(waiter, nowNanos);
        line.stopped(waiter, waitingCount());
    }

    /** Uncounts a waiter, once. If the count could not be changed, the waiter is still counted. */
    private void uncount(Waiter waiter, long nowNanos) {
        if (COUNTED.compareAndSet(waiter, Waiter.COUNTED, Waiter.UNCOUNTED)) {
            int before = -1;
            try {
                before = countWaiters(-1);
            } finally {
                if (before < 0) {
                    waiter.counted = Waiter.COUNTED;
                }
            }
            if (before == 1) {
                queueTime.ends(nowNanos);
            }
        }
    }

    /** Releases a permit of class 0 without a lease, as after a failed attempt. */
    public void exit(long nowNanos) {
        exit(nowNanos, Long.MAX_VALUE, 0);
    }

    /**
     * Releases the caller's permit after a lease of a given length. If this throws, the permit is still taken; an error
     * after the release concerns only waiters, and the tick {@linkplain #repair serves them}.
     */
    public void exit(long nowNanos, long leaseNanos, int requestClass) {
        int waiting = putBack(requestClass);
        try {
            if (waiting > 0) {
                serve(nowNanos, false, leaseNanos);
            }
        } catch (Throwable notServed) {
            // The permit was returned. The tick serves the waiters.
            return;
        }
    }

    /**
     * Called by the tick: serves waiters that a releasing thread could not serve or did not see, and uncounts waiters
     * that have stopped and could not do so themselves. Each such waiter is identified: a difference between the count
     * and the queue proves nothing, because under load some waiters are always about to join or leave.
     */
    public void repair(long nowNanos) {
        if (waitingCount() > 0) {
            serve(nowNanos);
        }
        for (Waiter waiter : line.all()) {
            boolean has = !waiter.waits() && !waiter.settled();
            if (has && (waiter.left || ++waiter.unsettledChecks >= UNSETTLED_CHECKS)) {
                stopped(waiter, nowNanos);
            }
        }
    }

    /** The number of waiting requests that a higher limit would serve; with classes, at most {@code countsTo}. */
    public int servableCount(int countsTo) {
        return line.servable(waitingCount(), countsTo);
    }

    /** The permits that stay free although requests wait that a higher limit would serve: for the first class. */
    public int spared() {
        return line.spared();
    }

    /** The total time in which at least one request waited, since the gate was created. */
    public long queuedNanos(long nowNanos) {
        return queueTime.nanos(nowNanos);
    }

    /** How long the oldest waiter has waited; 0 if none waits. */
    public long oldestWaitNanos(long nowNanos) {
        Waiter oldest = line.oldest();
        return oldest == null ? 0 : Math.max(0, nowNanos - oldest.sinceNanos);
    }

    // ---- who is served ----

    @Override
    void serve(long nowNanos, boolean now, long leaseNanos) {
        line.serve(this, nowNanos, now, leaseNanos);
    }

    /**
     * Grants free permits to waiters, one after another, in the order of the line.
     *
     * @param now whether to grant in any case; if not, a waiter that newcomers may pass is only woken to try, and may
     *     find that a newcomer was faster
     * @param leaseNanos the length of the lease with the freed permit
     */
    void serveAll(long nowNanos, boolean now, long leaseNanos) {
        Waiter next;
        while ((next = line.next(nowNanos)) != null) {
            boolean tries =
                    !now && (next.isNew(nowNanos) || (leaseNanos <= briefNanos && next.passes(nowNanos, passNanos)));
            // A woken waiter serves itself when it runs, after clearing the flag: so it finds this permit too.
            if ((tries && next.woken) || !hasFree()) {
                return;
            }
            if (tries) {
                next.wake();
                return;
            }
            if (reserve(next.requestClass, false, nowNanos)
                    || (next.holds && reserve(next.requestClass, true, nowNanos))) {
                boolean granted = false;
                try {
                    granted = !next.left && next.claim.compareAndSet(Waiter.PENDING, Waiter.GRANTED);
                    if (granted) {
                        line.granted(next, nowNanos);
                        uncount(next, nowNanos);
                    }
                    line.stopped(next, waitingCount());
                } finally {
                    if (!granted) {
                        // The waiter left, or another thread was faster. The loop checks again: a waiter may have
                        // joined meanwhile.
                        putBack(next.requestClass);
                    } else {
                        if (next.thread != Thread.currentThread()) {
                            LockSupport.unpark(next.thread);
                        }
                        next.thread = null;
                    }
                }
            } else if (next.holds || !full(next.requestClass)) {
                return;
            }
        }
    }
}
