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

    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }
}
