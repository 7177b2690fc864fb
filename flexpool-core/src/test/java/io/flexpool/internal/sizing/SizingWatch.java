// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Feeds a controller and holds it to its invariants at each tick. */
final class SizingWatch {
    private static final long CONNECT_HOLD_NANOS = 5_000_000_000L;
    private static final long EPISODE_NANOS = 2_000_000_000L;
    private static final int MOST_UNVERIFIED = 3;

    private final SizingController controller;
    private final SizingSettings settings;
    private PoolMode mode;
    private long lastConnectFailureNanos = Long.MIN_VALUE / 2;
    private long lastLimitedNanos = Long.MIN_VALUE / 2;
    /** The step that is being tried, as it was last reported. */
    private @Nullable SizingDecision trial;
    /** Reported in this episode of waiting and not kept yet. */
    private int unverified;
    /** Reported in this episode, while only observing. */
    private int reported;

    SizingWatch(SizingSettings settings, PoolMode mode) {
        this.controller = new SizingController(settings, mode);
        this.settings = settings;
        this.mode = mode;
    }

    /** From the next window on. The pool is at its base then, unless it acts. */
    void mode(PoolMode next) {
        if (next != mode) {
            mode = next;
            controller.mode(next);
            trial = null;
            unverified = 0;
            reported = 0;
        }
    }

    /** Whether a step waits for its verdict. */
    boolean tries() {
        return trial != null;
    }

    /** The limit that was decided. */
    int onTick(PoolWindow window) {
        if (window.traffic().connectFailures() > 0) {
            lastConnectFailureNanos = window.nowNanos();
        }
        episode(window);
        SizingStep step = controller.onTick(window);
        if (mode == PoolMode.ADAPT) {
            acts(window, step);
        } else {
            looksOn(window, step);
        }
        return step.limit();
    }

    private void episode(PoolWindow window) {
        boolean limited = window.waiting() > 0
                && window.active() >= window.limit()
                && (window.traffic().saturated() > 0.3
                        || window.headAgeNanos() > settings.waitTarget().toNanos());
        if (limited) {
            lastLimitedNanos = window.nowNanos();
        } else if (window.nowNanos() - lastLimitedNanos >= EPISODE_NANOS) {
            unverified = 0;
            reported = 0;
        }
    }

    private void looksOn(PoolWindow window, SizingStep step) {
        assertThat(step.limit()).as("the limit in %s", mode).isEqualTo(window.limit());
        reported += step.decisions().size();
        assertThat(reported)
                .as("reports in one episode, in %s", mode)
                .isLessThanOrEqualTo(mode == PoolMode.RECOMMEND ? 1 : 0);
        assertThat(step.decisions()).extracting(SizingDecision::verdict).containsOnly(verdicts(step));
    }

    /** A step that is not taken is never said to have helped. */
    private static Verdict[] verdicts(SizingStep step) {
        return step.decisions().isEmpty() ? new Verdict[0] : new Verdict[] {Verdict.UNVERIFIED};
    }

    private void acts(PoolWindow window, SizingStep step) {
        int to = step.limit();
        assertThat(to).as("between least and ceiling, %s", window).isBetween(settings.min(), window.ceiling());
        if (to > window.limit()) {
            assertThat(window.nowNanos() - lastConnectFailureNanos)
                    .as("grown from %s to %s since a connect failed, nanoseconds", window.limit(), to)
                    .isGreaterThanOrEqualTo(CONNECT_HOLD_NANOS);
            assertThat(window.filled())
                    .as("grown from %s to %s with %s open", window.limit(), to, window.total())
                    .isTrue();
            assertThat(step.decisions())
                    .as("of a growth from %s to %s", window.limit(), to)
                    .isNotEmpty();
        }
        boolean overruled = trial != null && trial.to() != window.limit();
        for (SizingDecision made : step.decisions()) {
            assertThat(made.from()).as("%s", made).isEqualTo(window.limit());
            assertThat(made.time()).as("%s", made).isEqualTo(Instant.EPOCH.plusNanos(window.nowNanos()));
            overruled &= made.verdict() == Verdict.PENDING;
            note(made);
        }
        assertThat(overruled)
                .as("the limit was moved from outside, and the trial goes on")
                .isFalse();
        if (!step.decisions().isEmpty() && to != window.limit()) {
            SizingDecision last = step.decisions().get(step.decisions().size() - 1);
            assertThat(to).as("what was reported: %s", last).isEqualTo(Math.min(last.to(), window.ceiling()));
        }
    }

    /** One step at a time, and none is left before its verdict. */
    private void note(SizingDecision made) {
        SizingDecision open = trial;
        switch (made.verdict()) {
            case PENDING -> {
                begins(made, open);
                trial = made;
            }
            case PROVEN, SERVED -> {
                ends(made, open);
                assertThat(made.to()).as("kept: %s", made).isEqualTo(made.from());
                unverified = 0;
            }
            case REVERTED, ABANDONED -> {
                ends(made, open);
                if (open != null && open.to() > open.from()) {
                    assertThat(made.to()).as("taken back: %s", made).isLessThanOrEqualTo(made.from());
                }
            }
            case NONE ->
                assertThat(open).as("untried while a step is: %s", made).isNull();
            case UNVERIFIED -> throw new AssertionError("only reported, and it acts: " + made);
        }
    }

    private void begins(SizingDecision made, @Nullable SizingDecision open) {
        assertThat(made.to()).as("%s", made).isEqualTo(made.tried()).isNotEqualTo(made.from());
        if (open != null) {
            assertThat(made.number())
                    .as("one step at a time: %s after %s", made, open)
                    .isEqualTo(open.number());
            assertThat(made.cause())
                    .as("only more load may take two unproven steps")
                    .isEqualTo(Cause.DEMAND);
        }
        if (made.cause() == Cause.DEMAND) {
            assertThat(made.to()).as("%s", made).isLessThanOrEqualTo(2 * made.from());
            assertThat(++unverified).as("unverified in one episode: %s", made).isLessThanOrEqualTo(MOST_UNVERIFIED);
        }
    }

    private void ends(SizingDecision made, @Nullable SizingDecision open) {
        assertThat(open).as("the step of %s", made).isNotNull();
        if (open != null) {
            assertThat(made.number()).as("the verdict of %s: %s", open, made).isEqualTo(open.number());
        }
        trial = null;
    }
}
