// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

/**
 * A lease as two longs, in units of 64 ns. The first has the arrival, 41 bits that begin anew every 39 hours, and the
 * label. The label has the class of the request, the call site's number (0 if it was not captured), whether the request
 * was nested, and ten bits of its thread's number. The second has the wait, 30 bits or 68 s at most, and the lease, 34
 * bits or 18 minutes at most. So the arrival of a lease of two days is read as two days less 39 hours before its end;
 * its length is limited to 18 minutes.
 */
public final class LeaseWords {
    /** Call sites are numbered from 1 up to here. */
    public static final int MOST_SITES = 511;

    private static final int UNIT_BITS = 6;
    private static final int THREAD_BITS = 10;
    private static final int NESTED = 1 << THREAD_BITS;
    private static final int SITE_SHIFT = THREAD_BITS + 1;
    private static final int CLASS_SHIFT = SITE_SHIFT + 9;
    /** A pool has eight classes at most. */
    private static final int LABEL_BITS = CLASS_SHIFT + 3;

    private static final int LABEL = (1 << LABEL_BITS) - 1;
    private static final long ARRIVAL = -1L >>> LABEL_BITS;
    private static final int LEASE_BITS = 34;
    private static final long MOST_LEASE = (1L << LEASE_BITS) - 1;
    /** Units after the given time: a request may arrive while the tick that read the time still reads records. */
    private static final long SOON = 1L << 34;

    private static final int SHARE_BITS = 21;
    private static final long SHARE = (1L << SHARE_BITS) - 1;

    private static final long MOST_WAIT = -1L >>> LEASE_BITS;

    private LeaseWords() {}

    static long begin(long arrivalNanos, int site, boolean nested, int threadId, int requestClass) {
        int label =
                requestClass << CLASS_SHIFT | site << SITE_SHIFT | (nested ? NESTED : 0) | (threadId & (NESTED - 1));
        return arrivalNanos >> UNIT_BITS << LABEL_BITS | label;
    }

    static long durations(long waitNanos, long leaseNanos) {
        return units(waitNanos, MOST_WAIT) << LEASE_BITS | units(leaseNanos, MOST_LEASE);
    }

    private static long units(long nanos, long most) {
        return Math.min(Math.max(0, nanos) >> UNIT_BITS, most);
    }

    /** Adds the share of a part in a lease. Begin with -1; the result of three shares is never 0. */
    public static long share(long shares, long partNanos, long leaseNanos) {
        double share = Math.max(0, Math.min(1, partNanos / (double) leaseNanos));
        return (shares << SHARE_BITS) | (long) (share * SHARE);
    }

    // ---- and back ----

    /** The share at a place, from 0; NaN for a lease without shares. */
    static double shareAt(int place, long shares) {
        return shares == 0 ? Double.NaN : ((shares >>> ((2 - place) * SHARE_BITS)) & SHARE) / (double) SHARE;
    }

    /** The arrival: the last time with the same bits before a given time, or soon after it. */
    static long arrivalNanos(long begin, long nowNanos) {
        long now = (nowNanos >> UNIT_BITS) + SOON;
        long ago = (now - (begin >>> LABEL_BITS)) & ARRIVAL;
        return (now - ago) << UNIT_BITS;
    }

    static int site(long begin) {
        return ((int) begin >>> SITE_SHIFT) & MOST_SITES;
    }

    /** The number of the class, from 0. */
    static int requestClass(long begin) {
        return ((int) begin & LABEL) >>> CLASS_SHIFT;
    }

    static boolean nested(long begin) {
        return (begin & NESTED) != 0;
    }

    /** The number of the thread, from 1. */
    static int thread(long begin) {
        return 1 + ((int) begin & (NESTED - 1));
    }

    static long waitNanos(long durations) {
        return durations >>> LEASE_BITS << UNIT_BITS;
    }

    static long leaseNanos(long durations) {
        return (durations & MOST_LEASE) << UNIT_BITS;
    }
}
