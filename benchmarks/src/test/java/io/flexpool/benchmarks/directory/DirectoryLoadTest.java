// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryLoadTest {
    private static final DirectoryLoad LOAD = new DirectoryLoad(4, 100, 3000, 100, 500, 2);

    @Test
    void theSteadyRequestsGoOnAmongTheBursts() {
        List<Arrival> arrivals = LOAD.arrivals();

        assertThat(arrivals).isSortedAccordingTo(Comparator.comparingLong(Arrival::atNanos));
        assertThat(arrivals).filteredOn(arrival -> arrival.window() < 0).hasSize(1200);
        assertThat(arrivals).filteredOn(arrival -> !arrival.ofBurst()).hasSize(1600);
        assertThat(LOAD.length()).isEqualTo(Duration.ofSeconds(4));
        List<Long> steady = arrivals.stream()
                .filter(arrival -> !arrival.ofBurst())
                .map(Arrival::atNanos)
                .toList();
        for (int n = 0; n < steady.size(); n++) {
            assertThat(steady.get(n)).isEqualTo(n * 2_500_000L);
        }
    }

    @Test
    void aBurstComesAllAtOnce() {
        assertThat(LOAD.arrivals())
                .filteredOn(arrival -> arrival.ofBurst() && arrival.window() == 1)
                .hasSize(100)
                .allSatisfy(arrival -> assertThat(arrival.atNanos()).isEqualTo(3_500_000_000L));
        assertThat(LOAD.burstAtSeconds(1)).isEqualTo(3.5);
    }
}
