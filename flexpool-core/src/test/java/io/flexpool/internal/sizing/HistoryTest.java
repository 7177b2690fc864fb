// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.internal.sizing.PoolWindow.Traffic;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private final History history = new History();

    private void add(double length, long completions, double meanActive, double saturated) {
        Traffic traffic = new Traffic(completions, completions, completions * 20_000_000L, 0, 0, meanActive, saturated);
        add(length, new PoolWindow(0, 5, 40, 5, 0, 0, 0, 5, 0, traffic, LeaseAges.NONE));
    }

    private void add(double length, PoolWindow window) {
        Traffic traffic = window.traffic();
        history.add(length, window, new Rate((double) traffic.completions(), traffic.leaseNanos() / 1e9));
    }

    @Test
    void aLateTickCountsWithItsTrueLength() {
        add(0.25, 50, 4, 1);
        add(1.75, 350, 4, 1);
        assertThat(history.completions(2) / history.seconds(2)).isCloseTo(200, within(1e-9));
        assertThat(history.arrivalRate(2)).isCloseTo(200, within(1e-9));
        assertThat(history.seconds(2)).isCloseTo(2, within(1e-9));
    }

    @Test
    void theMeanLeaseReachesBackUntilEnoughEnded() {
        add(0.25, window(100, 0.100));
        add(0.25, window(1, 0.020));
        assertThat(history.leases(1, 1, 20).mean()).isCloseTo(0.020, within(1e-6));
        assertThat(history.leases(1, 8, 20).mean()).isCloseTo((10 + 0.020) / 101, within(1e-6));
        assertThat(history.leases(1, 8, 20).count()).isEqualTo(101);
        assertThat(history.leasesAgo(1, 2).mean()).isCloseTo(0.100, within(1e-6));
        assertThat(history.leasesAgo(0, 1).count()).isOne();
        assertThat(history.leasesAgo(2, 8).mean()).as("no tick is so old").isZero();
    }

    private static PoolWindow window(long completions, double lease) {
        Traffic traffic = new Traffic(0, completions, (long) (completions * lease * 1e9), 0, 0, 0, 0);
        return new PoolWindow(0, 5, 40, 5, 0, 0, 0, 5, 0, traffic, LeaseAges.NONE);
    }

    /** Regression: the end of one job of 20 s made all leases look long. */
    @Test
    void leasesThatCountedAsTakenAreLeftOutOfTheMeanLease() {
        PoolWindow window = window(100, 0.020);
        history.add(0.25, window, new Rate(99, 1.980));
        assertThat(history.completions(1)).isEqualTo(100);
        assertThat(history.leases(1, 1, 20).mean()).isCloseTo(0.020, within(1e-6));
    }

    @Test
    void theBusiestSecondsAreWhatCounts() {
        for (int second = 0; second < 20; second++) {
            for (int tick = 0; tick < 4; tick++) {
                add(0.25, 1, second % 5 == 0 ? 12 : 2, 0);
            }
        }
        assertThat(history.busySecond(80)).isCloseTo(12, within(1e-9));
        assertThat(history.busySecond(4)).isCloseTo(2, within(1e-9));
    }

    @Test
    void halfAMinuteIsKept() {
        for (int tick = 0; tick < 300; tick++) {
            add(0.25, tick, 1, 0);
        }
        assertThat(history.seconds(1000)).isCloseTo(32, within(1e-9));
        assertThat(history.completions(1)).isEqualTo(299);
    }
}
