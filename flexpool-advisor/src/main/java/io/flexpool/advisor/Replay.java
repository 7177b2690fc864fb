// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import org.jspecify.annotations.Nullable;

/**
 * What the requests of a trace would have waited with another number of connections: first come, first served, each for at
 * most the timeout, with leases as long as they were. Virtual time; the same trace and size give the same waits. For
 * one thread.
 *
 * <p>The gate lets a newcomer pass a waiter for up to a millisecond, until the waiter has a processor. Here a waiter needs
 * no time to wake up, so that there is nothing to pass.
 */
final class Replay {
    private final LeaseTrace trace;
    private final long timeoutNanos;
    private final @Nullable NestedReplay nested;

    /**
     * A trace in which all leases have a length.
     *
     * @param timeoutNanos how long a request waits at most
     */
    Replay(LeaseTrace trace, long timeoutNanos) {
        this.trace = trace;
        this.timeoutNanos = timeoutNanos;
        this.nested = trace.nested() ? new NestedReplay(trace, timeoutNanos) : null;
    }

    /** The waits with so many connections, 1 or more. */
    Waits with(int connections) {
        return with(connections, new Waits(connections, timeoutNanos));
    }

    /** The same, counted into waits that were used before. */
    Waits with(int connections, Waits waits) {
        waits.clear(connections);
        if (nested != null) {
            nested.run(connections, waits);
        } else {
            run(connections, waits);
        }
        return waits;
    }

    /**
     * Where no thread holds two connections, all of {@link io.flexpool.advisor.replay.VirtualPool} comes to this: a request
     * is served when the first connection is free that no earlier one takes. In less than half the time.
     */
    private void run(int connections, Waits waits) {
        LeastFirst free = new LeastFirst(connections);
        for (int at = 0; at < trace.size; at++) {
            long arrival = trace.arrival[at];
            long start = Math.max(arrival, free.least());
            if (start - arrival > timeoutNanos) {
                waits.timedOut();
            } else {
                waits.served(start - arrival);
                free.replaceLeast(start + trace.lease[at]);
            }
        }
    }

    /** A binary heap of times, of which one is replaced at a time. */
    private static final class LeastFirst {
        private final long[] times;

        LeastFirst(int size) {
            times = new long[size];
        }

        long least() {
            return times[0];
        }

        void replaceLeast(long time) {
            int at = 0;
            for (int child = 1; child < times.length; child = 2 * at + 1) {
                if (child + 1 < times.length && times[child + 1] < times[child]) {
                    child++;
                }
                if (times[child] >= time) {
                    break;
                }
                times[at] = times[child];
                at = child;
            }
            times[at] = time;
        }
    }
}
