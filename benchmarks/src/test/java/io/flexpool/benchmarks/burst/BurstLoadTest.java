// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BurstLoadTest {
    private final BurstLoad load = new BurstLoad(50, 100, 2000, 100, 3);

    @Test
    void aPeriodOfCalmThenTheBursts() {
        List<Arrival> arrivals = load.arrivals();

        assertThat(arrivals).filteredOn(arrival -> !arrival.ofBurst()).hasSize(4 * 100);
        assertThat(arrivals).filteredOn(Arrival::ofBurst).hasSize(3 * 100);
        assertThat(arrivals).filteredOn(arrival -> arrival.window() < 0).hasSize(100);
        for (int burst = 0; burst < 3; burst++) {
            int window = burst;
            assertThat(arrivals)
                    .filteredOn(arrival -> arrival.ofBurst() && arrival.window() == window)
                    .hasSize(100)
                    .allMatch(arrival -> arrival.atNanos() == TimeUnit.SECONDS.toNanos(2L * (window + 1)));
        }
    }

    @Test
    void arrivalsAreInOrderAndSteadyOnesEvenlySpaced() {
        assertThat(load.arrivals()).extracting(Arrival::atNanos).isSorted();
        List<Long> steady = load.arrivals().stream()
                .filter(arrival -> !arrival.ofBurst())
                .map(Arrival::atNanos)
                .toList();
        assertThat(steady).startsWith(0L, 20_000_000L).endsWith(7_980_000_000L);
        assertThat(load.endNanos()).isEqualTo(8_000_000_000L);
    }

    @Test
    void aSteadyRequestBelongsToTheBurstBeforeIt() {
        assertThat(load.arrivals())
                .filteredOn(arrival -> !arrival.ofBurst() && arrival.atNanos() == 2_000_000_000L)
                .singleElement()
                .extracting(Arrival::window)
                .isEqualTo(0);
        assertThat(load.arrivals())
                .filteredOn(arrival -> arrival.atNanos() == 3_980_000_000L)
                .singleElement()
                .extracting(Arrival::window)
                .isEqualTo(0);
    }
}
