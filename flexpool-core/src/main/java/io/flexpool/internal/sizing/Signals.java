// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/** The signals of a tick, computed from the windows so far. Immutable. Times in seconds. */
final class Signals {
    private static final double NANOS = 1e9;
    private static final int SECOND = History.SECOND;
    /** Requests wait for the limit if it bound for this part of a tick. */
    private static final double BINDS = 0.3;
    /** A queue presses if the limit bound for this part of PRESSING_TICKS. */
    private static final double PRESSES = 0.8;
    /** 2.5 s: a pool at 88 % of its peak always has short queues, which cost less than a probe. */
    private static final int PRESSING_TICKS = 10;
    /** A tick counts for a limit's rate if the limit bound for this part of the tick. */
    static final double BOUND = 0.5;
    /** If requests time out before a queue shows, the limit binds if this part of it was in use. */
    static final double BOUND_USE = 0.7;
    /** A queue presses if waits exceed this many leases. */
    private static final int LEASES = 2;
    /** From this number of open leases on, their median age counts; two leaks would distort a mean. */
    private static final int OPEN_ENOUGH = 4;
    /** The weight of the age of open leases. */
    private static final double OPEN_WEIGHT = 0.85;
    /** A lease is occupied after this time and STUCK_LEASES. */
    private static final double STUCK_SECONDS = 2;
    /** A lease is occupied after STUCK_SECONDS and this many calm leases. */
    private static final double STUCK_LEASES = 60;
    /** The pool stalls if no connection is returned for this time, two ticks at least. */
    static final double STALL_SECONDS = 0.4;

    /** STALL_SECONDS while occupied connections are remembered. */
    private static final double STALL_AGAIN_SECONDS = 0.15;
    /** The time of a stall, as a multiple of the calm lease, if that is longer than STALL_SECONDS. */
    private static final double STALL_LEASES = 5;

    /** Leases of a slow database last this many times a calm one: its throughput peaks there. */
    private static final double SLOW_RATIO = 2;

    /** A slow database has recovered when leases are shorter than this many low-load leases. */
    private static final double OVER = 1.5;
    /** The least number of connections that may compensate for occupied ones. */
    private static final int LEAST_BUDGET = 4;

    final PoolWindow window;
    final int limit;
    final int base;
    final int ceiling;
    final int active;
    /** The lowest limit: the setting, or the base if that is lower. */
    final int min;
    /** The time since the last tick. */
    final double length;
    /** The leases that ended within this tick, and its length. */
    final Rate completed;
    /** The ended leases that did not count as occupied, and their total time. */
    final Rate ordinary;
    /** λ, requests a second. */
    final double arrivalRate;
    /** S, the recent mean lease. */
    final double lease;
    /** The recent mean lease, or more if the open leases are older than it explains. */
    final double stretched;
    /** SR, the lease at low load; 0 if unknown. */
    final double calmLease;
    /** Whether enough leases were measured to judge by the calm lease. */
    final boolean calmKnown;
    /** Whether the calm lease can be estimated. */
    final boolean estimated;
    /** Requests that timed out within the last second. */
    final long timeouts;
    /** Share of the last second in which the limit bound. */
    final double saturated;
    /** How long the oldest request has waited. */
    final double headAge;
    /** The age from which a lease counts as occupied, nanoseconds. */
    final long stuckNanos;
    /** Whether all connections have been in use for long without a return. */
    final boolean stalled;
    /** The leases so long that their connections count as occupied: leaks, or regular long jobs. */
    final int stuck;
    /** Whether the limit binds now and requests wait for it. */
    final boolean limited;
    /** Whether leases last more than a second, so that a trial would end with too few leases. */
    final boolean longLeases;
    /** Whether requests timed out lately, and all connections are in use. */
    final boolean failing;
    /** Whether the limit has bound for seconds, with considerable waits. */
    final boolean pressing;

    /** The most leases that counted as occupied at once in the last minutes. */
    private final int takenBefore;

    private final double target;
    private final double calmRate;
    private final double spread;

    private final long completions;
    /** The connections that the requests of all classes use with low-load lease times; NaN without classes. */
    private final double load;

