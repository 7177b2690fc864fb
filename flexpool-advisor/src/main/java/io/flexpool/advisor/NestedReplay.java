// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.replay.VirtualPool;
import java.util.Arrays;

/**
 * A replay in which threads ask for a second connection while they hold one: the second request comes when its thread has
 * got so far, and the first lease lasts longer by what the second one waited. Too few connections then stop everything until
 * requests time out, as they do in life.
 */
final class NestedReplay implements VirtualPool.Leases {
    private static final int NONE = LeaseTrace.NONE;
    /** In an event's code, above the request's number: a lease ends before a request comes at the same time. */
    private static final long COMES = 1L << Integer.SIZE;

    private final LeaseTrace trace;
    private final long timeoutNanos;
    private final Events events = new Events();

    /** Of each request: the first made while its lease was held, and the next of the same lease. */
    private final int[] firstInner;

    private final int[] nextInner;
    /** When its lease began. */
    private final long[] granted;
    /** By how much a lease is longer than without the waits of the requests inside it. */
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

    /** From the first request to the last, with so many connections; the waits are counted into what is given. */
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
            // At the same time: a lease ends, then requests come, and a request that is still not served gives up.
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

    /** The next one that no other lease leads to. */
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

    /** The requests inside its lease are never made: there is no lease. */
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

    /** A lease goes on after a request inside it has waited. */
    private void goOn(int outer, int inner, long waited, long now) {
        if (outer != NONE) {
            delay[outer] += waited - trace.wait[inner];
            continueLease(outer, nextInner[inner], now);
        }
    }

    /** Up to the next request inside it, or to its end. */
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
