// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.simulate.Trace.Point;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    @Test
    void aReversalIsAStepAgainstTheOneBefore() {
        assertThat(Steadiness.reversals(limitsFromSecond(55, 5, 7, 6, 6))).isZero();
        assertThat(Steadiness.reversals(limitsFromSecond(61, 5, 7, 7, 8, 9))).isZero();
        assertThat(Steadiness.reversals(limitsFromSecond(61, 9, 7, 7, 6, 5))).isZero();
        assertThat(Steadiness.reversals(limitsFromSecond(61, 5, 7, 7, 7, 6))).isEqualTo(1);
        assertThat(Steadiness.reversals(limitsFromSecond(61, 5, 4, 5, 4))).isEqualTo(2);
        assertThat(Steadiness.reversals(limitsFromSecond(58, 5, 7, 7, 7, 6)))
                .as("of a step within the first minute")
                .isEqualTo(1);
    }

    private static List<Point> limitsFromSecond(int second, int... limits) {
        return IntStream.range(0, limits.length)
                .mapToObj(at -> new Point(second + at, 0, 0, limits[at], 0, 0, 0))
                .toList();
    }
}
