// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
    @Test
    void aLinearAxisHasRoundMarksAroundItsValues() {
        Scale scale = Scale.of(DoubleStream.of(3, 97), false, true);

        assertThat(scale.marks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
        assertThat(scale.place(0)).isZero();
        assertThat(scale.place(50)).isEqualTo(0.5);
    }

    @Test
    void anAxisOfTimeBeginsWhereItsValuesBegin() {
        assertThat(Scale.of(DoubleStream.of(100, 110), false, false).marks())
                .startsWith(100.0)
                .endsWith(110.0);
    }

    @Test
    void aLogarithmicAxisHasPowersOfTen() {
        Scale scale = Scale.of(DoubleStream.of(0.3, 0, Double.NaN, 4000), true, true);

        assertThat(scale.marks()).containsExactly(0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0);
        assertThat(scale.place(10)).isBetween(0.399, 0.401);
        assertThat(scale.shows(0)).isFalse();
        assertThat(scale.shows(Double.NaN)).isFalse();
    }

    @Test
    void aShortLogarithmicAxisHasMarksBetween() {
        assertThat(Scale.of(DoubleStream.of(12, 700), true, true).marks())
                .containsExactly(10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0);
    }

    @Test
    void oneValueOrNoneStillHasAnAxis() {
        assertThat(Scale.of(DoubleStream.empty(), false, true).marks()).hasSizeGreaterThan(1);
        assertThat(Scale.of(DoubleStream.of(7), false, false).marks()).hasSizeGreaterThan(1);
        assertThat(Scale.of(DoubleStream.of(10), true, false).marks()).hasSizeGreaterThan(1);
        assertThat(Scale.of(DoubleStream.empty(), true, false).marks()).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.25, 0.25", "12345, '12,345'", "1500000, '1,500,000'", "-2.5, -2.5", "0.00001, 1.00e-05"})
    void aLabelHasAsManyDigitsAsItNeeds(double value, String label) {
        assertThat(Scale.label(value)).isEqualTo(label);
    }
}
