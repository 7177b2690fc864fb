// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Returns growth by {@link Decay}, if the sizing controller does not act. The need is the larger of the base and the
 * highest demand (connections leased and requests waiting) within the last five seconds. Low load begins with the first
 * tick.
 *
 * <p>If the time for which growth is kept is given, the need is counted over that time, and the surplus is returned in
 * one step. The step follows at the first tick after this time since both the last need and the last growth.
 */
public final class ReturnToBase {
    private static final double NANOS = 1e9;

    private record Sample(long nanos, int demand) {}

    private final Deque<Sample> recent = new ArrayDeque<>();
    private final Decay decay;
    private long firstTickNanos;

    /**
     * Begins without data.
     *
     * @param keep how long unneeded growth stays; zero returns it at the first tick without use; null: step by step
     */
    public ReturnToBase(@Nullable Duration keep) {
        this.decay = keep == null ? new Decay() : Decay.atOnce(keep);
    }

    /** The limit to set now; {@code lastGrowthNanos} is the time of the last growth. */
    public int onTick(long nowNanos, int base, int limit, int demand, long lastGrowthNanos) {
        if (recent.isEmpty()) {
            firstTickNanos = nowNanos;
        }
        double now = (nowNanos - firstTickNanos) / NANOS;
        int need = Math.max(base, highest(new Sample(nowNanos, demand)));
        boolean due = limit > need && decay.due(now, now, (nowNanos - lastGrowthNanos) / NANOS);
        return due ? decay.step(now, limit, need) : limit;
    }

    /** The highest recent demand. A demand before a higher one is dropped: it can never be the highest again. */
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
