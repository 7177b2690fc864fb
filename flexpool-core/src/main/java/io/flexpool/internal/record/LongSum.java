// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A sum of nanoseconds that does not overflow. Threads add to a plain long, which 1,000 leased connections fill in 106
 * days; this class follows it past the overflow. Adding costs nothing extra; the long must be read at least once per
 * 292 years of durations, which the tick does. Adding microseconds instead would cost a division per lease, and lose
 * short ones.
 */
public final class LongSum {
    /** A value of the long, and the sum that it stands for. */
    private record Reading(long nanos, Duration total) {}

    /** Null before the first reading. */
    private final AtomicReference<@Nullable Reading> last = new AtomicReference<>();

    /** The sum that a value of the long stands for. */
    public Duration of(long nanos) {
        while (true) {
            Reading before = last.get();
            long from = before == null ? 0 : before.nanos();
            Duration total = before == null ? Duration.ZERO : before.total();
            // A value older than another thread's does not lower the sum.
            if (nanos - from <= 0) {
                return total;
            }
            Reading after = new Reading(nanos, total.plusNanos(nanos - from));
            if (last.compareAndSet(before, after)) {
                return after.total();
            }
        }
    }
}
