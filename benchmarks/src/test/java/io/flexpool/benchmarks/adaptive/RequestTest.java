// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.simulate.Scenario;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTest {
    @Test
    void requestsComeInOrderAtTheRateOfEachPhase() {
        List<Request> requests = Request.of(RealScenario.STEP.scenario(), 1);

        assertThat(requests).isSortedAccordingTo(Comparator.comparingDouble(Request::second));
        assertThat(between(requests, 0, 40)).isBetween(400L, 600L);
        assertThat(between(requests, 40, 80)).isBetween(2_300L, 2_700L);
        assertThat(between(requests, 80, 150)).isBetween(750L, 1_000L);
        double mean =
                requests.stream().mapToDouble(Request::workSeconds).average().orElse(0);
        assertThat(mean).isCloseTo(0.080, within(0.008));
    }

    @Test
    void requestsDependOnTheSeedAlone() {
        Scenario scenario = RealScenario.SLOW.scenario();

        assertThat(Request.of(scenario, 1)).isEqualTo(Request.of(scenario, 1)).isNotEqualTo(Request.of(scenario, 2));
    }

    @Test
    void burstsArriveAtOnceAmongTheOthers() {
        List<Request> requests = Request.of(RealScenario.BURST.scenario(), 1);

        assertThat(requests).isSortedAccordingTo(Comparator.comparingDouble(Request::second));
        assertThat(requests.stream().filter(request -> request.second() == RealScenario.BURST.begins()))
                .hasSize(25);
    }

    @Test
    void anotherPaceKeepsTheLoad() {
        Scenario quick = RealScenario.LEAK.scenario(0.1);

        assertThat(quick.seconds()).isCloseTo(RealScenario.LEAK.scenario().seconds() / 10, within(1e-9));
        assertThat(quick.leakSeconds()).hasSize(12).first().isEqualTo(RealScenario.LEAK.begins() / 10);
        assertThat(quick.phases().get(0).rate()).isEqualTo(15);
    }

    @Test
    void oneRequestInTwentyOfTheMixedOnesIsLong() {
        List<Request> mixed = Request.of(RealScenario.MIXED.scenario(), 1);

        // Long ones take 1.2 s in the mean and short ones 20 ms: few of either are on the other side of 0.2 s.
        double share = (double) mixed.stream()
                        .filter(request -> request.workSeconds() > 0.2)
                        .count()
                / mixed.size();
        assertThat(share).isBetween(0.03, 0.07);
    }

    @Test
    void anotherPaceKeepsWhatTheScenarioIsAbout() {
        assertThat(RealScenario.SHORT_TIMEOUT.scenario(0.1).timeoutSeconds()).isEqualTo(0.25);
        assertThat(RealScenario.MIXED.scenario(0.1).mix().longShare()).isEqualTo(0.05);
        Scenario four = RealScenario.FOUR_POOLS.scenario(0.1);
        assertThat(four.instances()).isEqualTo(4);
        assertThat(four.base()).isEqualTo(20);
    }

    private static long between(List<Request> requests, double from, double to) {
        return requests.stream()
                .filter(request -> request.second() >= from && request.second() < to)
                .count();
    }
}
