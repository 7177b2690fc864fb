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
 * The queues of a {@link Gate} with classes of requests. Each class has a queue, a guaranteed part of the permits, and
 * perhaps a maximum. Permits that are not guaranteed, or not used by their class, may go to any class. No lease is
 * interrupted: a class gets its guaranteed permits back as the leases of other classes that use them end.
 *
 * <p><b>Order.</b> A free permit goes to a class below its guarantee, otherwise to a class below its maximum. Among
 * several classes it goes to the class with the least permit time since the queues began, relative to its share. Within
 * a class, threads that already hold a permit go first, then the oldest request, or the oldest of the {@linkplain
 * TenantQueue tenant} with the least permit time; in a class that is {@linkplain ControlledDelay shed}, the newest. The
 * rules of {@link Gate} for newcomers and short leases apply to waiters that may get a permit; expired waiters get
 * none.
 *
 * <p><b>How it works.</b> Beside the gate's word, which counts all permits, each class has a counter of the permits
 * that it uses. A parked permit stays counted for the class of its slot's last lease. So a thread with requests of one
 * class takes and parks its permit without writing to memory that other threads use, as without classes. Only a permit
 * that changes its class changes two counters.
 *
 * <p>One thread at a time assigns permits, because the choice depends on the counters of all classes. If another thread
 * is assigning them, a thread increments {@code pendingRuns} and continues, and the other one runs again. So no thread
 * waits and no change is missed.
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
    /** Salt of the hash: tenants that collide in one gate do not collide in every other gate. */
    private final int salt = ThreadLocalRandom.current().nextInt();

    /** The number of calls of {@link #serve}, whichever thread assigned the permits. */
    private final AtomicInteger pendingRuns = new AtomicInteger();
    /** Whether the next run also grants permits to waiters that newcomers may overtake. */
    private volatile boolean forceNext;
    /** Whether one permit is reserved for the first class. Written by the tick only. */
    private volatile boolean spares;
    /** 1 while a thread assigns permits, otherwise 0. */
    @SuppressWarnings("unused") // through SERVING
    private volatile int serving;

    /** Used only by the thread that assigns permits. */
    private final ClassTime time;
    /** Whether the gate was paused at the last assignment. Used only by the assigning thread. */
    private boolean pausedBefore;

    /**
     * Creates the queues for the shares of the classes, in order. Requests without a class belong to the first one.
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

    /** Creates a gate with these queues. It returns a Gate, so that callers without classes do not load this class. */
    public static Gate gate(int limit, Ticker ticker, AcquisitionOrder order, List<ClassShare> shares, boolean sheds) {
        return new ClassGate(limit, ticker, order, shares, sheds).gate;
    }

    /** Returns the class queues of a gate; null if it has a single queue. */
    public static @Nullable ClassGate of(Gate gate) {
        return gate.line instanceof ClassGate its ? its : null;
    }

    /** Returns the gate of these queues. */
    public Gate gate() {
        return gate;
    }

    // ---- waiters ----

    /** As {@link #join(long, int, int, boolean, long, long)}, for a request without a tenant or a deadline. */
    public ClassWaiter join(long sinceNanos, int requestClass, boolean holds, long expiresNanos) {
        return join(sinceNanos, requestClass, TenantQueue.NONE, holds, expiresNanos, NEVER);
    }

    /**
     * As {@link Gate#join(long)}. If the class is shed, the waiter has a deadline.
     *
     * @param tenant the {@linkplain #place place} of its tenant
     * @param holds whether the thread holds a permit already
     * @param expiresNanos when a permit becomes useless; {@link Long#MAX_VALUE} for never
     * @param answerNanos when the end of the lease becomes useless. The waiter leaves earlier, by the 90th percentile
     *     of the class's lease times, but by at most half of the remaining time; {@link Long#MAX_VALUE} for never
     */
    public ClassWaiter join(
            long sinceNanos, int requestClass, int tenant, boolean holds, long expiresNanos, long answerNanos) {
        long shedNanos = delay == null || holds || gate.paused()
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
     * The part of the time until the answer that is reserved for the lease; at most half. Lease times are recorded only
     * while requests wait: after long leases, a reserve of the whole time would let none wait, and never be updated.
     */
    private long reserved(int requestClass, long answerNanos) {
        return Math.min(lengths[requestClass].most(), Math.max(0, answerNanos - ticker.nanos()) / 2);
    }

    /** Returns the index of a tenant's queue within a class; the tenant is null for a request without one. */
    public int place(@Nullable String tenant) {
        return tenant == null ? TenantQueue.NONE : TenantQueue.place(tenant.hashCode() ^ salt);
    }

    /** Records the end of a lease, before its permit is released. Lease times matter only while requests wait. */
    public void ended(long leaseNanos, int requestClass, int tenant) {
        if (gate.waitingCount() > 0) {
            queues.ended(requestClass, tenant, leaseNanos);
            lengths[requestClass].add(leaseNanos);
        }
    }

    /** Returns the delay before a retry of a shed request: until the current waiters have been served. */
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

    /** Whether a class is full by its configured maximum, not by the permit reserved for the first class. */
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

    /** Whether a full class without a configured maximum may take a permit parked by another class except the first. */
    private boolean exchanges(int requestClass) {
        return most[requestClass] == ClassShare.SPARING
                && gate.usedBy(requestClass) + usedBeside(requestClass) <= together();
    }

    /** The most permits of all classes except the first, together, while one is reserved for the first. */
    private int together() {
        return Math.max(1, gate.limit() - gate.foreign() - 1);
    }

    /** The permits of all classes except the first and this one. */
    private int usedBeside(int requestClass) {
        int sum = 0;
        for (int other = 1; other < classes; other++) {
            sum += other == requestClass ? 0 : gate.usedBy(other);
        }
        return sum;
    }

    /** Whether a class uses its configured maximum: a higher limit would give it no more permits. */
    public boolean isAtMaximum(int requestClass) {
        return most[requestClass] != ClassShare.SPARING
                && !gate.opened()
                && gate.usedCount(requestClass) >= most[requestClass];
    }

    /**
     * The most permits of a class now; {@link Integer#MAX_VALUE} without a maximum. While one permit is reserved for
     * the first class, a class without a configured maximum may use the permits of {@link #together} that the other
     * classes do not use, and at least its guarantee.
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
     * Sets whether the first class is in use: only then a permit is reserved for it. Called by the tick, before it
     * {@linkplain Gate#repair serves} the waiters.
     */
    public void spares(boolean firstInUse) {
        spares = firstInUse;
    }

    /** How long the oldest waiter of a class has waited; 0 if none waits. */
    public long oldestWaitNanos(long nowNanos, int requestClass) {
        Waiter oldest = queues.oldestOfAll(requestClass);
        return oldest == null ? 0 : Math.max(0, nowNanos - oldest.sinceNanos);
    }

    /** Returns the number of waiting requests of a class, at most {@code countsTo}. Takes time linear in the result. */
    public int waitingCount(int requestClass, int countsTo) {
        return queues.waiting(requestClass, countsTo);
    }

    // ---- all queues as one line ----

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

    /** A permit may be parked beside waiters that cannot use it, because their class is full. */
    @Override
    boolean letsPark(Gate its, long nowNanos, long leaseNanos) {
        boolean brief = leaseNanos <= its.briefNanos;
        for (int requestClass = 0; requestClass < classes; requestClass++) {
            ClassWaiter first = queues.first(requestClass);
            if (first != null && servable(first) && !(brief && first.letsPass(nowNanos, its.passNanos))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a permit can go to the first waiter of a class: the class is not full, it may take a parked permit, or
     * the waiter's thread holds one.
     */
    private boolean servable(ClassWaiter first) {
        return first.holds || !gate.full(first.requestClass) || isParked(first.requestClass);
    }

    /** Whether a full class may take a parked permit: one of the class itself, or one that it {@link #exchanges}. */
    private boolean isParked(int requestClass) {
        boolean any = gate.parked.count(requestClass) > 0;
        for (int other = 1; !any && other < classes && exchanges(requestClass); other++) {
            any = gate.parked.count(other) > 0;
        }
        return any;
    }

    // ---- who is served ----

    @Override
    void serve(Gate its, long nowNanos, boolean now, long leaseNanos) {
        if (!now && allTry(its, nowNanos, leaseNanos)) {
            return;
        }
        if (now) {
            // Set before the increment: the assigning thread reads the counter first and then this flag.
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
                observeQueues(at);
                its.serveAll(at, now || any || again, leaseNanos);
                time.since(its, its.waitingCount() > 0);
                again = true;
            } finally {
                // A plain store: a call could overflow the stack.
                serving = 0;
            }
        } while (seen != pendingRuns.get());
    }

    /**
     * Whether the first waiter of each class has been woken to try and may be passed by newcomers. Then the caller,
     * which has freed a permit, returns without choosing a waiter and without a write.
     *
     * <p>The permit is not forgotten. The caller frees the permit, executes a fence, and reads queues and flags. A
     * waiter joins its queue, clears its flag, executes a fence and then assigns permits in any case; a thread that is
     * already assigning them runs again. If the caller reads a set flag, or does not find a waiter that joins, its
     * fence came first. That waiter has yet to assign permits, and finds this permit. It grants it to the waiter that
     * is next by then, also of another class. A waiter that leaves assigns permits too. If its thread is not scheduled,
     * newcomers overtake it for at most 1 ms; then the next freed permit, or the tick, runs the assignment.
     */
    private boolean allTry(Gate its, long nowNanos, long leaseNanos) {
        boolean brief = leaseNanos <= its.briefNanos;
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

    private void observeQueues(long nowNanos) {
        for (LeaseLengths its : lengths) {
            its.update();
        }
        if (delay != null && (gate.paused() || pausedBefore)) {
            // Requests that wait because the gate is paused are no sign of overload.
            pausedBefore = gate.paused();
            delay.beginAnew(nowNanos);
        } else if (delay != null) {
            for (int requestClass = 0; requestClass < classes; requestClass++) {
                delay.observe(requestClass, hasItsMost(requestClass) ? null : queues.oldest(requestClass), nowNanos);
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

    /** Returns the first waiter of a class before its deadline. Removes the expired waiters ahead of it. */
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
