// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.report.Graph.Point;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ThinningTest {
    @Test
    void aShortLineIsLeftAlone() {
        List<Point> points =
                IntStream.range(0, 1000).mapToObj(x -> new Point(x, x)).toList();

        assertThat(Thinning.thinned(points)).isSameAs(points);
    }

    @Test
    void aLongLineKeepsItsEndsAndEveryPeak() {
        List<Point> points = IntStream.range(0, 100_000)
                .mapToObj(x -> new Point(x, x == 33_333 ? 99 : x == 66_666 ? -99 : x % 7))
                .toList();

        List<Point> thinned = Thinning.thinned(points);

        assertThat(thinned)
                .hasSizeLessThan(2100)
                .contains(new Point(33_333, 99), new Point(66_666, -99))
                .startsWith(points.get(0))
                .endsWith(points.get(99_999))
                .isSortedAccordingTo(Comparator.comparingDouble(Point::x));
    }
}
