// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one class, of several tenants: a stochastic fair queue. Each tenant has one of {@value #TENANTS}
 * places, which tenants may share; requests without a tenant have one more place. The oldest request is next, except
 * that places that lately used over a quarter more permit time than the mean of the waiting places come last.
 *
 * <p>A place is charged when it is served, with the mean of its lease times, so that a permit that never comes back
 * changes nothing. Charges decay with time, so a place without requests gains little credit. A waiting place is not
 * charged while others are, so it finally comes before them: no tenant starves. The mean of a single tenant is its
 * charge. While no request names a tenant, there is one place, which is the queue itself.
 *
 * <p>Waiters join and leave in any thread; one thread at a time serves.
 */
final class TenantQueue implements Iterable<Waiter> {
    static final int TENANTS = 64;
    /** The place of a request without a tenant. */
    static final int NONE = TENANTS;

    /** The assumed lease time before the first lease has ended. */
    private static final long FIRST_LEASE_NANOS = 1_000_000;
    /** The least charge: a place without charges would always be next. */
    private static final long LEAST_LEASE_NANOS = 1_000;
    /** The time in which two thirds of the charges decay. */
    private static final double MEMORY_NANOS = 5e9;
    /** The tolerated factor above the mean, so that tenants with nearly equal use are served in turn. */
    private static final double SLACK = 1.25;
    /** The mean lease time covers about this number of leases. */
    private static final int LEASES = 8;

    private final Flow others = new Flow();
    private final AtomicReferenceArray<@Nullable Flow> places = new AtomicReferenceArray<>(TENANTS);
    /**
     * The places of tenants where requests may wait, one bit each. A bit is set after a waiter was added, and removed
     * only if its place is empty: most requests do not wait, and need not read {@value #TENANTS} places.
     */
    private final AtomicLong occupied = new AtomicLong();
    /** Whether any request named a tenant. */
    private volatile boolean tenants;

    /** The recent charges of each place, in nanoseconds of leases. Written by the thread that serves. */
    private final double[] chargedNanos = new double[TENANTS + 1];
    /** The time up to which charges have decayed. Used by the thread that serves. */
    private long forgottenUntilNanos;
    /** The usual length of each place's leases; 0 before the first. Of two concurrent writes either may win. */
    private final long[] meanLease = new long[TENANTS + 1];
    /** The mean lease time of all places. */
    private long meanOfAll = FIRST_LEASE_NANOS;

    /** The place of a tenant by a hash of its name, which need not be spread evenly. */
    static int place(int figure) {
        return (figure * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(TENANTS));
    }

    private @Nullable Flow flow(int place) {
        return place == NONE ? others : places.get(place);
    }

    private Flow flow(Waiter waiter) {
        int place = ((ClassWaiter) waiter).tenant;
        Flow flow = flow(place);
        if (flow == null) {
            places.compareAndSet(place, null, new Flow());
            flow = Objects.requireNonNull(flow(place));
            tenants = true;
        }
        return flow;
    }

    void add(Waiter waiter) {
        flow(waiter).add(waiter);
        int place = ((ClassWaiter) waiter).tenant;
        if (place != NONE) {
            occupy(place);
        }
    }

    private void occupy(int place) {
        long bit = 1L << place;
        long seen;
        do {
            seen = occupied.get();
        } while ((seen & bit) == 0 && !occupied.compareAndSet(seen, seen | bit));
    }

    /** Called for a flow without waiters. A waiter added meanwhile either sees the missing bit, or is seen here. */
    private void vacate(int place, Flow flow) {
        if (flow.isEmpty()) {
            long bit = 1L << place;
            long seen;
            do {
                seen = occupied.get();
            } while (!occupied.compareAndSet(seen, seen & ~bit));
            boolean empty = false;
            try {
                empty = flow.isEmpty();
            } finally {
                if (!empty) {
                    occupy(place);
                }
            }
        }
    }

    /** As {@link WaitQueue#stopped}. */
    void stopped(Waiter waiter, int waiting) {
        flow(waiter).stopped(waiter, waiting);
    }

    // ---- who is next ----

    /** The waiter to serve next; null without one. */
    @Nullable
    ClassWaiter next() {
        long places = occupied.get();
        ClassWaiter next = others.next();
        if (places == 0) {
            return next;
        }
        double sum = next == null ? 0 : chargedNanos[NONE];
        int waiting = next == null ? 0 : 1;
        for (long left = places; left != 0; left &= left - 1) {
            int place = Long.numberOfTrailingZeros(left);
            if (first(place) != null) {
                sum += chargedNanos[place];
                waiting++;
            }
        }
        next = chargedNanos[NONE] * waiting <= sum * SLACK ? next : null;
        for (long left = places; left != 0; left &= left - 1) {
            int place = Long.numberOfTrailingZeros(left);
            ClassWaiter first = chargedNanos[place] * waiting <= sum * SLACK ? first(place) : null;
            next = (ClassWaiter) ClassQueues.older(next, first);
        }
        return next;
    }

    private @Nullable ClassWaiter first(int place) {
        Flow flow = places.get(place);
        ClassWaiter first = flow == null ? null : flow.next();
        if (first == null && flow != null) {
            vacate(place, flow);
        }
        return first;
    }

    /** Charges the place of a waiter for its permit. Called by the assigning thread. */
    void serves(ClassWaiter waiter, long nowNanos) {
        if (tenants) {
            double kept = Math.exp(Math.min(0, forgottenUntilNanos - nowNanos) / MEMORY_NANOS);
            for (int place = 0; place <= TENANTS; place++) {
                chargedNanos[place] *= kept;
            }
            forgottenUntilNanos = nowNanos;
            int its = waiter.tenant;
            chargedNanos[its] += Math.max(LEAST_LEASE_NANOS, meanLease[its] == 0 ? meanOfAll : meanLease[its]);
        }
    }

    /** Updates the mean lease times with an ended lease. */
    void ended(int place, long leaseNanos) {
        if (tenants) {
            meanLease[place] = meanLease[place] == 0 ? leaseNanos : towards(meanLease[place], leaseNanos);
            meanOfAll = towards(meanOfAll, leaseNanos);
        }
    }

    private static long towards(long mean, long nanos) {
        return mean + (nanos - mean) / LEASES;
    }

    // ---- all of them ----

    @Nullable
    Waiter oldest() {
        Waiter oldest = others.oldest();
        for (long left = occupied.get(); left != 0; left &= left - 1) {
            Flow flow = places.get(Long.numberOfTrailingZeros(left));
            oldest = flow == null ? oldest : ClassQueues.older(oldest, flow.oldest());
        }
        return oldest;
    }

    @Override
    public Iterator<Waiter> iterator() {
        List<Waiter> all = new ArrayList<>();
        others.forEach(all::add);
        for (int place = 0; tenants && place < TENANTS; place++) {
            Flow flow = places.get(place);
            if (flow != null) {
                flow.forEach(all::add);
            }
        }
        return all.iterator();
    }
}
