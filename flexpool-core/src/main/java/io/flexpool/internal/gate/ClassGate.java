// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a {@link Gate} whose requests have classes. Each class has a queue, a guaranteed part of the permits, and perhaps a
 * maximum. Permits without a guarantee, and guaranteed permits that their class does not use, may go to any class. No lease is
 * interrupted: a class that needs its guaranteed permits again has them within one lease of the classes that use them.
 *
 * <p><b>Order.</b> A free permit goes to a class below its guarantee, else to any that is below its most; of several, to the
 * one that has had the least of the permits' time since the queues began, in relation to its part. Within a class, threads
 * that hold a permit of the gate already go first, then the oldest request, or that of the {@linkplain TenantQueue tenant} that
 * has had the least; of a class that is {@linkplain ControlledDelay shed} the newest. What {@link Gate} says of newcomers and of brief leases
 * holds here too, for the waiters that a permit can go to. A waiter whose time is over gets none.
 *
 * <p><b>How it works.</b> Beside the gate's word, which counts all permits, each class has a number of those that it uses. A
 * parked permit stays counted for the class of its slot's last lease. So a thread whose requests are of one class takes and
 * parks its permit without writing to any memory that others use, as without classes; only a permit that changes its class
 * changes two numbers.
 *
 * <p>One thread at a time serves, because the numbers of all classes decide which class is next. A thread that finds another one
 * serving counts a pending run and continues, and the other thread serves once more: no thread waits for a lock, and no change is missed.
 */
public final class ClassGate extends WaitLine {
    private static final AtomicIntegerFieldUpdater<ClassGate> SERVING =
            AtomicIntegerFieldUpdater.newUpdater(ClassGate.class, "serving");

    private static final long NEVER = Long.MAX_VALUE;

    private final Gate gate;
    private final Ticker ticker;
    private final int classes;
    private final double[] guarantee;
    private final int[] most;
    private final ClassQueues queues;
    private final LeaseLengths[] lengths;
    /** Null if no request is shed. */
    private final @Nullable ControlledDelay delay;
    /** So that tenants who share a place share it in one gate only. */
    private final int salt = ThreadLocalRandom.current().nextInt();

    /** How often threads have called {@link #serve}, whoever did the work. */
    private final AtomicInteger pendingRuns = new AtomicInteger();
    /** Whether the next run grants permits also to waiters that newcomers may pass. */
    private volatile boolean forceNext;
    /** Whether a permit is left to the first class. Written by the tick only. */
    private volatile boolean spares;
    /** One while a thread serves, else none. */
    @SuppressWarnings("unused") // through SERVING
    private volatile int serving;

    /** Of the thread that serves. */
    private final ClassTime time;
    /** Whether it was held when a thread last served. Of the thread that serves. */
    private boolean heldBefore;

    /**
     * With the shares of the classes, in their order. Requests without a class are of the first one.
     *
     * @param sheds whether requests end before their time while a class is overloaded
     */
    public ClassGate(int limit, Ticker ticker, AcquisitionOrder order, List<ClassShare> shares, boolean sheds) {
        this.ticker = ticker;
        this.classes = shares.size();
        this.queues = new ClassQueues(classes);
        this.guarantee = shares.stream().mapToDouble(ClassShare::guarantee).toArray();
        this.most = shares.stream().mapToInt(ClassShare::max).toArray();
        this.time = new ClassTime(shares);
        this.lengths = Stream.generate(LeaseLengths::new).limit(classes).toArray(LeaseLengths[]::new);
        this.delay = sheds ? new ControlledDelay(lengths, ticker.nanos()) : null;
        this.gate = new Gate(limit, ticker, order, this);
    }

    /** A gate with such a line; by its result the class need not be loaded where it is not called. */
    public static Gate gate(int limit, Ticker ticker, AcquisitionOrder order, List<ClassShare> shares, boolean sheds) {
        return new ClassGate(limit, ticker, order, shares, sheds).gate;
    }

    /** The line of a gate; null if it is of one queue. */
    public static @Nullable ClassGate of(Gate gate) {
        return gate.line instanceof ClassGate its ? its : null;
    }

    /** The gate whose line this is. */
    public Gate gate() {
        return gate;
    }

    // ---- waiters ----

