// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import java.util.concurrent.TimeUnit;

/**
 * Whether a pool has connected lately, as far as its number of connections tells. For pools that throw the same when they
 * are full as when a connect hangs: one that had room, and in which nothing was connected all the time that a request
 * waited, cannot reach its database. A connection that replaced another one between two looks is not noticed.
 *
 * <p>Thread-safe: two looks at once may both be right, and the later one counts.
 */
public final class ConnectWatch {
    /** A request that waited less has not seen much. */
    private static final long SHORTEST_EVIDENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private volatile Look last = new Look(0, System.nanoTime());

    private record Look(int total, long changedNanos) {}

    /** Begins with a pool that has nothing open. */
    public ConnectWatch() {}

    /**
     * Looks: to be called wherever the figures are read, which flexpool does four times a second and after each failure.
     *
     * @param total how many connections the pool has now
     * @return the same
     */
    public int seen(int total) {
        // Fewer is a change too: a pool that has just lost one was full while the request waited.
        if (total != last.total()) {
            last = new Look(total, System.nanoTime());
        }
        return total;
    }

    /**
     * Whether nothing was connected for so long.
     *
     * @param waitedNanos how long a request waited, nanoseconds
     * @return false too if it waited less than 200 ms, which shows nothing
     */
    public boolean nothingConnectedFor(long waitedNanos) {
        return waitedNanos >= SHORTEST_EVIDENCE_NANOS && System.nanoTime() - last.changedNanos() >= waitedNanos;
    }
}
