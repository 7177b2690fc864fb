// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WindowsTest {
    private static final int CLIENTS = 3;
    private static final Tally.Taken TAKEN = new Tally.Taken(1_000_000, 600_000, 300_000);

    private final Windows windows = new Windows(2, CLIENTS);

    @Test
    void theWarmUpCountsNothingAndLeavesNothing() {
        Tally.Share share = new Tally.Share();
        share.add(900_000, 900_000, 1);
        windows.add(windows.current(), 0, share);
        share.add(2_000, 5_000, 1);
        windows.add(0, 0, share);
        share.add(4_000, 5_000, 1);
        windows.add(1, 0, share);

        TailWindow first = windows.tallies().get(0).window(TAKEN, 4);

        assertThat(first.leases()).isEqualTo(1);
        assertThat(first.maxMicros()).isCloseTo(2, within(0.01));
        assertThat(windows.tallies().get(1).window(TAKEN, 4).maxMicros()).isCloseTo(4, within(0.01));
    }

    @Test
    void theFiguresAreThoseOfAllClients() {
        Tally.Share one = new Tally.Share();
        for (int request = 0; request < 99; request++) {
            one.add(1_000, 10_000, 1);
        }
        windows.add(0, 0, one);
        Tally.Share other = new Tally.Share();
        other.add(101_000, 10_000, 1);
        windows.add(0, 2, other);

        TailWindow window = windows.tallies().get(0).window(TAKEN, 5);

        assertThat(window.leases()).isEqualTo(100);
        assertThat(window.opsPerSecond()).isEqualTo(100_000);
        assertThat(window.meanMicros()).isCloseTo(2, within(0.01));
        assertThat(window.p50Micros()).isCloseTo(1, within(0.01));
        assertThat(window.p99Micros()).isCloseTo(1, within(0.01));
        assertThat(window.p999Micros()).isCloseTo(101, within(0.1));
        assertThat(window.maxMicros()).isCloseTo(101, within(0.1));
        assertThat(window.fewest()).as("the client without any").isZero();
        assertThat(window.most()).isEqualTo(99);
        assertThat(window.cpuMicrosPerOp()).isEqualTo(6);
        assertThat(window.clientCpuMicrosPerOp()).isEqualTo(3);
        assertThat(window.busy()).isCloseTo(1, within(0.001));
        assertThat(window.mostOpen()).isEqualTo(5);
    }

    @Test
    void requestsThatAreNotTimedCountAndHoldAsLongAsThoseThatAre() {
        Tally.Share share = new Tally.Share();
        share.add(1_000, 5_000, 64);
        windows.add(0, 0, share);

        TailWindow window = windows.tallies().get(0).window(TAKEN, 4);

        assertThat(window.leases()).isEqualTo(64);
        assertThat(window.busy()).isCloseTo(0.32, within(0.001));
    }

    @Test
    void aWindowWithoutALeaseHasNoFigures() {
        assertThatIllegalStateException()
                .isThrownBy(() -> windows.tallies().get(0).window(TAKEN, 4))
                .withMessage("no lease ended within 1000000 ns");
    }
}
