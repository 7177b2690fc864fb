// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow;
import java.time.Duration;

/**
 * The obvious rule: a request that waits too long gets a larger pool, and what has not been used for a while
 * is taken back one by one.
 */
final class IncrementAndShrink implements SimController {
    private static final long SHRINK_NANOS = 1_000_000_000L;

    private final long afterNanos;
    private final int step;
    private final long calmNanos;
    private boolean ticked;
    private long calmSinceNanos;
    private long shrunkNanos;

    /**
     * With its parameters.
     *
     * @param after grows at a tick that finds a request waiting for so long
     * @param step by so many
     * @param calm shrinks by one a second once all have had a connection to spare for so long
     */
    IncrementAndShrink(Duration after, int step, Duration calm) {
        this.afterNanos = after.toNanos();
        this.step = step;
        this.calmNanos = calm.toNanos();
    }

    @Override
    public String name() {
        return Contender.INCREMENT_SHRINK.toString();
    }

    @Override
    public int onTick(PoolWindow window) {
        long now = window.nowNanos();
        boolean spare = window.waiting() == 0 && window.active() < window.limit();
        if (!ticked || !spare) {
            ticked = true;
            calmSinceNanos = now;
        }
        if (window.waiting() > 0 && window.headAgeNanos() >= afterNanos) {
            return Math.min(window.ceiling(), window.limit() + step);
        }
        if (now - calmSinceNanos >= calmNanos && now - shrunkNanos >= SHRINK_NANOS) {
            shrunkNanos = now;
            return Math.max(Contender.LEAST, window.limit() - 1);
        }
        return window.limit();
    }
}