    Signals(
            PoolWindow window,
            double length,
            History history,
            CalmLease calm,
            CalmClasses classes,
            int takenBefore,
            SizingSettings settings) {
        this.takenBefore = takenBefore;
        this.window = window;
        this.limit = window.limit();
        this.base = window.base();
        this.ceiling = window.ceiling();
        this.active = window.active();
        this.length = length;
        this.headAge = window.headAgeNanos() / NANOS;
        this.target = settings.waitTargetSeconds();
        this.calmRate = calm.rate();
        this.calmLease = calm.seconds();
        this.calmKnown = calm.known();
        this.estimated = calm.estimated();
        this.completed = new Rate((double) window.traffic().completions(), length);
        this.completions = history.completions(SECOND);
        this.ordinary = history.leasesAgo(0, 1);
        this.saturated = history.saturated(SECOND);
        this.timeouts = history.timeouts(SECOND);
        this.min = Math.min(settings.min(), base);
        Rate ended = history.leases(SECOND, History.SIZE, CalmLease.ENOUGH);
        double stretch = classes.stretch(history.leasesByClass(SECOND));
        boolean byClass = calmKnown && !Double.isNaN(stretch);
        // Weighted by class as at low load: otherwise the mean rises when by chance one more long lease ends.
        this.lease = byClass ? stretch * calmLease : ended.mean();
        this.spread = calm.spread();
        this.stuckNanos = (long) ((STUCK_SECONDS + STUCK_LEASES * (lease > 0 ? lease : calmLease)) * NANOS);
        int open = window.open().count();
        boolean full = window.waiting() > 0 && active >= limit;
        long stall = (long)
                (NANOS * Math.max(takenBefore > 0 ? STALL_AGAIN_SECONDS : STALL_SECONDS, STALL_LEASES * calmLease));
        this.stalled = calm.guessed() && full && open > 0 && window.open().olderThan(stall) == open;
        this.stuck = stalled ? open : window.open().olderThan(stuckNanos);
        // A long lease is open more often than a short one, so with several classes the ages prove little.
        this.stretched = byClass || active - stuck < OPEN_ENOUGH
                ? lease
                : Math.max(lease, OPEN_WEIGHT * window.open().medianAgeNanos(stuckNanos) / NANOS / ((1 + spread) / 2));
        // With a short timeout a tick seldom finds a queue; the failures show it.
        int recent = ticksOfALease();
        this.longLeases = recent > SECOND;
        this.failing = active >= limit && window.filled() && history.timeouts(recent) > 0;
        this.limited = failing || (full && (window.traffic().saturated() > BINDS || headAge > target));
        int some = history.ticksOfArrivals(SECOND, CalmLease.FEW);
        double lately = history.arrivalRate(some);
        // A load that has just begun fills only part of the last second.
        this.arrivalRate = limited ? Math.max(lately, history.arrivalRate(some / 2)) : lately;
        double all = classes.load(window.traffic().classes(), history.arrivalRates(SECOND), stuck);
        double begun = classes.load(window.traffic().classes(), history.arrivalRates(SECOND / 2), stuck);
        this.load = limited ? Math.max(all, begun) : all;
        this.pressing = limited && ((failing && (longLeases || history.timeouts(2 * recent) > 1)) || presses(history));
    }

    /** Whether the queue is long, relative to lease times, and lasts, unlike a burst that is served soon. */
    private boolean presses(History history) {
        double tooLong = Math.max(target, LEASES * lease);
        int ticks = headAge > 1.0 / SECOND || timeouts > 0 ? SECOND : PRESSING_TICKS;
        return headAge > tooLong && history.saturated(ticks) >= PRESSES && history.headAge(ticks) > tooLong;
    }

    /** A second, or the lease time: with long leases few requests arrive and time out in a second. */
    private int ticksOfALease() {
        double lasts = lease > 0 ? lease : window.open().meanAgeNanos() / NANOS;
        return (int) Math.max(SECOND, Math.min(EpisodeTracker.AGO_TO, SECOND * lasts));
    }

    /** Whether the limit bound within this tick: the connections in use show it if requests fail at once. */
    boolean bound() {
        double active = window.traffic().meanActive();
        return window.traffic().saturated() >= BOUND || (failing && active >= BOUND_USE * limit);
    }

    /** Whether a request timed out within this tick. */
    boolean timedOut() {
        return window.traffic().timeouts() > 0;
    }

    /** The time since the limit was last raised, for any reason. */
    double sinceGrowth() {
        return limit > base ? (window.nowNanos() - window.lastGrowthNanos()) / NANOS : length;
    }

    /** The number of connections that the load needs with this lease time. */
    int need(double leaseSeconds) {
        boolean byClass = !Double.isNaN(load) && calmLease > 0;
        return need(byClass ? load * leaseSeconds / calmLease : arrivalRate * leaseSeconds, leaseSeconds);
    }

    /** The need of busy connections with low-load lease times, plus compensation for occupied ones. */
    int loadNeed(double busy) {
        return need(busy, calmLease > 0 ? calmLease : lease) + budget();
    }

    /** The wait for the end of a lease is longer the more unequal leases are (Pollaczek and Khinchine). */
    private int need(double load, double leaseSeconds) {
        return leaseSeconds <= 0 ? 1 : ErlangC.size(load, leaseSeconds * (1 + spread) / 2, target, ceiling);
    }

    /** The most connections that compensate for occupied ones. */
    int budget() {
        return Math.min(Math.max(LEAST_BUDGET, (ceiling - base) / 2), stuck);
    }

    /** The budget while requests wait: their leases may be as long, and as many as last time may become occupied. */
    int takenBudget() {
        int alike = stuck + (stalled ? Math.min(stuck, window.waiting()) : 0);
        return Math.min(Math.max(LEAST_BUDGET, (ceiling - base) / 2), Math.max(alike, takenBefore));
    }

    /** The need at low load, plus occupied connections. */
    int calmNeed() {
        return need(calmLease) + stuck;
    }

    /** The need with the present lease times, plus occupied connections. */
    int presentNeed() {
        return need(stretched) + stuck;
    }

    /** The expected p99 wait at a limit with the present lease times. */
    double expectedWait(int at) {
        return stretched <= 0
                ? Double.NaN
                : ErlangC.p99WaitSeconds(Math.max(1, at - stuck), arrivalRate * stretched, stretched);
    }

    /** The ratio of lease times to low-load lease times; 1 if unknown. */
    private double slowdown() {
        return calmKnown && calmLease > 0 ? stretched / calmLease : 1;
    }

    /** The lease time of a database at its peak throughput. */
    double slowLease() {
        return SLOW_RATIO * calmLease;
    }

    /** Whether leases are shorter than {@link #slowLease}, so that more connections complete more. */
    boolean brief() {
        return estimated && calmLease > 0 && stretched < slowLease();
    }

    /** Whether leases are slow, and the load does not explain it. */
    boolean databaseSlow() {
        double more = calmRate > 0 ? arrivalRate / calmRate : 1;
        return slowdown() > SLOW_RATIO && slowdown() > more;
    }

    /** Whether leases are short again. */
    boolean recovered() {
        return slowdown() < OVER && completions >= CalmLease.ENOUGH;
    }
}
