// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Takes growth back by the law of {@link Decay}, where nothing else decides about the limit. Need is the larger of the base and
 * the highest demand (connections leased and requests waiting) within the last five seconds, and calm begins with the first tick.
 *
 * <p>With a time given for which growth is kept, the need is counted over that time instead, and all that exceeds it is
 * given back in one step: at the first tick that finds both the last need and the last growth that long ago.
 */
public final class ReturnToBase {
    private static final double NANOS = 1e9;

    private record Sample(long nanos, int demand) {}

    private final Deque<Sample> recent = new ArrayDeque<>();
    private final Decay decay;
    private long firstTickNanos;

    /**
     * Begins with nothing seen.
     *
     * @param keep how long growth stays once it is not needed; zero gives it back at the first tick that finds it unused;
     *     null to return step by step
     */
    public ReturnToBase(@Nullable Duration keep) {
        this.decay = keep == null ? new Decay() : Decay.atOnce(keep);
    }

    /** What the limit should be now; {@code lastGrowthNanos} is when it was last raised. */
    public int onTick(long nowNanos, int base, int limit, int demand, long lastGrowthNanos) {
        if (recent.isEmpty()) {
            firstTickNanos = nowNanos;
        }
        double now = (nowNanos - firstTickNanos) / NANOS;
        int need = Math.max(base, highest(new Sample(nowNanos, demand)));
        boolean due = limit > need && decay.due(now, now, (nowNanos - lastGrowthNanos) / NANOS);
        return due ? decay.step(now, limit, need) : limit;
    }

    /** The highest demand lately. One that a higher one follows is forgotten: it can never be the highest again. */
    private int highest(Sample latest) {
        while (!recent.isEmpty() && recent.getLast().demand() <= latest.demand()) {
            recent.removeLast();
        }
        recent.addLast(latest);
        while ((latest.nanos() - recent.getFirst().nanos()) / NANOS > decay.calmSeconds) {
            recent.removeFirst();
        }
        return recent.getFirst().demand();
    }
}
