// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether connections are being acquired, and for how long none was acquired: derived from samples of the acquisition
 * count. Under high load leases may be shorter than one read of the pool, which then finds every permit inside the
 * pool's {@code getConnection()}, as in an outage. The acquisitions between two samples distinguish the two.
 * Thread-safe.
 *
 * <p>A sample reads all stripes of the recorder, some microseconds: too much for each request.
 */
public final class Turnover {
    /**
     * An older acquisition does not show that the database answers now. Within this time after its failure the pool may
     * still grow by one step, which is reverted.
     */
    private static final long FRESH_NANOS = 50_000_000;
    /** A shorter silence proves nothing. */
    private static final long SILENCE_NANOS = 15_000_000;

    /**
     * The last sample.
     *
     * @param acquired connections acquired so far
     * @param nanos time of the sample
     * @param cameNanos the last known acquisition happened after this time
     * @param unchangedNanos the time since which the count is known to be unchanged
     */
    private record Sample(long acquired, long nanos, long cameNanos, long unchangedNanos) {}

    /** Whether connections are being acquired. */
    public enum Answer {
        /** A connection was acquired just now. */
        YES,
        /** No connection was acquired for some time. */
        NO,
        /** There was no recent sample; a second sample in a moment will show the answer. */
        UNKNOWN
    }

    private final Recorder recorder;
    private final AtomicReference<Sample> last;

    public Turnover(Recorder recorder, long nowNanos) {
        this.recorder = recorder;
        // Nothing is known about the time before.
        long longAgo = nowNanos - 2 * FRESH_NANOS;
        this.last = new AtomicReference<>(new Sample(recorder.acquired(), longAgo, longAgo, nowNanos));
    }

    /** Samples whether connections are being acquired now. */
    public Answer comes(long nowNanos) {
        Sample seen = sample(nowNanos);
        if (nowNanos - seen.cameNanos() <= FRESH_NANOS) {
            return Answer.YES;
        }
        return nowNanos - seen.unchangedNanos() < SILENCE_NANOS ? Answer.UNKNOWN : Answer.NO;
    }

    /** Samples whether a connection was certainly acquired since a time. */
    public boolean cameSince(long nanos, long nowNanos) {
        return sample(nowNanos).cameNanos() - nanos >= 0;
    }

    /**
     * Samples how long certainly no connection was acquired.
     *
     * @return nanoseconds; 0 if a connection was acquired since the last sample
     */
    public long quietNanos(long nowNanos) {
        return Math.max(0, nowNanos - sample(nowNanos).unchangedNanos());
    }

    private Sample sample(long nowNanos) {
        Sample before = Objects.requireNonNull(last.get());
        long acquired = recorder.acquired();
        Sample now = acquired == before.acquired()
                ? new Sample(acquired, nowNanos, before.cameNanos(), before.unchangedNanos())
                : new Sample(acquired, nowNanos, before.nanos(), nowNanos);
        // Of two concurrent samples one is enough to keep; each is correct for its caller.
        last.compareAndSet(before, now);
        return now;
    }
}
