// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.Ticker;

/**
 * The readings of one pool, for backends that are asked figure by figure: a report asks for some forty figures, while
 * one reading copies a few kilobytes, so all that is asked within {@value #FRESH_MILLIS} ms is answered from one.
 *
 * <p>Thread-safe without a lock: two threads may both read the pool, and either reading is right.
 */
public final class PoolReadings {
    /** How old a reading may be, milliseconds. */
    public static final int FRESH_MILLIS = 100;

    private static final long FRESH_NANOS = FRESH_MILLIS * 1_000_000L;

    private final PoolView pool;
    private final Ticker ticker;
    private volatile Timed latest;

    private record Timed(long nanos, PoolReading reading) {}

    /**
     * Reads the pool for the first time.
     *
     * @param pool which
     * @param ticker the clock
     */
    public PoolReadings(PoolView pool, Ticker ticker) {
        this.pool = pool;
        this.ticker = ticker;
        this.latest = new Timed(ticker.nanos(), PoolReading.of(pool));
    }

    /**
     * The pool's figures.
     *
     * @return at most {@value #FRESH_MILLIS} ms old, older only if the pool cannot be read; the very same object as long
     *     as nothing fresher was read
     */
    public PoolReading get() {
        long now = ticker.nanos();
        Timed before = latest;
        if (now - before.nanos() < FRESH_NANOS) {
            return before.reading();
        }
        PoolReading fresh;
        try {
            fresh = PoolReading.of(pool);
        } catch (RuntimeException unreadable) {
            // Whoever scrapes reads other pools too.
            fresh = before.reading();
        }
        latest = new Timed(now, fresh);
        return fresh;
    }
}
