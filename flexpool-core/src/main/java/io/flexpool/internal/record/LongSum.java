// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A sum of nanoseconds that does not overflow. Threads add to a plain long, which 1,000 leased connections fill in 106
 * days; this class follows it past the overflow. Adding costs nothing extra; the long must be read at least once per
 * 292 years of durations, which the tick does.
 */
public final class LongSum {
    /**
     * The last reading.
     *
     * @param nanos value of the long
     * @param total the sum it stood for
     */
    private record Reading(long nanos, Duration total) {}

    private final AtomicReference<Reading> last = new AtomicReference<>(new Reading(0, Duration.ZERO));

    /**
     * The sum that a value of the long stands for.
     *
     * @param nanos the value read; a value older than another thread's does not lower the sum
     */
    public Duration of(long nanos) {
        while (true) {
            Reading before = Objects.requireNonNull(last.get());
            long since = nanos - before.nanos();
            if (since <= 0) {
                return before.total();
            }
            Reading now = new Reading(nanos, before.total().plusNanos(since));
            if (last.compareAndSet(before, now)) {
                return now.total();
            }
        }
    }
}
