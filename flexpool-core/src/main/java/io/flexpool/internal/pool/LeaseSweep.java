// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.util.Arrays;

/**
 * How many leases were open at once at most, and how many requests pending, since the tick before: from the begin and the end
 * of each, which the slots record anyhow. A burst between two ticks leaves no other trace: a count of what is open, shared by all
 * threads and compared with its maximum by each lease, would be what the whole of flexpool avoids on the direct path, a word that all
 * of them write. It costs the tick a sort of two numbers for each lease, 0.1 µs, and the path nothing that it does not pay
 * already for an advice.
 *
 * <p>Leases that are open when the tick begins are read before the block is taken: each is then in the block, or was read, or both.
 * One that ends in between is in both; it is recognised by its begin. Times are kept to 64 ns, so that one lease may seem to begin
 * a moment before another has ended that it followed: overlaps of less than {@value #BLUR_NANOS} ns do not count.
 *
 * <p>Of the pending requests only those are recorded that were answered. One that is pending at both ticks was so between them; one
 * that is pending at the second alone counts from then on, for the time of its arrival is not known before its end.
 *
 * <p>For the tick's thread.
 */
final class LeaseSweep {
    /** What the truncation of a wait and a begin may come to. */
    private static final long BLUR_NANOS = 128;
    /** The end of a lease that is open: far, and still no overflow when a begin is taken from it. */
    private static final long OPEN = Long.MAX_VALUE >> 1;

    private final Intervals leases = new Intervals();
    private final Intervals waits = new Intervals();
    /** Leases that the tick before did not count to their end. */
    private Intervals carried = new Intervals();

    private Intervals spare = new Intervals();

    private long beforeNanos;
    private int pendingBefore;
    private boolean begun;
    private int active;
    private int pending;

    /** Begins and ends, counted from the tick before. */
    private static final class Intervals {
        private long[] begins = {};
        private long[] ends = {};
        private int size;

        void add(long begin, long end) {
            if (end - begin < BLUR_NANOS) {
                return;
            }
            if (size == begins.length) {
                int more = Math.max(16, 2 * size);
                begins = Arrays.copyOf(begins, more);
                ends = Arrays.copyOf(ends, more);
            }
            begins[size] = begin;
            ends[size++] = end;
        }

        void clear(int mostKept) {
            size = 0;
            if (begins.length > mostKept) {
                begins = new long[0];
                ends = new long[0];
            }
        }

        /** How many there were at once at most, after the begin of time and until then. */
        int most(long until) {
            Arrays.sort(begins, 0, size);
            Arrays.sort(ends, 0, size);
            int count = 0;
            int ended = 0;
            int at = 0;
            for (; at < size && begins[at] <= 0; at++) {
                count++;
            }
            for (; ended < size && ends[ended] < BLUR_NANOS; ended++) {
                count--;
            }
            int most = count;
            for (; at < size && begins[at] <= until; at++) {
                for (; ended < size && ends[ended] < begins[at] + BLUR_NANOS; ended++) {
                    count--;
                }
                count++;
                most = Math.max(most, count);
            }
            return most;
        }
    }

    /** The most leases open at once between the last two ticks. */
    int active() {
        return active;
    }

    /** The most requests pending at once between the last two ticks. */
    int pending() {
        return pending;
    }

    /** What happened since the tick before is not known in full: the next one begins anew. */
    void missed() {
        begun = false;
    }

    /**
     * Takes what has ended.
     *
     * @param open of each lease that was open before the block was taken its begin and its wait, by the pool's clock
     * @param pendingNow requests that are pending
     * @return whether it knows all since the tick before
     */
    boolean take(LeaseBlock block, long[] open, int pendingNow) {
        long now = block.takenNanos();
        beforeNanos = begun ? beforeNanos : now;
        long length = now - beforeNanos;
        boolean whole = length > 0;
        Intervals before = carried;
        carried = spare;
        spare = before;
        if (whole) {
            addOpen(open);
            for (int at = 0; at < before.size; at++) {
                leases.add(before.begins[at] - beforeNanos, before.ends[at] - beforeNanos);
            }
        }
        int read = leases.size;
        for (int at = 0; at < block.size(); at++) {
            long arrival = block.arrivalNanos(at) - beforeNanos;
            long begin = arrival + block.waitNanos(at);
            long end = begin + block.leaseNanos(at);
            boolean later = end > length;
            if (later) {
                // It has ended after the tick began, so the next one counts its rest.
                carried.add(begin + beforeNanos, end + beforeNanos);
            }
            if (whole && !(later && isAmong(read, begin))) {
                leases.add(begin, end);
                waits.add(arrival, begin);
            }
        }
        if (whole) {
            int still = Math.max(0, pendingBefore - waitedAtBegin());
            active = leases.most(length);
            pending = Math.max(pendingNow, still + waits.most(length));
        }
        int kept = 4 * Math.max(16, Math.max(leases.size, waits.size));
        leases.clear(kept);
        waits.clear(kept);
        before.clear(kept);
        beforeNanos = now;
        pendingBefore = pendingNow;
        begun = true;
        return whole;
    }

    private void addOpen(long[] open) {
        for (int at = 0; at < open.length; at += 2) {
            long begin = open[at] - beforeNanos;
            leases.add(begin, OPEN);
            waits.add(begin - open[at + 1], begin);
        }
    }

    /** Whether one of the leases that were read is open and began then. */
    private boolean isAmong(int read, long begin) {
        for (int at = 0; at < read; at++) {
            if (leases.ends[at] == OPEN && Math.abs(leases.begins[at] - begin) <= BLUR_NANOS) {
                return true;
            }
        }
        return false;
    }

    /** How many of the requests were pending when the tick before was. */
    private int waitedAtBegin() {
        int waited = 0;
        for (int at = 0; at < waits.size; at++) {
            waited += waits.begins[at] <= 0 && waits.ends[at] > 0 ? 1 : 0;
        }
        return waited;
    }
}
