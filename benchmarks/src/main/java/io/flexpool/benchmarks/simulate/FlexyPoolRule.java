// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow;
import java.time.Duration;

/**
 * What FlexyPool 3.1.1 does with its strategy that increments the pool on a timeout, as its classes say: a request that
 * waited the whole acquisition timeout, or was served after longer than a threshold, raises the pool's maximum by one,
 * unless the maximum has been raised since the request began to wait or is at its bound. One that timed out asks again
 * as long as the maximum grew for it or for another, and fails otherwise. Nothing is ever taken back.
 *
 * <p>Kinder than the real one: here a raised limit serves those who already wait, and most pools' maximum does not.
 */
final class FlexyPoolRule implements SimController {

    /** An attempt that began with the growth itself has not seen it grow, regardless of rounding of its time. */
    private static final long ROUNDING_NANOS = 1_000;

    /** The threshold of a strategy that was given none. */
    static final Duration ONLY_TIMEOUTS = Duration.ofHours(1);

    private final long slowNanos;
    private long timeoutNanos = Simulation.nanos(Scenario.ACQUISITION_TIMEOUT_SECONDS);
    private SimPool pool = NoPool.INSTANCE;
    private long grownNanos = Long.MIN_VALUE / 2;

    /**
     * With the same bound as all others, the ceiling.
     *
     * @param slow a request that is served later than this raises the maximum too
     */
    FlexyPoolRule(Duration slow) {
        this.slowNanos = slow.toNanos();
    }

    @Override
    public String name() {
        return Contender.FLEXYPOOL.toString();
    }

    @Override
    public void begin(SimPool begun) {
        pool = begun;
        timeoutNanos = Simulation.nanos(begun.timeoutSeconds());
    }

    @Override
    public int onTick(PoolWindow window) {
        return window.limit();
    }

    @Override
    public void onAcquired(long nowNanos, long waitedNanos) {
        // Its clock starts again with each attempt.
        long attemptNanos = waitedNanos % timeoutNanos;
        if (attemptNanos > slowNanos) {
            grow(nowNanos, nowNanos - attemptNanos);
        }
    }

    @Override
    public boolean onTimeout(long nowNanos, int attempt) {
        return grow(nowNanos, nowNanos - timeoutNanos);
    }

    /** Whether the maximum is larger than when the attempt began. */
    private boolean grow(long nowNanos, long sinceNanos) {
        if (grownNanos - sinceNanos > ROUNDING_NANOS) {
            return true;
        }
        if (pool.limit() >= pool.ceiling()) {
            return false;
        }
        // First, because a request served by it is notified before this returns.
        grownNanos = nowNanos;
        pool.limit(pool.limit() + 1);
        return true;
    }
}
