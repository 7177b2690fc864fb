// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many recorded leases overlapped, and how many would have overlapped if each had begun with its first
 * statement. Leases are replayed when all leases that overlap them are known, so only up to the start of the oldest
 * open lease. For one thread at a time.
 *
 * <p>A count only at the peak of the leases would be wrong, because at other times more leases can be past their first
 * statement. It was up to 36 % too low in the random minutes of {@code PhasesPartTest}.
 */
final class DeferredLeases {
    /** The number of stored leases beyond which the replay waits less long for open leases. */
    static final int MOST = 8_192;
    /** The age from which the replay does not wait for an open lease. */
    static final long LONG_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long MOMENT_NANOS = Duration.ofMillis(1).toNanos();
    private static final int MINUTES = 60;
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
    /** The record ends a lease up to this time after its connection has passed to the next lease. */
    private static final long BLUR_NANOS = 128;
    /** The value in {@link #firsts} for a lease without a statement. */
    private static final long NEVER = Long.MAX_VALUE;

    // The kinds of events. At the same time, ends come first.
    private static final int END = 0;
    private static final int END_WITHOUT = 1;
    private static final int FIRST = 2;
    private static final int BEGIN = 3;
    private static final int BEGIN_WITHOUT = 4;
    private static final int KIND_BITS = 3;

    /** Times since the origin, in nanoseconds. */
    private long[] begins = new long[64];

    private long[] firsts = new long[64];
    private long[] ends = new long[64];
    private int size;

    private long doneNanos;
    private final @Nullable Minute[] minutes = new Minute[MINUTES];

    /** The peaks of one minute, or of several. */
    static final class Minute {
        private long number;
        private int leased;
        /** The time for which the peak lasted, and within it the summed time of leases before their first statement. */
        private double nanos;

        private double before;
        private int needed;
        private int neededAtMost;
        private boolean waited;

        /** The most connections leased at once. */
        int leased() {
            return leased;
        }

        /** The mean number of leases before their first statement during the peak. */
        int before() {
            return nanos == 0 ? 0 : (int) Math.round(before / nanos);
        }

        /** The most connections needed at once if each lease begins with its first statement. */
        int needed() {
            return needed;
        }

        /** Like {@link #needed()}, but counts leases without a statement in full. */
        int neededAtMost() {
            return neededAtMost;
        }

        /** Whether requests waited: then more connections may have been needed than were leased. */
        boolean waited() {
            return waited;
        }

        private void add(int isLeased, double forNanos, double beforeNanos) {
            if (isLeased > leased) {
                leased = isLeased;
                nanos = 0;
                before = 0;
            }
            if (isLeased == leased) {
                nanos += forNanos;
                before += beforeNanos;
            }
        }

        private void need(int atLeast, int atMost) {
            needed = Math.max(needed, atLeast);
            neededAtMost = Math.max(neededAtMost, atMost);
        }
    }

    /**
     * Adds a lease that has ended.
     *
     * @param before the share of the lease before its first statement; NaN without a statement
     */
    void add(long beginNanos, long leaseNanos, double before) {
        add(
                beginNanos,
                Double.isNaN(before) ? NEVER : beginNanos + Math.round(before * leaseNanos),
                beginNanos + leaseNanos);
    }

