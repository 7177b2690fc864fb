// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.Ticker;

/**
 * The readings of one pool, for backends that read metric by metric: a report needs about forty values, and one reading
 * copies a few kilobytes, so all calls within {@value #FRESH_MILLIS} ms share one reading.
 *
 * <p>Thread-safe and lock-free: two threads may both read the pool, and either reading is correct.
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
     * The pool's current reading.
     *
     * @return at most {@value #FRESH_MILLIS} ms old, older only if the pool cannot be read; the same object until a
     *     fresher one is read
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
            // A scrape reads other pools too.
            fresh = before.reading();
        }
        latest = new Timed(now, fresh);
        return fresh;
    }
}
