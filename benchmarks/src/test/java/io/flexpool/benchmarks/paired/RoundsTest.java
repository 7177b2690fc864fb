// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundsTest {
    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "7,3", "300,10", "150,1", "10000000,100"})
    void eachRoundBelongsToOneCompilation(int counting, int compilations) {
        Rounds rounds = new Rounds(5, counting, compilations);

        assertThat(rounds.first(0)).isZero();
        for (int at = 0; at < compilations; at++) {
            assertThat(rounds.first(at + 1) - rounds.first(at))
                    .isBetween(counting / compilations, counting / compilations + 1);
        }
        assertThat(rounds.first(compilations)).isEqualTo(counting);
        assertThat(rounds.isLast(compilations - 1)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"5,4,2,14", "250,300,1,550"})
    void everyCompilationWarmsUp(int warmUp, int counting, int compilations, long steps) {
        assertThat(new Rounds(warmUp, counting, compilations).steps()).isEqualTo(steps);
    }
}