    private void add(long begin, long first, long end) {
        if (size == begins.length) {
            begins = Arrays.copyOf(begins, 2 * size);
            firsts = Arrays.copyOf(firsts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        begins[size] = begin;
        firsts[size] = first;
        ends[size++] = end;
    }

    int size() {
        return size;
    }

    /** The time up to which leases have been replayed. */
    long doneNanos() {
        return doneNanos;
    }

    /** Notes that requests wait. */
    void waited(long nowNanos) {
        minute(nowNanos).waited = true;
    }

    /** Restarts the replay now, because some leases were not recorded. */
    void missed(long nowNanos) {
        size = 0;
        doneNanos = nowNanos;
    }

    /**
     * Replays leases up to a time.
     *
     * @param until the time before which all leases are known
     * @param old the starts of open leases that are too old to wait for; entries that have ended meanwhile are skipped
     * @param ran whether each of these has run a statement; the time of its first statement is unknown, so it counts
     *     from its start
     * @param patience the minimum age of these leases, nanoseconds
     * @param most the largest possible size of the pool
     */
    void replay(long until, long[] old, boolean[] ran, long patience, int most) {
        if (until <= doneNanos) {
            return;
        }
        long[] events = new long[3 * (size + old.length)];
        int count = 0;
        for (int at = 0; at < size; at++) {
            if (begins[at] < until) {
                boolean without = firsts[at] == NEVER;
                events[count++] = event(begins[at], without ? BEGIN_WITHOUT : BEGIN);
                events[count++] = event(ends[at], without ? END_WITHOUT : END);
                if (!without) {
                    events[count++] = event(firsts[at], FIRST);
                }
            }
        }
        for (int at = 0; at < old.length; at++) {
            if (!hasEnded(old[at], patience)) {
                events[count++] = event(old[at], BEGIN);
                if (ran[at]) {
                    events[count++] = event(old[at], FIRST);
                }
            }
        }
        Arrays.sort(events, 0, count);
        sweep(events, count, until, most);
        forget(until);
        doneNanos = until;
    }

    /** Packs an event; a time before the replayed part counts as its end. */
    private long event(long nanos, int kind) {
        return (Math.max(0, nanos - doneNanos) << KIND_BITS) | kind;
    }

    /**
     * Whether a lease that was open a tick ago has ended. Allows a small difference, because its age was read after the
     * time.
     */
    private boolean hasEnded(long begin, long patience) {
        for (int at = 0; at < size; at++) {
            if (Math.abs(begins[at] - begin) < MOMENT_NANOS && ends[at] - begins[at] >= patience) {
                return true;
            }
        }
        return false;
    }

    private void sweep(long[] events, int count, long until, int most) {
        int leased = 0;
        int before = 0;
        int without = 0;
        for (int at = 0; at < count; at++) {
            int kind = (int) events[at] & ((1 << KIND_BITS) - 1);
            leased += kind >= BEGIN ? 1 : kind == FIRST ? 0 : -1;
            before += kind == BEGIN ? 1 : kind == FIRST ? -1 : 0;
            without += kind == BEGIN_WITHOUT ? 1 : kind == END_WITHOUT ? -1 : 0;
            long from = doneNanos + (events[at] >> KIND_BITS);
            long to = at + 1 < count ? Math.min(until, doneNanos + (events[at + 1] >> KIND_BITS)) : until;
            if (to - from >= BLUR_NANOS) {
                Minute minute = minute(from);
                minute.add(Math.min(leased, most), (double) (to - from), (double) before * (to - from));
                minute.need(leased - before - without, leased - before);
            }
        }
    }

    private Minute minute(long nanos) {
        long number = nanos / MINUTE_NANOS;
        int place = (int) (number % MINUTES);
        Minute minute = minutes[place];
        if (minute == null || minute.number != number) {
            minute = new Minute();
            minute.number = number;
            minutes[place] = minute;
        }
        return minute;
    }

    /** Drops the leases that ended before a time. */
    private void forget(long until) {
        int kept = 0;
        for (int at = 0; at < size; at++) {
            if (ends[at] > until) {
                begins[kept] = begins[at];
                firsts[kept] = firsts[at];
                ends[kept++] = ends[at];
            }
        }
        size = kept;
    }

    /** Combines the minutes of the last hour. */
    Minute lastHour(long nowNanos) {
        Minute all = new Minute();
        for (Minute minute : minutes) {
            if (minute != null && minute.number > nowNanos / MINUTE_NANOS - MINUTES) {
                all.add(minute.leased, minute.nanos, minute.before);
                all.need(minute.needed, minute.neededAtMost);
                all.waited |= minute.waited;
            }
        }
        return all;
    }
}
