// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * A replay in which threads ask for a second connection while they hold one: the second request comes when its thread has
 * got so far, and the first lease lasts longer by what the second one waited. Too few connections then stop everything until
 * requests time out, as they do in life.
 */
final class NestedReplay {
    private static final int NONE = LeaseTrace.NONE;

    private enum Kind {
        /** A lease ends before a request comes in the same moment. */
        END,
        ARRIVE,
        /** A request that is served in the moment of its timeout is served. */
        TIME_OUT
    }

    private record Event(long nanos, Kind kind, int request) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(nanos, other.nanos);
            int byKind = byTime != 0 ? byTime : kind.compareTo(other.kind);
            return byKind != 0 ? byKind : Integer.compare(request, other.request);
        }
    }

    private final LeaseTrace trace;
    private final long timeoutNanos;
    private final Waits waits;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final int[] queue;
    private int head;
    private int tail;
    private int free;

    /** Of each request: the first made while its lease was held, and the next of the same lease. */
    private final int[] firstInner;

    private final int[] nextInner;
    private final long[] asked;
    private final long[] granted;
    /** By how much a lease is longer than without the waits of the requests inside it. */
    private final long[] delay;

    private final boolean[] waiting;

    NestedReplay(LeaseTrace trace, long timeoutNanos, int connections, Waits waits) {
        this.trace = trace;
        this.timeoutNanos = timeoutNanos;
        this.waits = waits;
        this.free = connections;
        this.queue = new int[trace.size];
        this.firstInner = new int[trace.size];
        this.nextInner = new int[trace.size];
        this.asked = new long[trace.size];
        this.granted = new long[trace.size];
        this.delay = new long[trace.size];
        this.waiting = new boolean[trace.size];
        Arrays.fill(firstInner, NONE);
        Arrays.fill(nextInner, NONE);
        for (int at = trace.size - 1; at >= 0; at--) {
            if (trace.outer[at] != NONE) {
                nextInner[at] = firstInner[trace.outer[at]];
                firstInner[trace.outer[at]] = at;
            }
        }
    }

    void run() {
        int next = 0;
        while (next < trace.size || !events.isEmpty()) {
            while (next < trace.size && trace.outer[next] != NONE) {
                next++;
            }
            Event event = events.peek();
            if (next < trace.size && (event == null || arrivesFirst(trace.arrival[next], event))) {
                arrive(next, trace.arrival[next]);
                next++;
            } else if (event != null) {
                events.remove();
                happen(event);
            }
        }
    }

    private static boolean arrivesFirst(long nanos, Event event) {
        return nanos < event.nanos() || (nanos == event.nanos() && event.kind() != Kind.END);
    }

    private void happen(Event event) {
        switch (event.kind()) {
            case END -> end(event.nanos());
            case ARRIVE -> arrive(event.request(), event.nanos());
            case TIME_OUT -> {
                if (waiting[event.request()]) {
                    waiting[event.request()] = false;
                    waits.timedOut();
                    // The requests inside its lease are never made: there is no lease.
                    goOn(trace.outer[event.request()], event.request(), timeoutNanos, event.nanos());
                }
            }
        }
    }

    private void arrive(int request, long now) {
        asked[request] = now;
        if (free > 0) {
            free--;
            grant(request, now);
        } else {
            waiting[request] = true;
            queue[tail++] = request;
            events.add(new Event(now + timeoutNanos, Kind.TIME_OUT, request));
        }
    }

    private void grant(int request, long now) {
        waiting[request] = false;
        long waited = now - asked[request];
        waits.served(waited);
        granted[request] = now;
        goOn(trace.outer[request], request, waited, now);
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
            events.add(new Event(Math.max(now, begun + trace.arrival[inner] - recorded), Kind.ARRIVE, inner));
        } else {
            events.add(new Event(Math.max(now, begun + trace.lease[request]), Kind.END, request));
        }
    }

    private void end(long now) {
        while (head < tail && !waiting[queue[head]]) {
            head++;
        }
        if (head < tail) {
            grant(queue[head++], now);
        } else {
            free++;
        }
    }
}
