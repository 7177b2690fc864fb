// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Graph.Series;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutlineTest {
    private static Graph graph(List<Point> points) {
        return new Graph(
                "g", new Axis("time", "s", false), new Axis("y", "", false), List.of(new Series("line", points)));
    }

    private static Graph line(int points, IntToDoubleFunction y) {
        return graph(IntStream.range(0, points)
                .mapToObj(x -> new Point(x, y.applyAsDouble(x)))
                .toList());
    }

    private static List<Point> thinned(Graph graph) {
        return Outline.of(graph).series().get(0).points();
    }

    @Test
    void aShortLineKeepsEachPoint() {
        Graph line = line(40, x -> x);

        assertThat(thinned(line)).isEqualTo(line.series().get(0).points());
    }

    @Test
    void aStraightLineKeepsItsEnds() {
        assertThat(thinned(line(1000, x -> x / 10.0))).containsExactly(new Point(0, 0), new Point(999, 99.9));
    }

    @Test
    void stepsKeepTheirCorners() {
        assertThat(thinned(line(100, x -> x < 50 ? 5 : 10)))
                .containsExactly(new Point(0, 5), new Point(49, 5), new Point(50, 10), new Point(99, 10));
    }

    @Test
    void aLongLineKeepsItsEndsAndEveryPeak() {
        Graph line = line(100_000, x -> x == 33_333 ? 99 : x == 66_666 ? -99 : x % 7);

        List<Point> thinned = thinned(line);

        assertThat(thinned)
                .hasSizeLessThanOrEqualTo(Outline.MOST_POINTS)
                .contains(new Point(33_333, 99), new Point(66_666, -99))
                .startsWith(new Point(0, 0))
                .endsWith(new Point(99_999, 99_999 % 7))
                .isSortedAccordingTo(Comparator.comparingDouble(Point::x));
    }

    @Test
    void aSmoothLineIsNowhereFurtherAwayThanOneSees() {
        Graph line = line(5_000, x -> 100 + 100 * Math.sin(x / 500.0));

        List<Point> thinned = thinned(line);

        assertThat(thinned).hasSizeBetween(10, Outline.MOST_POINTS);
        for (Point point : line.series().get(0).points()) {
            assertThat(at(thinned, point.x())).isCloseTo(point.y(), within(0.005 * 200));
        }
    }

    private static double at(List<Point> line, double x) {
        int to = 1;
        while (line.get(to).x() < x) {
            to++;
        }
        Point from = line.get(to - 1);
        Point end = line.get(to);
        return from.y() + (end.y() - from.y()) * (x - from.x()) / (end.x() - from.x());
    }

    @Test
    void whereThereIsNoNumberTheLineStaysBroken() {
        List<Point> thinned = thinned(line(1000, x -> x == 400 ? Double.NaN : 1));

        assertThat(thinned)
                .containsExactly(
                        new Point(0, 1),
                        new Point(399, 1),
                        new Point(400, Double.NaN),
                        new Point(401, 1),
                        new Point(999, 1));
    }

    @Test
    void whatIsThinnedStaysAsItIs() {
        Graph once = Outline.of(line(5_000, x -> 1e4 * Math.sin(x / 50.0) + x));

        assertThat(Outline.of(once)).isEqualTo(once);
    }

    @Test
    void figuresAreShortAndWholeOnesAreWhole() {
        assertThat(thinned(graph(List.of(new Point(0.123456, 12.34567), new Point(1234.567, 123_456)))))
                .containsExactly(new Point(0.1235, 12.35), new Point(1235, 123_456));
    }
}
