// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.PoolHistory;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stores the figures of a pool for an hour, so that an incident can be examined afterwards. Takes 10 KiB after the
 * first tick, and 1.3 KiB for each of five failure outcomes that has occurred. A tick costs a few comparisons; once a
 * second it reads the counts.
 *
 * <p>Guarded by a lock that only the tick and readers take.
 */
final class LastHour implements PoolPart, PoolHistory {
    private static final AcquisitionOutcome[] OUTCOMES = AcquisitionOutcome.values();
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int TEN = 10;
    /** Five minutes and ten seconds: one-second intervals begin where the ten-second intervals end. */
    private static final int SECONDS = 310;
    /** An hour of ten-second intervals, and the current one. */
    private static final int TENS = 361;

    private final ReentrantLock lock = new ReentrantLock();
    private final PartContext context;
    private final long startNanos;
    private final IntervalRing seconds = new IntervalRing(SECONDS);
    private final IntervalRing tens = new IntervalRing(TENS);
    /** The number of requests of each outcome that the rings contain. */
    private final long[] counted = new long[OUTCOMES.length];
    /** The second that is being recorded; -1 before the first tick. */
    private long second = -1;

    /** Takes no memory before the first tick. */
    LastHour(PartContext context) {
        this.context = context;
        this.startNanos = context.nanos();
    }

    /** Takes one sample. A time before the last sample counts as its time. */
    @Override
    public void tick(PoolState state, long nowNanos) {
        lock.lock();
        try {
            long now = secondOf(nowNanos);
            if (now > second) {
                count();
                second = now;
                seconds.begin(now);
                tens.begin(now / TEN);
            }
            int limit = state.bound() ? state.limit() : PoolSnapshot.UNKNOWN;
            seconds.sample(state, limit);
            tens.sample(state, limit);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <T> Optional<T> view(Class<T> type) {
        return type == PoolHistory.class ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public Duration lived() {
        return Duration.ofNanos(Math.max(0, context.nanos() - startNanos));
    }

    @Override
    public List<PoolHistory.Interval> intervals(Duration since) {
        lock.lock();
        try {
            count();
            List<PoolHistory.Interval> intervals = new ArrayList<>();
            if (second >= 0) {
                long firstSecond = Math.max(0, (second - SECONDS + TEN) / TEN) * TEN;
                tens.addTo(intervals, TEN, since.toSeconds() / TEN, firstSecond / TEN);
                seconds.addTo(intervals, 1, Math.max(firstSecond, since.toSeconds()), second + 1);
            }
            return List.copyOf(intervals);
        } finally {
            lock.unlock();
        }
    }

    private long secondOf(long nowNanos) {
        return Math.max(0, nowNanos - startNanos) / SECOND_NANOS;
    }

    /** Adds the requests that have ended since the last call to the interval that is being recorded. */
    private void count() {
        if (second < 0) {
            return;
        }
        for (int at = 0; at < OUTCOMES.length; at++) {
            AcquisitionOutcome outcome = OUTCOMES[at];
            long now = context.requestsEnded(outcome);
            if (now > counted[at]) {
                seconds.count(outcome, now - counted[at]);
                tens.count(outcome, now - counted[at]);
                counted[at] = now;
            }
        }
    }
}