    /** As {@link #join(long, int, int, boolean, long, long)}, of a request without a tenant and a deadline. */
    public ClassWaiter join(long sinceNanos, int requestClass, boolean holds, long expiresNanos) {
        return join(sinceNanos, requestClass, TenantQueue.NONE, holds, expiresNanos, NEVER);
    }

    /**
     * As {@link Gate#join(long)}. If the class is shed, the waiter says until when it may wait.
     *
     * @param tenant the {@linkplain #place place} of its tenant
     * @param holds whether the thread holds a permit already
     * @param expiresNanos when a permit is of no use any more; {@link Long#MAX_VALUE} for never
     * @param answerNanos when the end of the lease is of no use any more: then a permit is of none for as long before that as
     *     nine of ten leases of the class last at most, but for half of the time; {@link Long#MAX_VALUE} for never
     */
    public ClassWaiter join(
            long sinceNanos, int requestClass, int tenant, boolean holds, long expiresNanos, long answerNanos) {
        long shedNanos = delay == null || holds || gate.held()
                ? NEVER
                : delay.untilNanos(requestClass, queues.oldest(requestClass), ticker.nanos());
        long lateNanos = answerNanos == NEVER ? NEVER : answerNanos - reserved(requestClass, answerNanos);
        long endNanos = lateNanos == NEVER || (expiresNanos != NEVER && expiresNanos - lateNanos < 0)
                ? expiresNanos
                : lateNanos;
        ClassWaiter waiter = new ClassWaiter(sinceNanos, requestClass, tenant, holds, endNanos, shedNanos);
        gate.join(waiter);
        return waiter;
    }

    /**
     * How much of the time until an answer is kept for the lease; at most half of it. Lengths are known of leases that end while
     * requests wait: were all of it kept after long ones, none would wait, and it would stay so.
     */
    private long reserved(int requestClass, long answerNanos) {
        return Math.min(lengths[requestClass].most(), Math.max(0, answerNanos - ticker.nanos()) / 2);
    }

    /** The place of a tenant among those of a class; null for a request without one. */
    public int place(@Nullable String tenant) {
        return tenant == null ? TenantQueue.NONE : TenantQueue.place(tenant.hashCode() ^ salt);
    }

    /** A lease has ended, before its permit is released. What leases last matters while requests wait. */
    public void ended(long heldNanos, int requestClass, int tenant) {
        if (gate.waitingCount() > 0) {
            queues.ended(requestClass, tenant, heldNanos);
            lengths[requestClass].add(heldNanos);
        }
    }

    /** How long a request that was shed should wait before it comes again: until those that wait now were served. */
    public long retryAfterNanos(int requestClass) {
        if (delay == null) {
            return 0;
        }
        long turns = gate.waitingCount() / Math.max(1, gate.limit()) + 1L;
        return Math.max(delay.intervalNanos(), turns * delay.targetNanos(requestClass));
    }

    // ---- permits of a class ----

    @Override
    public int classes() {
        return classes;
    }

    /** Whether a class is full that is meant to wait then, and not because requests of the first class may come. */
    private boolean hasItsMost(int requestClass) {
        return most[requestClass] != ClassShare.SPARING && gate.full(requestClass);
    }

    @Override
    int takeParked(ParkedPermits parked, int requestClass) {
        int from = parked.take(requestClass);
        for (int other = 1; from == ParkedPermits.ANY && other < classes && exchanges(requestClass); other++) {
            from = parked.take(other);
        }
        return from;
    }

    /** Whether a class that has as many permits as it may could have one that another class but the first has parked. */
    private boolean exchanges(int requestClass) {
        return most[requestClass] == ClassShare.SPARING
                && gate.usedBy(requestClass) + usedBeside(requestClass) <= together();
    }

    /** How many permits the classes but the first may have together while one is left to that. */
    private int together() {
        return Math.max(1, gate.limit() - gate.foreign() - 1);
    }

    /** The permits of all classes but the first and this one. */
    private int usedBeside(int requestClass) {
        int sum = 0;
        for (int other = 1; other < classes; other++) {
            sum += other == requestClass ? 0 : gate.usedBy(other);
        }
        return sum;
    }

