// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The records of one slot for leases: counts, sums, extremes and histograms of its acquisitions and its leases.
 *
 * <p>It has <em>one writer at a time</em>, the thread that has the slot, and the next owner of the slot sees all
 * earlier writes. So a record is some plain additions, while a shared histogram needs three atomic additions of 5 ns.
 * Readers may be one record behind; they never see a lease that has ended and was not acquired.
 *
 * <p>The buckets of both histograms are in one array, in blocks of an octave, without unused blocks. Whole histograms
 * would take 200 KiB a pool with 32 stripes. If there is no block for a duration, a longer array replaces it, some
 * times in the life of a slot. The fields that each cycle writes have 64 unused bytes before and behind them. Wherever
 * the collector moves them, no other slot's words are on their cache lines. Without these bytes the last slot of a
 * stripe shared a line with words that the next stripe's thread reads, in every JVM after its first collection.
 */
public class SlotRecords extends SlotLeftPad {
    /** Longs of a cache line. */
    private static final int PAD = 8;

    private static final int LEASES = Buckets.BLOCKS;
    private static final byte NONE = -1;
    private static final VarHandle ACQUIRED = field("acquired");
    private static final VarHandle RELEASED = field("released");
    private static final VarHandle REQUESTS = field("requests");
    private static final VarHandle ACQUISITION_NANOS = field("acquisitionNanos");
    private static final VarHandle LEASE_NANOS = field("leaseNanos");
    private static final VarHandle LONGEST_ACQUISITION = field("longestAcquisition");
    private static final VarHandle LONGEST_LEASE = field("longestLease");
    private static final VarHandle SHORTEST_ACQUISITION = field("shortestAcquisition");
    private static final VarHandle SHORTEST_LEASE = field("shortestLease");

    @SuppressWarnings("UnusedVariable") // read through its handle, as the next three
    private long acquired;

    @SuppressWarnings("UnusedVariable")
    private long released;

    @SuppressWarnings("UnusedVariable")
    private long acquisitionNanos;

    @SuppressWarnings("UnusedVariable")
    private long leaseNanos;

    /** Requests that took the slot before they were answered. Written first, by the slot's owner only. */
    protected long requests;

    private long longestAcquisition;
    private long longestLease;
    private long shortestAcquisition = Long.MAX_VALUE;
    private long shortestLease = Long.MAX_VALUE;
    private volatile Blocks blocks = Blocks.EMPTY;

    /** The positions of each octave's block in the counts, first for acquisitions, then for leases. */
    private static final class Blocks {
        /** Several blocks at a time, because durations vary over some octaves. */
        private static final int MORE = 4;

        static final Blocks EMPTY = empty();

        final byte[] places;
        final AtomicLongArray counts;
        private final int used;

        private Blocks(byte[] places, int used, AtomicLongArray counts) {
            this.places = places;
            this.used = used;
            this.counts = counts;
        }

        private static Blocks empty() {
            byte[] places = new byte[2 * Buckets.BLOCKS];
            Arrays.fill(places, NONE);
            return new Blocks(places, 0, new AtomicLongArray(0));
        }

        /** A copy with a further block. */
        Blocks with(int block) {
            int length = PAD + (used + 1) * Buckets.PER_BLOCK + PAD;
            AtomicLongArray all = counts;
            if (length > counts.length()) {
                all = new AtomicLongArray(length + (MORE - 1) * Buckets.PER_BLOCK);
                for (int at = 0; at < counts.length(); at++) {
                    all.setPlain(at, counts.getPlain(at));
                }
            }
            byte[] further = places.clone();
            further[block] = (byte) used;
            return new Blocks(further, used + 1, all);
        }
    }

    /** Records an acquisition. Called by the slot's owner only. If it throws, nothing was counted. */
    public final void acquired(long nanos) {
        count(0, nanos);
        // Inline, because any call may overflow the stack, and from here on all counts must change together.
        acquired++;
        acquisitionNanos += nanos;
        try {
            if (nanos > longestAcquisition) {
                longer(LONGEST_ACQUISITION, nanos);
            }
            if (nanos < shortestAcquisition) {
                shorter(SHORTEST_ACQUISITION, nanos);
            }
        } catch (VirtualMachineError counted) {
            return;
        }
    }

