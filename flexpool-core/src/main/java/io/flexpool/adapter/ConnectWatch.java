// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Whether a pool has connected recently, derived from its number of connections. For pools that throw the same
 * exception if they are full and if a connect hangs: a pool that had room, but opened no connection while a request
 * waited, cannot reach its database. A connection that replaced another one between two updates is not noticed.
 *
 * <p>Thread-safe: of two concurrent updates the later one counts.
 */
public final class ConnectWatch {
    /** A shorter wait is no evidence. */
    private static final long SHORTEST_EVIDENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Ticker clock;
    private volatile Reading last;

    /** The time of the last connect, or of the last moment without room for one. */
    private record Reading(int total, boolean full, long nanos) {}

    /** Begins with a pool that has nothing open. */
    public ConnectWatch() {
        this(Ticker.SYSTEM);
    }

    ConnectWatch(Ticker clock) {
        this.clock = clock;
        this.last = new Reading(0, false, clock.nanos());
    }

    /**
     * Updates the watch; to be called with each snapshot, which flexpool takes four times a second and after each
     * failure.
     *
     * @param total the pool's connections now
     * @param max the most it may have now
     * @return the total
     */
    public int seen(int total, int max) {
        Reading before = last;
        boolean full = total >= max;
        // A request that waited while the pool was full waited for room; a pool below that had room before.
        if (full || before.full() || total > before.total()) {
            last = new Reading(total, full, clock.nanos());
        } else if (total < before.total()) {
            last = new Reading(total, false, before.nanos());
        }
        return total;
    }

    /**
     * Whether nothing was connected for that long, though there was room.
     *
     * @param waited how long a request waited
     * @return false also after less than 200 ms, which is no evidence
     */
    public boolean nothingConnectedFor(Duration waited) {
        Objects.requireNonNull(waited, "waited is null");
        long waitedNanos = waited.toNanos();
        return waitedNanos >= SHORTEST_EVIDENCE_NANOS && clock.nanos() - last.nanos() >= waitedNanos;
    }
}