    /** Whether a class has as many permits as it ever may: a higher limit gives it no more. */
    public boolean isAtMaximum(int requestClass) {
        return most[requestClass] != ClassShare.SPARING
                && !gate.opened()
                && gate.usedCount(requestClass) >= most[requestClass];
    }

    /**
     * How many permits a class may have now; {@link Integer#MAX_VALUE} for any number. One that spares a permit for the first class
     * may have what the other classes leave of all but one, and what it is guaranteed in any case.
     */
    @Override
    public int mostNow(int requestClass) {
        if (gate.opened() || (most[requestClass] == ClassShare.SPARING && !spares)) {
            return Integer.MAX_VALUE;
        }
        if (most[requestClass] != ClassShare.SPARING) {
            return most[requestClass];
        }
        int guaranteed = (int) Math.ceil(guarantee[requestClass] * gate.limit());
        return Math.max(guaranteed, together() - usedBeside(requestClass));
    }

    /**
     * Says whether the first class is in use: only then is a permit left to it. Called by the tick, before it {@linkplain
     * Gate#repair serves} those that wait.
     */
    public void spares(boolean firstInUse) {
        spares = firstInUse;
    }

    /** How long the oldest waiter of a class has waited; 0 if none waits. */
    public long oldestWaitNanos(long nowNanos, int requestClass) {
        Waiter oldest = queues.oldestOfAll(requestClass);
        return oldest == null ? 0 : Math.max(0, nowNanos - oldest.sinceNanos);
    }

    /** How many requests of a class wait, or as many as it counts to; walks through them. */
    public int waitingCount(int requestClass, int countsTo) {
        return queues.waiting(requestClass, countsTo);
    }

    // ---- as of one queue ----

    @Override
    Waiter waiter(long sinceNanos) {
        return new ClassWaiter(sinceNanos, 0, TenantQueue.NONE, false, NEVER, NEVER);
    }

    @Override
    void add(Waiter waiter) {
        queues.add(waiter);
    }

    @Override
    void stopped(Waiter waiter, int waiting) {
        queues.stopped(waiter, waiting);
    }

    @Override
    @Nullable
    Waiter oldest() {
        return queues.oldest();
    }

    @Override
    Iterable<Waiter> all() {
        return queues.all();
    }

    @Override
    int size() {
        return queues.size();
    }

    @Override
    int servable(int waiting, int countsTo) {
        int servable = 0;
        for (int requestClass = 0; requestClass < classes && servable < countsTo; requestClass++) {
            servable += isAtMaximum(requestClass) ? 0 : queues.waiting(requestClass, countsTo - servable);
        }
        return servable;
    }

    @Override
    int spared() {
        for (int requestClass = 0; requestClass < classes; requestClass++) {
            if (most[requestClass] == ClassShare.SPARING
                    && gate.full(requestClass)
                    && queues.first(requestClass) != null) {
                return 1;
            }
        }
        return 0;
    }

    // ---- newcomers and waiters ----

    @Override
    boolean goesFirst(long nowNanos) {
        for (int requestClass = 0; requestClass < classes; requestClass++) {
            ClassWaiter first = queues.first(requestClass);
            if (first != null && servable(first) && first.goesFirst(nowNanos)) {
                return true;
            }
        }
        return false;
    }

