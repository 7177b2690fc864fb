// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only when a test says so. Starts near the end of long's range, where sums wrap. */
public final class ManualTicker implements Ticker {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);
    private final AtomicLong readings = new AtomicLong();

    @Override
    public long nanos() {
        readings.incrementAndGet();
        return nanos.get();
    }

    /** How often the time was read. */
    public long readings() {
        return readings.get();
    }

    /** Advances at once, or with the system property flexpool.slow-clock = n in n steps that other threads may see. */
    public void advance(Duration by) {
        long left = by.toNanos();
        for (int steps = Integer.getInteger("flexpool.slow-clock", 1); steps > 1; steps--) {
            long step = left / steps;
            nanos.addAndGet(step);
            left -= step;
            Thread.onSpinWait();
        }
        nanos.addAndGet(left);
    }
}
