// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    private final LeaseTrace trace = Traces.poisson(3, Duration.ofMinutes(10), 50, 10, Traces.exponential(20));

    @Test
    void anotherTraceHasAsManyBlocksAndAlmostAsManyRequests() {
        Bootstrap bootstrap = new Bootstrap(trace);
        assertThat(bootstrap.blocks()).isBetween(120, 121);
        LeaseTrace other = bootstrap.resampled(1);
        assertThat((double) other.requests()).isBetween(0.9 * trace.requests(), 1.1 * trace.requests());
        assertThat(other.arrival).isSorted();
        assertThat(other.arrival[other.size - 1]).isLessThan(bootstrap.blocks() * Bootstrap.BLOCK_NANOS);
        assertThat(other.arrival).isNotEqualTo(trace.arrival);
    }

    /** What comes together within a block stays together. */
    @Test
    void eachRequestKeepsItsPlaceInItsBlock() {
        LeaseTrace other = new Bootstrap(trace).resampled(1);
        Set<Long> places = LongStream.of(trace.arrival)
                .map(at -> at % Bootstrap.BLOCK_NANOS)
                .boxed()
                .collect(Collectors.toSet());
        assertThat(LongStream.of(other.arrival).allMatch(at -> places.contains(at % Bootstrap.BLOCK_NANOS)))
                .isTrue();
    }

    /** As a damaged figure makes it: 1.2 thousand million blocks took 5 GB. */
    @Test
    void aTraceOfCenturiesHasAMillionBlocks() {
        LeaseTrace.Builder requests = LeaseTrace.builder();
        requests.add(0, 0, 1, LeaseTrace.Ending.RELEASED, "", 0);
        requests.add(Duration.ofDays(73_000).toNanos(), 0, 1, LeaseTrace.Ending.RELEASED, "", 0);
        Bootstrap bootstrap = new Bootstrap(requests.build());
        assertThat(bootstrap.blocks()).isLessThanOrEqualTo(1_000_000);
        assertThat(bootstrap.resampled(1).size).isLessThanOrEqualTo(4);
    }

    @Test
    void theSameSeedGivesTheSameTrace() {
        Bootstrap bootstrap = new Bootstrap(trace);
        assertThat(bootstrap.resampled(5).arrival).isEqualTo(bootstrap.resampled(5).arrival);
        assertThat(bootstrap.resampled(5).arrival).isNotEqualTo(bootstrap.resampled(6).arrival);
    }

    @Test
    void aSecondConnectionStaysWithItsFirstOne() {
        LeaseTrace.Builder nested = LeaseTrace.builder();
        for (int at = 0; at < 20; at++) {
            nested.add(at * 3L * SECOND, 0, 2 * SECOND, Ending.RELEASED, "outer", 1);
            nested.add(at * 3L * SECOND + SECOND, 0, SECOND / 2, Ending.RELEASED, "inner", 1);
        }
        LeaseTrace other = new Bootstrap(nested.build()).resampled(2);
        List<Integer> inner = IntStream.range(0, other.size)
                .filter(at -> other.outer[at] != LeaseTrace.NONE)
                .boxed()
                .toList();
        assertThat(inner).isNotEmpty().allSatisfy(at -> {
            assertThat(other.sites().get(other.site[at])).isEqualTo("inner");
            assertThat(other.arrival[at] - other.arrival[other.outer[at]]).isEqualTo(SECOND);
        });
    }
}