    /** Beside waiters whose class has its most, no other permit is of use to them. */
    @Override
    boolean letsPark(Gate its, long nowNanos, long heldNanos) {
        boolean brief = heldNanos <= its.briefNanos;
        for (int requestClass = 0; requestClass < classes; requestClass++) {
            ClassWaiter first = queues.first(requestClass);
            if (first != null && servable(first) && !(brief && first.letsPass(nowNanos, its.passNanos))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a permit can go to the first waiter of a class: the class has less than its most, one that it may take is parked, or
     * the waiter's thread holds one.
     */
    private boolean servable(ClassWaiter first) {
        return first.holds || !gate.full(first.requestClass) || isParked(first.requestClass);
    }

    /** Whether a permit is parked that a class may have although it has as many as it may. */
    private boolean isParked(int requestClass) {
        boolean any = gate.parked.count(requestClass) > 0;
        for (int other = 1; !any && other < classes && exchanges(requestClass); other++) {
            any = gate.parked.count(other) > 0;
        }
        return any;
    }

    // ---- who is served ----

    @Override
    void serve(Gate its, long nowNanos, boolean now, long heldNanos) {
        if (!now && allTry(its, nowNanos, heldNanos)) {
            return;
        }
        if (now) {
            // Before it is counted: the thread that serves counts first and looks here then.
            forceNext = true;
        }
        pendingRuns.incrementAndGet();
        boolean again = false;
        int seen;
        do {
            if (!SERVING.compareAndSet(this, 0, 1)) {
                return;
            }
            try {
                seen = pendingRuns.get();
                boolean any = forceNext;
                if (any) {
                    forceNext = false;
                }
                long at = again ? ticker.nanos() : nowNanos;
                time.count(at);
                look(at);
                its.serveAll(at, now || any || again, heldNanos);
                time.since(its, its.waitingCount() > 0);
                again = true;
            } finally {
                // Not a method call: there may be no stack left for one.
                serving = 0;
            }
        } while (seen != pendingRuns.get());
    }

    /**
     * Whether the first waiter of each class has been woken to try and may be passed by newcomers. Then the caller, which has freed a
     * permit, has nothing to choose, and leaves without a trace.
     *
     * <p>The permit is not forgotten. Caller: frees the permit, fence, reads queues and flags. A waiter: joins its queue and clears
     * its flag, fence, serves in any case; a thread that serves already does it again then. If the caller reads a set flag, or does
     * not find a waiter that joins, its fence came first: that waiter has yet to serve, and finds the permit. It gives it to the one
     * that is next by then, also of another class. A waiter that leaves instead serves too. If its thread does not run, it is passed
     * for a millisecond at most, and the next permit goes the whole way; so does the tick.
     */
    private boolean allTry(Gate its, long nowNanos, long heldNanos) {
        boolean brief = heldNanos <= its.briefNanos;
        boolean any = false;
        for (int requestClass = 0; requestClass < classes; requestClass++) {
            ClassWaiter first = queues.first(requestClass);
            if (first != null) {
                boolean tries = first.woken && !first.expired(nowNanos);
                if (!tries || !(first.isNew(nowNanos) || (brief && first.isPassed(nowNanos)))) {
                    return false;
                }
                any = true;
            }
        }
        return any;
    }

    private void look(long nowNanos) {
        for (LeaseLengths its : lengths) {
            its.look();
        }
        if (delay != null && (gate.held() || heldBefore)) {
            // What a hold keeps waiting is no overload.
            heldBefore = gate.held();
            delay.beginAnew(nowNanos);
        } else if (delay != null) {
            for (int requestClass = 0; requestClass < classes; requestClass++) {
                delay.look(requestClass, hasItsMost(requestClass) ? null : queues.oldest(requestClass), nowNanos);
            }
            delay.endInterval(nowNanos);
        }
    }

    @Override
    void granted(Waiter waiter, long nowNanos) {
        queues.serves((ClassWaiter) waiter, nowNanos);
        if (delay != null && !waiter.holds) {
            delay.granted(waiter.requestClass, hasItsMost(waiter.requestClass));
        }
    }

    @Override
    @Nullable
    ClassWaiter next(long nowNanos) {
        ClassWaiter next = null;
        boolean nextBelow = false;
        for (int requestClass = 0; requestClass < classes; requestClass++) {
            ClassWaiter first = inTime(requestClass, nowNanos);
            time.queues(requestClass, first != null);
            if (first == null || !servable(first)) {
                continue;
            }
            boolean below = gate.usedBy(requestClass) < guarantee[requestClass] * gate.limit();
            boolean before = next == null || (below == nextBelow ? time.less(requestClass, next.requestClass) : below);
            if (before) {
                next = first;
                nextBelow = below;
            }
        }
        return next;
    }

    /** The first one of a class whose time is not over. The others are answered: they leave without a permit. */
    private @Nullable ClassWaiter inTime(int requestClass, long nowNanos) {
        ClassWaiter first;
        while ((first = queues.first(requestClass)) != null && first.expired(nowNanos)) {
            if (first.claim.compareAndSet(Waiter.PENDING, Waiter.GONE)) {
                try {
                    gate.stopped(first, nowNanos);
                } finally {
                    first.wake();
                }
            }
        }
        return first;
    }
}
