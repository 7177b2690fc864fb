// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether connections come, and for how long none has: known from looks at how many have been acquired so far. In a crowd
 * leases may be shorter than a look at the pool, which then finds every permit inside the pool's {@code getConnection()}, as
 * in an outage. What is acquired between two looks distinguishes the two. Thread-safe.
 *
 * <p>A look reads all stripes of the recorder, some microseconds: not for a request that is answered at once.
 */
public final class Turnover {
    /** What was acquired longer ago does not show that the database answers now. */
    private static final long FRESH_NANOS = 50_000_000;
    /** Of less silence nothing follows. */
    private static final long SILENCE_NANOS = 15_000_000;

    /**
     * What the last look saw.
     *
     * @param acquired connections acquired so far
     * @param nanos when
     * @param cameNanos after this time the last connection was acquired, as far as is known
     * @param unchangedNanos since when the number is known to be the same
     */
    private record Look(long acquired, long nanos, long cameNanos, long unchangedNanos) {}

    /** Whether connections come. */
    public enum Answer {
        /** One was acquired just now. */
        YES,
        /** None was for some time. */
        NO,
        /** There was no look lately; a second one in a moment will show it. */
        UNKNOWN
    }

    private final Recorder recorder;
    private final AtomicReference<Look> last;

    public Turnover(Recorder recorder, long nowNanos) {
        this.recorder = recorder;
        // Nothing is known of the time before.
        long longAgo = nowNanos - 2 * FRESH_NANOS;
        this.last = new AtomicReference<>(new Look(recorder.acquired(), longAgo, longAgo, nowNanos));
    }

    /** Looks whether connections come now. */
    public Answer comes(long nowNanos) {
        Look seen = look(nowNanos);
        if (nowNanos - seen.cameNanos() <= FRESH_NANOS) {
            return Answer.YES;
        }
        return nowNanos - seen.unchangedNanos() < SILENCE_NANOS ? Answer.UNKNOWN : Answer.NO;
    }

    /** Looks whether a connection was surely acquired since a time. */
    public boolean cameSince(long nanos, long nowNanos) {
        return look(nowNanos).cameNanos() - nanos >= 0;
    }

    /**
     * Looks for how long surely none has been acquired.
     *
     * @return nanoseconds; 0 if one was acquired since the last look
     */
    public long quietNanos(long nowNanos) {
        return Math.max(0, nowNanos - look(nowNanos).unchangedNanos());
    }

    private Look look(long nowNanos) {
        Look before = Objects.requireNonNull(last.get());
        long acquired = recorder.acquired();
        Look now = acquired == before.acquired()
                ? new Look(acquired, nowNanos, before.cameNanos(), before.unchangedNanos())
                : new Look(acquired, nowNanos, before.nanos(), nowNanos);
        // Of two that look at once one is enough, and each is right for itself.
        last.compareAndSet(before, now);
        return now;
    }
}
