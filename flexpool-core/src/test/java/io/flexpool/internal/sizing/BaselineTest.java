// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.internal.sizing.PoolWindow.Traffic;
import org.junit.jupiter.api.Test;

class BaselineTest {
    private static final long MS = 1_000_000L;

    /** Regression: a step for leaked connections said that 813 requests a second had been completed before. */
    @Test
    void connectionsThatDoNotComeBackCompleteNothing() {
        // Three of five are leased for a minute, and the limit has bound for less than half of the tick.
        PoolWindow window = new PoolWindow(
                250 * MS,
                5,
                40,
                5,
                5,
                3,
                0,
                5,
                20 * MS,
                new Traffic(10, 10, 10 * 20 * MS, 0, 0, 4.0, 0.2),
                LeaseAges.ofAges(new long[] {60_000 * MS, 60_000 * MS, 60_000 * MS, 10 * MS, 10 * MS}));
        History history = new History();
        history.add(0.25, window, new Rate(10, 0.2));
        Signals signals =
                new Signals(window, 0.25, history, new CalmLease(), new CalmClasses(), 0, SizingSettings.DEFAULT);

        assertThat(signals.stuck).isEqualTo(3);
        assertThat(new Baseline(new Noise()).before(signals, history).perSecond())
                .as("two connections, 20 ms a lease")
                .isCloseTo(100, within(1e-6));
    }

    @Test
    void onlyTicksInWhichTheLimitBoundCount() {
        Baseline baseline = new Baseline(new Noise());
        see(baseline, 10, 5, 0.1);
        assertThat(baseline.seen().known()).isFalse();
        see(baseline, 50, 5, 1);
        see(baseline, 52, 5, 0.9);
        see(baseline, 80, 6, 1);
        assertThat(baseline.seen().perSecond()).isCloseTo(204, within(1.0));
    }

    @Test
    void whatWasSeenFades() {
        Baseline baseline = seen(8, 50);
        for (int tick = 0; tick < 80; tick++) {
            see(baseline, 25, 5, 1);
        }
        assertThat(baseline.seen().perSecond()).isCloseTo(100, within(3.0));
    }

    @Test
    void whatWasSeenCanBeForgotten() {
        Baseline baseline = seen(8, 50);
        assertThat(baseline.sound()).isTrue();
        baseline.forget();
        assertThat(baseline.sound()).isFalse();
    }

    private static Baseline seen(int ticks, int completions) {
        Baseline baseline = new Baseline(new Noise());
        for (int tick = 0; tick < ticks; tick++) {
            see(baseline, completions, 5, 1);
        }
        return baseline;
    }

    private static void see(Baseline baseline, long ended, int active, double saturated) {
        Traffic traffic = new Traffic(ended, ended, ended * 20 * MS, 0, 0, active, saturated);
        PoolWindow window =
                new PoolWindow(250 * MS, 5, 40, 5, active, 3, 0, 5, 20 * MS, traffic, LeaseAges.ofAges(10 * MS));
        History history = new History();
        history.add(0.25, window, new Rate((double) ended, ended * 0.020));
        baseline.tick(
                new Signals(window, 0.25, history, new CalmLease(), new CalmClasses(), 0, SizingSettings.DEFAULT), 1);
    }
}
