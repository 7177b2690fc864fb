// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import org.jspecify.annotations.Nullable;

/**
 * Replays a trace with another number of connections, in virtual time: first come, first served, with the recorded
 * lease times and a timeout. Deterministic. For one thread.
 *
 * <p>One difference from the gate: there a new request may overtake a waiter for up to a millisecond, while the waiter
 * wakes up. Here waking up takes no time.
 */
final class Replay {
    private final LeaseTrace trace;
    private final long timeoutNanos;
    private final @Nullable NestedReplay nested;

    /**
     * Takes a trace in which all requests have a lease time.
     *
     * @param timeoutNanos the longest wait of a request
     */
    Replay(LeaseTrace trace, long timeoutNanos) {
        this.trace = trace;
        this.timeoutNanos = timeoutNanos;
        this.nested = trace.nested() ? new NestedReplay(trace, timeoutNanos) : null;
    }

    /** The waits with a number of connections, 1 or more. */
    Waits with(int connections) {
        return with(connections, new Waits(connections, timeoutNanos));
    }

    /** Like {@link #with(int)}, but reuses an object for the waits. */
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
     * A faster equivalent of {@link io.flexpool.advisor.replay.VirtualPool} for traces without nested requests: each
     * request gets the connection that becomes free first. Takes less than half the time.
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

    /** A binary heap of the times at which connections become free. */
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
