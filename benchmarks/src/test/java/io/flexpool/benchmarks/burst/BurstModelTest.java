// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.burst.BurstModel.Outcome;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of the published load, worked out elsewhere. */
class BurstModelTest {
    private static final BurstLoad LOAD = new BurstLoad(50, 100, 2000, 100, 20);
    private static final Offset<Double> EXACTLY = within(1e-6);

    @Test
    void twentyConnectionsServeAllWithin600Ms() {
        Outcome outcome = new BurstModel(LOAD, 20, 500).fixed();

        assertThat(outcome.burstFailures() + outcome.steadyFailures()).isZero();
        assertThat(outcome.worstMs()).isCloseTo(600, EXACTLY);
    }

    @Test
    void aMillisecondLessPatienceLosesRequests() {
        Outcome outcome = new BurstModel(LOAD, 20, 499).fixed();

        assertThat(outcome.burstFailures() + outcome.steadyFailures()).isPositive();
    }

    @Test
    void twentyFiveConnectionsServeAllWithinFiveHundredMs() {
        Outcome outcome = new BurstModel(LOAD, 25, 500).fixed();

        assertThat(outcome.burstFailures() + outcome.steadyFailures()).isZero();
        assertThat(outcome.worstMs()).isCloseTo(500, EXACTLY);
    }

    @Test
    void whatDoesNotGrowLoses42To45OfEachBurst() {
        assertThat(new BurstModel(LOAD, 20, 250).fixed().burstFailures()).isBetween(42, 45);
    }

    @ParameterizedTest
    @CsvSource({"0, 435", "5, 460", "15, 500"})
    void hikariCpsAdderUpToSixty(double connectMs, double worstMs) {
        List<Double> ready = after(25, ConnectLaw.ONE_ADDER_WITH_PAUSE.readyMs(40, connectMs));

        Outcome outcome = new BurstModel(LOAD, 20, 500).grown(ready);

        assertThat(outcome.worstMs()).isCloseTo(worstMs, EXACTLY);
        assertThat(outcome.burstFailures() + outcome.steadyFailures()).isZero();
    }

    /** A server that comes when all is over changes nothing; one that is there at once helps. */
    @Test
    void aConnectionThatComesTooLateDoesNotHelp() {
        BurstModel model = new BurstModel(LOAD, 20, 500);

        assertThat(model.grown(List.of(1900.0))).isEqualTo(model.fixed());
        assertThat(model.grown(List.of(0.0)).worstMs()).isLessThan(model.fixed().worstMs());
    }

    @Test
    void withoutWaitingTheWorstIsTheHold() {
        Outcome outcome = new BurstModel(LOAD, 200, 250).fixed();

        assertThat(outcome).isEqualTo(new Outcome(100, 0, 0));
    }

    @Test
    void eachLawOpensAtItsOwnPace() {
        assertThat(ConnectLaw.ONE_ADDER_WITH_PAUSE.readyMs(3, 5)).containsExactly(5.0, 40.0, 75.0);
        assertThat(ConnectLaw.ONE_CREATOR.readyMs(3, 5)).containsExactly(5.0, 10.0, 15.0);
        assertThat(ConnectLaw.THREE_HELPERS.readyMs(4, 5)).containsExactly(5.0, 5.0, 5.0, 10.0);
        assertThat(ConnectLaw.IN_THE_CALLER.readyMs(4, 5)).containsExactly(5.0, 5.0, 5.0, 5.0);
        assertThat(ConnectLaw.IN_THE_CALLER.readyMs(0, 5)).isEmpty();
    }

    private static List<Double> after(double ms, List<Double> ready) {
        return ready.stream().map(at -> at + ms).toList();
    }
}
