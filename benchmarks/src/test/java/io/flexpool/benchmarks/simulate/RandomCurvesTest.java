// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.simulate.RandomCurves.Drawn;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomCurvesTest {
    @Test
    void curvesAndSeedsLieInTheirRanges() {
        List<Drawn> drawn = new RandomCurves(200, 1).drawn();

        assertThat(drawn).hasSize(200).allSatisfy(one -> {
            assertThat(one.curve().knee()).isBetween(5.0, 30.0);
            assertThat(one.curve().sigma()).isBetween(0.01, 0.1);
            assertThat(one.curve().serviceSeconds()).isBetween(0.010, 0.030);
            assertThat(Math.abs(one.seed())).isGreaterThan(1_000_000);
        });
        assertThat(drawn)
                .anyMatch(one -> one.curve().knee() < 8)
                .anyMatch(one -> one.curve().knee() > 27);
    }

    @Test
    void moreCurvesBeginWithTheSameOnes() {
        List<Drawn> three = new RandomCurves(3, 1).drawn();

        assertThat(new RandomCurves(5, 1).drawn()).startsWith(three.toArray(Drawn[]::new));
    }

    @Test
    void anotherSeedGivesOtherCurves() {
        List<Drawn> three = new RandomCurves(3, 1).drawn();

        assertThat(new RandomCurves(3, 2).drawn()).doesNotContainAnyElementsOf(three);
    }
}
