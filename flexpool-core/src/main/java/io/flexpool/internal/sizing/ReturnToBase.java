// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Takes growth back once it is no longer needed. Need is the larger of the base and the highest demand (connections out
 * and requests waiting) within the last five seconds. While the limit stands above the need, and three seconds after the
 * last growth, it falls by 15 % of the excess (at least one) every second, until it is the need.
 *
 * <p>So n connections of growth are gone about 5 + ln(n) / 0.16 seconds after the last of them was used.
 *
 * <p>With a time given for which growth is kept, the need is counted over that time instead, and all that exceeds it is
 * given back in one step: at the first tick that finds both the last need and the last growth that long ago.
 */
public final class ReturnToBase implements SizingPolicy {
    private static final long CALM_NANOS = 5_000_000_000L;
    private static final long AFTER_GROWTH_NANOS = 3_000_000_000L;
    private static final long STEP_NANOS = 1_000_000_000L;
    private static final double SHARE = 0.15;

    private record Sample(long nanos, int demand) {}

    private final Deque<Sample> recent = new ArrayDeque<>();
    private long firstTickNanos;
    private boolean stepped;
    private long lastStepNanos;
    private final long calmNanos;
    private final long afterGrowthNanos;
    private final boolean gradual;

    /** Returns step by step. Begins with nothing seen. */
    public ReturnToBase() {
        this.calmNanos = CALM_NANOS;
        this.afterGrowthNanos = AFTER_GROWTH_NANOS;
        this.gradual = true;
    }

    /**
     * Returns at once. Begins with nothing seen.
     *
     * @param keep how long growth stays once it is not needed; zero gives it back at the first tick that finds it unused
     * @throws IllegalArgumentException if it is negative
     */
    public ReturnToBase(Duration keep) {
        if (keep.isNegative()) {
            throw new IllegalArgumentException("keep = " + keep + ": must not be negative");
        }
        this.calmNanos = keep.toNanos();
        this.afterGrowthNanos = calmNanos;
        this.gradual = false;
    }

    @Override
    public SizingStep onTick(PoolWindow window) {
        long now = window.nowNanos();
        if (recent.isEmpty()) {
            firstTickNanos = now;
        }
        int need = Math.max(window.base(), highest(new Sample(now, window.active() + window.waiting())));
        boolean due = window.limit() > need
                && now - firstTickNanos >= calmNanos
                && now - window.lastGrowthNanos() >= afterGrowthNanos
                && (!gradual || !stepped || now - lastStepNanos >= STEP_NANOS);
        if (!due) {
            return new SizingStep(window.limit());
        }
        if (!gradual) {
            return new SizingStep(need);
        }
        stepped = true;
        lastStepNanos = now;
        int step = (int) Math.ceil(SHARE * (window.limit() - need));
        return new SizingStep(window.limit() - step);
    }

    /** The highest demand lately. Who is followed by a higher one is forgotten: it can never be the highest again. */
    private int highest(Sample latest) {
        while (!recent.isEmpty() && recent.getLast().demand() <= latest.demand()) {
            recent.removeLast();
        }
        recent.addLast(latest);
        while (latest.nanos() - recent.getFirst().nanos() > calmNanos) {
            recent.removeFirst();
        }
        return recent.getFirst().demand();
    }
}
