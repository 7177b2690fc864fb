// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Takes growth back once it is no longer needed. Need is the larger of the base and the highest demand (connections out
 * and requests waiting) within the last five seconds. While the limit stands above the need, and three seconds after the
 * last growth, it falls by 15 % of the excess (at least one) every second, until it is the need.
 *
 * <p>So n connections of growth are gone about 5 + ln(n) / 0.16 seconds after the last of them was used.
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

    /** Begins with nothing seen. */
    public ReturnToBase() {}

    @Override
    public SizingDecision onTick(PoolWindow window) {
        long now = window.nowNanos();
        if (recent.isEmpty()) {
            firstTickNanos = now;
        }
        recent.addLast(new Sample(now, window.active() + window.waiting()));
        while (now - recent.getFirst().nanos() > CALM_NANOS) {
            recent.removeFirst();
        }
        int demand = recent.stream().mapToInt(Sample::demand).max().orElse(0);
        int need = Math.max(window.base(), demand);
        boolean due = window.limit() > need
                && now - firstTickNanos >= CALM_NANOS
                && now - window.lastGrowthNanos() >= AFTER_GROWTH_NANOS
                && (!stepped || now - lastStepNanos >= STEP_NANOS);
        if (!due) {
            return new SizingDecision(window.limit());
        }
        stepped = true;
        lastStepNanos = now;
        int step = (int) Math.ceil(SHARE * (window.limit() - need));
        return new SizingDecision(window.limit() - step);
    }
}
