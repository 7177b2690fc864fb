// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether connections come, and for how long none has: known from looks at how many have been acquired so far. In a crowd
 * leases may be shorter than a look at the pool, which then finds every permit inside the pool's {@code getConnection()}, as
 * in an outage. What is acquired between two looks distinguishes the two. Thread-safe.
 *
 * <p>A look reads all stripes of the recorder, some microseconds: not for a request that is answered at once.
 */
final class Turnover {
    /** What was acquired longer ago does not show that the database answers now. */
    private static final long FRESH_NANOS = 50_000_000;
    /** Of less silence nothing follows. */
    private static final long SILENCE_NANOS = 15_000_000;

    /**
     * What the last look saw.
     *
     * @param acquired connections acquired so far
     * @param askedNanos when a request last asked whether connections come
     * @param cameNanos after this time the last connection was acquired, as far as is known
     * @param unchangedNanos since when the number is known to be the same
     */
    private record Look(long acquired, long askedNanos, long cameNanos, long unchangedNanos) {}

    /** Whether connections come. */
    enum Answer {
        /** One was acquired just now. */
        YES,
        /** None was for some time. */
        NO,
        /** Nobody has looked lately; a second look in a moment will show it. */
        UNKNOWN
    }

    private final Recorder recorder;
    private final AtomicReference<Look> last;

    Turnover(Recorder recorder, long nowNanos) {
        this.recorder = recorder;
        // Nothing is known of the time before.
        long longAgo = nowNanos - 2 * FRESH_NANOS;
        this.last = new AtomicReference<>(new Look(recorder.acquired(), longAgo, longAgo, nowNanos));
    }

    /** Looks, on behalf of a request that waits. */
    Answer comes(long nowNanos) {
        Look seen = look(nowNanos, true);
        if (nowNanos - seen.cameNanos() <= FRESH_NANOS) {
            return Answer.YES;
        }
        return nowNanos - seen.unchangedNanos() < SILENCE_NANOS ? Answer.UNKNOWN : Answer.NO;
    }

    /**
     * Looks for how long surely none has been acquired.
     *
     * @return nanoseconds; 0 if one was acquired since the last look
     */
    long quietNanos(long nowNanos) {
        return Math.max(0, nowNanos - look(nowNanos, false).unchangedNanos());
    }

    private Look look(long nowNanos, boolean asked) {
        Look before = Objects.requireNonNull(last.get());
        long acquired = recorder.acquired();
        boolean came = acquired != before.acquired();
        Look now = new Look(
                acquired,
                asked ? nowNanos : before.askedNanos(),
                came ? before.askedNanos() : before.cameNanos(),
                came ? nowNanos : before.unchangedNanos());
        // Of two that look at once one is enough, and each is right for itself.
        last.compareAndSet(before, now);
        return now;
    }
}
