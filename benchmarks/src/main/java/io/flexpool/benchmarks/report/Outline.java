// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Graph.Series;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Leaves out the points that a picture does not need, so that a published result stays small. A line keeps its ends, and
 * then, where the line drawn so far is furthest from all points together, the furthest of them: a long stretch that is a
 * little wrong counts as much as a short one that is very wrong.
 */
final class Outline {
    static final int MOST_POINTS = 100;

    /** In parts of the picture's height: half a pixel. */
    private static final double INVISIBLE = 0.002;

    private static final MathContext DIGITS = new MathContext(4);
    /** From here on a figure has more whole digits than are kept of a fraction. */
    private static final double WHOLE = 1000;

    private final List<Point> points;
    private final Scale x;
    private final Scale y;

    private Outline(List<Point> points, Scale x, Scale y) {
        this.points = points;
        this.x = x;
        this.y = y;
    }

    /** The part of a line between two points that are kept, and what is furthest from a straight line between them. */
    private record Gap(int from, int to, int furthest, double distance, double area) {}

    /**
     * The same picture with fewer points and with short figures.
     *
     * @param graph may be an outline already: then nothing changes
     */
    static Graph of(Graph graph) {
        Scale x = Scale.of(graph, Point::x, graph.x(), false);
        Scale y = Scale.of(graph, Point::y, graph.y(), true);
        return new Graph(
                graph.title(),
                graph.x(),
                graph.y(),
                graph.series().stream()
                        .map(line -> new Series(line.name(), new Outline(line.points(), x, y).kept()))
                        .toList());
    }

    private List<Point> kept() {
        TreeSet<Integer> kept = new TreeSet<>();
        if (points.size() <= Plot.FEW_POINTS) {
            return points.stream().map(Outline::shortened).toList();
        }
        PriorityQueue<Gap> gaps =
                new PriorityQueue<>(Comparator.comparingDouble(Gap::area).reversed());
        kept.add(0);
        kept.add(points.size() - 1);
        gaps.add(gap(0, points.size() - 1));
        while (kept.size() < MOST_POINTS && !gaps.isEmpty()) {
            Gap gap = gaps.remove();
            if (gap.distance() > INVISIBLE) {
                kept.add(gap.furthest());
                gaps.add(gap(gap.from(), gap.furthest()));
                gaps.add(gap(gap.furthest(), gap.to()));
            }
        }
        return kept.stream().map(points::get).map(Outline::shortened).toList();
    }

    /** A point that has no place breaks the line: it is as far away as can be, and so are its neighbours. */
    private Gap gap(int from, int to) {
        int furthest = from;
        double most = 0;
        double area = 0;
        for (int at = from + 1; at < to; at++) {
            double share = (across(at) - across(from)) / (across(to) - across(from));
            double distance = Math.abs(down(at) - down(from) - share * (down(to) - down(from)));
            if (!Double.isFinite(distance)) {
                int broken = Double.isFinite(down(to)) ? at : to - 1;
                return new Gap(from, to, broken, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
            }
            area += distance;
            if (distance > most) {
                most = distance;
                furthest = at;
            }
        }
        return new Gap(from, to, furthest, most, area);
    }

    private double across(int at) {
        return x.place(points.get(at).x());
    }

    private double down(int at) {
        return y.place(points.get(at).y());
    }

    private static Point shortened(Point point) {
        return new Point(shortened(point.x()), shortened(point.y()));
    }

    private static double shortened(double value) {
        return Math.abs(value) < WHOLE ? new BigDecimal(value).round(DIGITS).doubleValue() : Math.rint(value);
    }
}
