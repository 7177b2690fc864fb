// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.shootout.Ranking.Entry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {
    private static Ranking ranking(double... measured) {
        List<Entry> entries = new ArrayList<>();
        for (int at = 0; at < measured.length; at++) {
            entries.add(new Entry("p" + at, at, measured[at]));
        }
        return new Ranking(1, entries);
    }

    @Test
    void theSameOrderIsOneAndTheOppositeIsMinusOne() {
        assertThat(ranking(10, 20, 30, 400).correlation()).isEqualTo(1);
        assertThat(ranking(4, 3, 2, 1).correlation()).isEqualTo(-1);
    }

    @Test
    void oneThatIsTwoPlacesOffCounts() {
        // Ranks 3 1 2 4 5 against 1 2 3 4 5: squares 4 + 1 + 1.
        assertThat(ranking(30, 10, 20, 40, 50).correlation()).isEqualTo(1 - 6 * 6.0 / (5 * 24));
    }

    @Test
    void equalFiguresShareTheirRank() {
        // Ranks 1.5 1.5 3 4: squares 0.25 + 0.25.
        assertThat(ranking(7, 7, 8, 9).correlation()).isEqualTo(1 - 6 * 0.5 / (4 * 15));
    }

    @Test
    void fewPoolsMustAgreeMore() {
        assertThat(ranking(1, 2, 3).enough()).isFalse();
        assertThat(ranking(1, 2, 3, 4).enough()).isTrue();
        assertThat(ranking(1, 2, 3, 4).critical()).isEqualTo(1);
        assertThat(ranking(1, 2, 3, 4, 5, 6, 7).critical()).isEqualTo(0.714);
    }

    @Test
    void theFastComeFirst() {
        assertThat(ranking(30, 10, 20, 40).published()).isEqualTo("p0 < p1 < p2 < p3");
        assertThat(ranking(30, 10, 20, 40).measured()).isEqualTo("p1 < p2 < p0 < p3");
    }
}
