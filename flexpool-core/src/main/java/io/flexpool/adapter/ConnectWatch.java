// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

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

    private final LongSupplier clock;
    private volatile Look last;

    /** The time is that of the last connect, or of the last moment without room for one. */
    private record Look(int total, boolean full, long nanos) {}

    /** Begins with a pool that has nothing open. */
    public ConnectWatch() {
        this(System::nanoTime);
    }

    ConnectWatch(LongSupplier clock) {
        this.clock = clock;
        this.last = new Look(0, false, clock.getAsLong());
    }

    /**
     * Looks: to be called wherever the figures are read, which flexpool does four times a second and after each failure.
     *
     * @param total how many connections the pool has now
     * @param max how many it may have now
     * @return the total
     */
    public int seen(int total, int max) {
        Look before = last;
        boolean full = total >= max;
        // Whoever waited while it was full waited for room; one that loses connections below that had room before.
        if (full || before.full() || total > before.total()) {
            last = new Look(total, full, clock.getAsLong());
        } else if (total < before.total()) {
            last = new Look(total, false, before.nanos());
        }
        return total;
    }

    /**
     * Whether nothing was connected for so long, though there was room.
     *
     * @param waitedNanos how long a request waited, nanoseconds
     * @return false too if it waited less than 200 ms, which shows nothing
     */
    public boolean nothingConnectedFor(long waitedNanos) {
        return waitedNanos >= SHORTEST_EVIDENCE_NANOS && clock.getAsLong() - last.nanos() >= waitedNanos;
    }
}
