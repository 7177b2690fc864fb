// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.replay.VirtualPool;
import java.util.Arrays;

/**
 * A replay with nested requests: threads request a second connection while they hold one. The inner request arrives
 * when the outer lease has reached the same point, and its wait lengthens the outer lease. As in reality, too few
 * connections block all threads until requests time out.
 */
final class NestedReplay implements VirtualPool.Leases {
    private static final int NONE = LeaseTrace.NONE;
    /** The bit of an arrival, above the request's number: of simultaneous events, ends of leases come first. */
    private static final long COMES = 1L << Integer.SIZE;

    private final LeaseTrace trace;
    private final long timeoutNanos;
    private final Events events = new Events();

    /** For each request: the first request within its lease, and the next request within the same outer lease. */
    private final int[] firstInner;

    private final int[] nextInner;
    /** The start of each request's lease. */
    private final long[] granted;
    /** The time by which the waits of inner requests have lengthened each lease. */
    private final long[] delay;

    private VirtualPool pool;
    private Waits waits;
    private int free;

    NestedReplay(LeaseTrace trace, long timeoutNanos) {
        this.trace = trace;
        this.timeoutNanos = timeoutNanos;
        this.firstInner = new int[trace.size];
        this.nextInner = new int[trace.size];
        this.granted = new long[trace.size];
        this.delay = new long[trace.size];
        this.pool = new VirtualPool(timeoutNanos, this);
        this.waits = new Waits(1, timeoutNanos);
        Arrays.fill(firstInner, NONE);
        Arrays.fill(nextInner, NONE);
        for (int at = trace.size - 1; at >= 0; at--) {
            if (trace.outer[at] != NONE) {
                nextInner[at] = firstInner[trace.outer[at]];
                firstInner[trace.outer[at]] = at;
            }
        }
    }

    /** Replays all requests with a number of connections, and counts their waits. */
    void run(int connections, Waits into) {
        waits = into;
        free = connections;
        pool = new VirtualPool(timeoutNanos, this);
        Arrays.fill(delay, 0);
        int next = nextOuter(0);
        while (next < trace.size || !events.isEmpty() || pool.waiting() > 0) {
            long event = events.isEmpty() ? Long.MAX_VALUE : events.firstNanos();
            boolean ends = !events.isEmpty() && events.firstCode() < COMES;
            long comes = next < trace.size ? trace.arrival[next] : Long.MAX_VALUE;
            // Order at the same time: leases end, requests arrive, then unserved requests time out.
            if (pool.givesUp() < Math.min(event, comes)) {
                giveUp((long) pool.givesUp());
            } else if (comes < event || (comes == event && !ends)) {
                pool.arrive(next, (double) comes);
                next = nextOuter(next + 1);
            } else {
                happen();
            }
        }
    }

    /** The next request that is not within another lease. */
    private int nextOuter(int from) {
        int next = from;
        while (next < trace.size && trace.outer[next] != NONE) {
            next++;
        }
        return next;
    }

    private void happen() {
        long now = events.firstNanos();
        long code = events.firstCode();
        events.removeFirst();
        if (code < COMES) {
            free++;
            pool.serve((double) now);
        } else {
            pool.arrive((int) (code - COMES), (double) now);
        }
    }

    /** Times out the first waiting request. The requests within its lease are never made, because there is no lease. */
    private void giveUp(long now) {
        int request = pool.giveUp();
        waits.timedOut();
        goOn(trace.outer[request], request, timeoutNanos, now);
    }

    @Override
    public boolean free() {
        return free > 0;
    }

    @Override
    public void begin(int request, double waited, double at) {
        long now = (long) at;
        free--;
        waits.served((long) waited);
        granted[request] = now;
        goOn(trace.outer[request], request, (long) waited, now);
        continueLease(request, firstInner[request], now);
    }

    /** Continues a lease after an inner request has waited. */
    private void goOn(int outer, int inner, long waited, long now) {
        if (outer != NONE) {
            delay[outer] += waited - trace.wait[inner];
            continueLease(outer, nextInner[inner], now);
        }
    }

    /** Schedules the lease's next inner request, or its end. */
    private void continueLease(int request, int inner, long now) {
        long begun = granted[request] + delay[request];
        long recorded = trace.arrival[request] + trace.wait[request];
        if (inner != NONE) {
            events.add(Math.max(now, begun + trace.arrival[inner] - recorded), COMES + inner);
        } else {
            events.add(Math.max(now, begun + trace.lease[request]), request);
        }
    }
}
