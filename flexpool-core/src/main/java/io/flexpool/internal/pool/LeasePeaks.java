// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.util.Arrays;

/**
 * The most leases open at once, and the most requests pending at once, since the last tick, computed from the begin and
 * end times that the slots record anyway. A burst between two ticks leaves no other trace: a shared counter of open
 * leases would be one word that all threads write on the direct path. The computation costs the tick a sort of two
 * numbers per lease, 0.1 µs, and the path nothing more than the recording for an advice.
 *
 * <p>Leases that are open when the tick begins are read before the block is taken: so each lease was read, or is in the
 * block, or both. A lease that ends in between is both, and is recognised by its begin. Times have a resolution of 64
 * ns, so a lease may seem to begin before its predecessor has ended: overlaps of less than {@value #BLUR_NANOS} ns do
 * not count.
 *
 * <p>Only answered requests are recorded. A request that is pending at both ticks was pending between them. A request
 * that is pending only at the second tick counts from then on, because its arrival is unknown until it is answered.
 *
 * <p>For the tick's thread.
 */
final class LeasePeaks {
    /** The largest error by truncation of a wait and a begin. */
    private static final long BLUR_NANOS = 128;
    /** The end of an open lease: far, but a begin can be subtracted without overflow. */
    private static final long OPEN = Long.MAX_VALUE >> 1;

    private final Intervals leases = new Intervals();
    private final Intervals waits = new Intervals();
    /** Leases that the last tick did not count to their end. */
    private Intervals carried = new Intervals();

    private Intervals spare = new Intervals();

    private long beforeNanos;
    private int pendingBefore;
    private boolean begun;
    private int active;
    private int pending;

    /** Begins and ends, relative to the last tick. */
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

        /** The most intervals at once from time 0 to {@code until}. */
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

    /** Notes that the data since the last tick is incomplete: the next tick begins anew. */
    void missed() {
        begun = false;
    }

    /**
     * Takes the ended leases.
     *
     * @param open begin and wait of each lease that was open before the block was taken, by the pool's clock
     * @return whether the data since the last tick is complete
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
                // It ended after the tick began, so the next tick counts the rest of it.
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

    /** Whether one of the leases that were read as open has this begin. */
    private boolean isAmong(int read, long begin) {
        for (int at = 0; at < read; at++) {
            if (leases.ends[at] == OPEN && Math.abs(leases.begins[at] - begin) <= BLUR_NANOS) {
                return true;
            }
        }
        return false;
    }

    /** The number of these requests that were pending at the last tick. */
    private int waitedAtBegin() {
        int waited = 0;
        for (int at = 0; at < waits.size; at++) {
            waited += waits.begins[at] <= 0 && waits.ends[at] > 0 ? 1 : 0;
        }
        return waited;
    }
}
