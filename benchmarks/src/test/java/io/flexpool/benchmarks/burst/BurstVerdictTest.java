// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BurstVerdictTest {
    private static final Sizes SIZES = new Sizes(20, 60, 250, 500, 500);
    private static final double MODEL_MS = 400;
    private static final BurstRow CEILING = row(0, 60, 100, 300, 60);

    @Test
    void onTheBoundIsMet() {
        BurstVerdict verdict = BurstVerdict.of(row(0, 60, 440, 330, 40), CEILING, SIZES, MODEL_MS);

        assertThat(verdict.goals()).hasSize(5).allMatch(BurstVerdict.Goal::met);
        assertThat(verdict.met()).isTrue();
        assertThat(verdict.describe()).startsWith("tomcat: all goals met").doesNotContain("MISSED");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 60, 440, 330, 40, failures",
        "0, 61, 440, 330, 40, maxPhysical",
        "0, 60, 441, 330, 40, median worst ms",
        "0, 60, 440, 331, 40, p99 ms",
        "0, 60, 440, 330, 40.1, meanHeld"
    })
    void beyondItIsMissedByName(int failures, int physical, double worst, double p99, double held, String missed) {
        BurstVerdict verdict = BurstVerdict.of(row(failures, physical, worst, p99, held), CEILING, SIZES, MODEL_MS);

        assertThat(verdict.met()).isFalse();
        assertThat(verdict.goals())
                .filteredOn(goal -> !goal.met())
                .singleElement()
                .extracting(BurstVerdict.Goal::name)
                .isEqualTo(missed);
        assertThat(verdict.describe()).contains("NOT all goals met").contains(missed);
    }

    @Test
    void whatWasNotMeasuredIsNotMet() {
        BurstVerdict verdict =
                BurstVerdict.of(BurstRow.missing(BurstPool.TOMCAT, Variant.FLEXPOOL, "no"), CEILING, SIZES, MODEL_MS);

        assertThat(verdict.goals()).noneMatch(BurstVerdict.Goal::met);
    }

    private static BurstRow row(int failures, int physical, double worst, double p99, double held) {
        return new BurstRow(
                "tomcat",
                "flexpool",
                List.of(failures, 0),
                0,
                p99,
                List.of(worst, worst),
                worst,
                held,
                physical,
                0.0,
                null);
    }
}