    /** Records the end of a lease. Called by the slot's owner only. If it throws, nothing was counted. */
    public final void released(long nanos) {
        // A reader that sees this count sees the acquisition too.
        VarHandle.releaseFence();
        count(LEASES, nanos);
        released++;
        leaseNanos += nanos;
        try {
            if (nanos > longestLease) {
                longer(LONGEST_LEASE, nanos);
            }
            if (nanos < shortestLease) {
                shorter(SHORTEST_LEASE, nanos);
            }
        } catch (VirtualMachineError counted) {
            return;
        }
    }

    private void count(int first, long nanos) {
        int position = position(nanos);
        int block = first + (position >>> Buckets.SHIFT);
        Blocks now = blocks;
        int place = now.places[block];
        if (place == NONE) {
            now = now.with(block);
            place = now.places[block];
            blocks = now;
        }
        AtomicLongArray counts = now.counts;
        int at = PAD + place * Buckets.PER_BLOCK + (position & Buckets.IN_BLOCK);
        counts.setOpaque(at, counts.getPlain(at) + 1);
    }

    /**
     * The position of a duration's bucket, from 0. In this class, because each lease needs two positions.
     *
     * @param nanos any number; below 1 counts as 1
     * @return OpenTelemetry's index less {@link io.flexpool.monitoring.HistogramSnapshot#FIRST_INDEX}
     */
    static int position(long nanos) {
        long duration = Math.max(1, nanos);
        int leading = Long.numberOfLeadingZeros(duration);
        int below = (int) ((duration << (leading + 1)) >>> (Long.SIZE - Buckets.BITS));
        int position = Buckets.START[((Long.SIZE - 1 - leading) << Buckets.BITS) + below];
        return duration > Buckets.UPPER[position] ? position + 1 : position;
    }

    /** Raises the longest duration. Rare, and atomic, because a reader may reset it at the same time. */
    private void longer(VarHandle longest, long nanos) {
        long seen = (long) longest.getOpaque(this);
        while (nanos > seen && !longest.compareAndSet(this, seen, nanos)) {
            seen = (long) longest.getOpaque(this);
        }
    }

    private void shorter(VarHandle shortest, long nanos) {
        long seen = (long) shortest.getOpaque(this);
        while (nanos < seen && !shortest.compareAndSet(this, seen, nanos)) {
            seen = (long) shortest.getOpaque(this);
        }
    }

    // ---- for readers ----

    private long read(VarHandle field) {
        return (long) field.getAcquire(this);
    }

    long requests() {
        return read(REQUESTS);
    }

    long acquisitions() {
        return read(ACQUIRED);
    }

    long releases() {
        return read(RELEASED);
    }

    long acquisitionNanos() {
        return read(ACQUISITION_NANOS);
    }

    long leaseNanos() {
        return read(LEASE_NANOS);
    }

    /** The longest lease, or acquisition, since it was last reset. */
    long longest(boolean lease, boolean reset) {
        VarHandle field = lease ? LONGEST_LEASE : LONGEST_ACQUISITION;
        long longest = (long) field.getAcquire(this);
        return reset && longest != 0 ? (long) field.getAndSet(this, 0L) : longest;
    }

    /** The shortest lease, or acquisition, since the last reset; {@code Long.MAX_VALUE} without one. */
    long shortest(boolean lease, boolean reset) {
        VarHandle field = lease ? SHORTEST_LEASE : SHORTEST_ACQUISITION;
        long shortest = (long) field.getAcquire(this);
        return reset && shortest != Long.MAX_VALUE ? (long) field.getAndSet(this, Long.MAX_VALUE) : shortest;
    }

    /** Adds the buckets of the leases, or acquisitions, to counts by position. */
    void addTo(long[] sums, boolean lease) {
        Blocks now = blocks;
        int first = lease ? LEASES : 0;
        for (int block = 0; block < Buckets.BLOCKS; block++) {
            int place = now.places[first + block];
            for (int bucket = 0; place != NONE && bucket < Buckets.PER_BLOCK; bucket++) {
                sums[block * Buckets.PER_BLOCK + bucket] +=
                        now.counts.getOpaque(PAD + place * Buckets.PER_BLOCK + bucket);
            }
        }
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(SlotRecords.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

/** Padding before the fields of its subclasses. Never read. */
@SuppressWarnings({"unused", "MultipleTopLevelClasses"}) // padding is there to be unused, and belongs to the one class
abstract class SlotLeftPad {
    private long l0;
    private long l1;
    private long l2;
    private long l3;
    private long l4;
    private long l5;
    private long l6;
    private long l7;
}
