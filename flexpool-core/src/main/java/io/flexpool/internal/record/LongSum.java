// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A sum of nanoseconds that lasts. Many threads add to a long, which 1,000 connections that are out fill in 106 days; here it
 * is followed past its end. Nothing is paid for that by who adds; it has to be looked at once in 292 years of durations, which
 * the loop does.
 */
public final class LongSum {
    /**
     * At the last look.
     *
     * @param nanos what the long was
     * @param total what it stood for
     */
    private record Look(long nanos, Duration total) {}

    private final AtomicReference<Look> last = new AtomicReference<>(new Look(0, Duration.ZERO));

    /**
     * What a long stands for.
     *
     * @param nanos as it was read; one that was read before another thread's is no step back
     */
    public Duration of(long nanos) {
        while (true) {
            Look before = Objects.requireNonNull(last.get());
            long since = nanos - before.nanos();
            if (since <= 0) {
                return before.total();
            }
            Look now = new Look(nanos, before.total().plusNanos(since));
            if (last.compareAndSet(before, now)) {
                return now.total();
            }
        }
    }
}
