// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one hour, or a sample: the windows of 5 s that a hash picks, or the first parts of these. When there
 * are too many requests, every second window is dropped; if few windows are left, the second half of each. Leases as
 * long as a job's are always kept, because a sample would not show how many overlap. A request takes 20 bytes. For one
 * thread at a time.
 */
final class HourRecord {
    static final int MOST = 25_000;
    private static final int MOST_JOBS = 2_000;
    private static final int FIRST = 64;
    /** The minimum number of windows: fewer may miss important minutes. */
    private static final int ENOUGH_WINDOWS = 32;

    private static final long WINDOW_NANOS = Bootstrap.BLOCK_NANOS;
    private static final long MILLI = 1_000_000;
    /** The time beyond the next tick for which arrivals are already wanted, because a tick may be late. */
    static final long AHEAD_NANOS = 1_000_000_000;

    private static final int UNIT_BITS = 6;
    /** The flag of a nested request, above the bits of the thread number. */
    private static final int NESTED = 1 << 11;

    private static final int ENDING_SHIFT = 12;

    private final int most;
    /** The long leases, in a separate record; null in that record. */
    private final @Nullable HourRecord jobs;

    private long[] arrival = {};
    /** In units of 64 ns; longer times than 137 s as negative milliseconds. */
    private int[] wait = {};

    private int[] lease = {};
    private short[] site = {};
    /** The code of the ending, the flag of a nested request, and the thread's number. */
    private short[] rest = {};

    private int size;
    /** How often every second window was dropped, and how often windows were halved. */
    private int halved;

    private int shortened;

    HourRecord(int most) {
        this(most, new HourRecord(MOST_JOBS, null));
    }

    private HourRecord(int most, @Nullable HourRecord jobs) {
        this.most = most;
        this.jobs = jobs;
    }

    /** Copies a record. */
    HourRecord(HourRecord from) {
        this(from.most, from.jobs == null ? null : new HourRecord(from.jobs));
        arrival = Arrays.copyOf(from.arrival, from.size);
        wait = Arrays.copyOf(from.wait, from.size);
        lease = Arrays.copyOf(from.lease, from.size);
        site = Arrays.copyOf(from.site, from.size);
        rest = Arrays.copyOf(from.rest, from.size);
        size = from.size;
        halved = from.halved;
        shortened = from.shortened;
    }

    int size() {
        return size;
    }

    /** Adds a request; its arrival counts from the start of the hour. */
    void add(
            long arrivalNanos,
            long waitNanos,
            long leaseNanos,
            Ending how,
            int siteNumber,
            int thread,
            boolean nested) {
        if (jobs != null && leaseNanos >= LeaseSites.JOB_NANOS) {
            jobs.add(arrivalNanos, waitNanos, leaseNanos, how, siteNumber, thread, nested);
            return;
        }
        if (!picked(arrivalNanos)) {
            return;
        }
        if (size == arrival.length) {
            grow();
        }
        arrival[size] = arrivalNanos;
        wait[size] = coded(waitNanos);
        lease[size] = coded(leaseNanos);
        site[size] = (short) siteNumber;
        rest[size++] = (short) ((how.code << ENDING_SHIFT) | (nested ? NESTED : 0) | thread);
        while (size > most) {
            thin();
        }
    }

    private void grow() {
        int more = Math.min(Math.max(FIRST, 2 * size), most + 1);
        arrival = Arrays.copyOf(arrival, more);
        wait = Arrays.copyOf(wait, more);
        lease = Arrays.copyOf(lease, more);
        site = Arrays.copyOf(site, more);
        rest = Arrays.copyOf(rest, more);
    }

    private static int coded(long nanos) {
        long units = nanos >> UNIT_BITS;
        return units <= Integer.MAX_VALUE ? (int) units : (int) -Math.min(nanos / MILLI, Integer.MAX_VALUE);
    }

    private static long nanos(int coded) {
        return coded >= 0 ? (long) coded << UNIT_BITS : -coded * MILLI;
    }

    /**
     * The arrivals to record until the next tick: those in picked windows that begin soon, or were so recent that their
     * requests may still end. Times count from the start of the hour.
     *
     * @return null for all
     */
    @Nullable
    WantedArrivals wanted(long nowNanos) {
        if (halved + shortened == 0) {
            return null;
        }
        long from = nowNanos;
        long until = nowNanos;
        long last = (nowNanos + AHEAD_NANOS) / WINDOW_NANOS;
        for (long window = Math.max(0, nowNanos - WantedArrivals.LONG_NANOS) / WINDOW_NANOS; window <= last; window++) {
            long begin = window * WINDOW_NANOS;
            long end = begin + length();
            if (picked(begin) && end + WantedArrivals.LONG_NANOS > nowNanos && begin < nowNanos + AHEAD_NANOS) {
                from = Math.min(from, begin);
                until = Math.max(until, end);
            }
        }
        return new WantedArrivals(from, until);
    }

    private boolean picked(long arrivalNanos) {
        return rank(arrivalNanos / WINDOW_NANOS) < 1L << (Integer.SIZE - halved)
                && arrivalNanos % WINDOW_NANOS < length();
    }

    /**
     * A pseudo-random rank from 0 to 2<sup>32</sup>, so that periodic work of a program is not missed systematically.
     */
    private static long rank(long window) {
        long mixed = (window + 1) * 0x9E3779B97F4A7C15L;
        return ((mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L) >>> 32;
    }

    private long length() {
        return WINDOW_NANOS >> shortened;
    }

    private void thin() {
        if (windows() > ENOUGH_WINDOWS) {
            halved++;
        } else {
            shortened++;
        }
        int kept = 0;
        for (int at = 0; at < size; at++) {
            if (picked(arrival[at])) {
                arrival[kept] = arrival[at];
                wait[kept] = wait[at];
                lease[kept] = lease[at];
                site[kept] = site[at];
                rest[kept++] = rest[at];
            }
        }
        size = kept;
    }

    private long windows() {
        return Arrays.stream(arrival, 0, size)
                .map(each -> each / WINDOW_NANOS)
                .distinct()
                .count();
    }

    /**
     * Adds the requests to a trace. The windows of a sample are joined without gaps, so that a queue continues into the
     * next window.
     *
     * @param begin the start of the hour in the trace, nanoseconds
     * @param names the call sites by number
     */
    void addTo(LeaseTrace.Builder trace, long begin, LeaseSites names) {
        long[] windows = Arrays.stream(arrival, 0, size)
                .map(each -> each / WINDOW_NANOS)
                .sorted()
                .distinct()
                .toArray();
        boolean sampled = halved + shortened > 0;
        if (jobs != null) {
            jobs.addTo(trace, begin, names);
        }
        for (int at = 0; at < size; at++) {
            long offset = arrival[at];
            if (sampled) {
                offset = Arrays.binarySearch(windows, offset / WINDOW_NANOS) * length() + offset % WINDOW_NANOS;
            }
            int bits = rest[at];
            long held = nanos(lease[at]);
            trace.inClass(names.requestClass(site[at]))
                    .add(
                            begin + offset,
                            nanos(wait[at]),
                            held,
                            Ending.of(bits >>> ENDING_SHIFT),
                            names.name(site[at], held),
                            bits & (NESTED - 1),
                            (bits & NESTED) != 0);
        }
    }
}
