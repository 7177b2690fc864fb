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
        Scenario scenario = RealScenario.OVERLOAD.scenario();

        assertThat(Request.of(scenario, 1)).isEqualTo(Request.of(scenario, 1)).isNotEqualTo(Request.of(scenario, 2));
    }

    @Test
    void anotherPaceKeepsTheLoad() {
        Scenario quick = RealScenario.OVERLOAD.scenario(0.1);

        assertThat(quick.seconds()).isCloseTo(RealScenario.OVERLOAD.scenario().seconds() / 10, within(1e-9));
        assertThat(quick.phases().get(0).rate()).isEqualTo(25);
    }

    private static long between(List<Request> requests, double from, double to) {
        return requests.stream()
                .filter(request -> request.second() >= from && request.second() < to)
                .count();
    }
}
