// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.report.Graph.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Leaves out points that would not be visible in a graph, so that the file of a long run stays small. */
public final class Thinning {
    /** Of a line in a published result. */
    static final int MAX_PUBLISHED = 100;

    private static final int COLUMNS = 500;
    /** A column keeps at most four points. */
    private static final int POINTS_OF_A_COLUMN = 4;

    private Thinning() {}

    /**
     * Of each narrow column the first, the last, the lowest and the highest point: the line appears unchanged.
     *
     * @param points from left to right
     * @return the same list if it is short
     */
    public static List<Point> thinned(List<Point> points) {
        return points.size() <= 2 * COLUMNS ? points : thinned(points, COLUMNS);
    }

    /** The graph of a published result: nothing changes if it is short already. */
    static Graph published(Graph graph) {
        return new Graph(
                graph.title(),
                graph.x(),
                graph.y(),
                graph.series().stream()
                        .map(line -> new Graph.Series(
                                line.name(),
                                line.points().size() <= MAX_PUBLISHED
                                        ? line.points()
                                        : thinned(line.points(), MAX_PUBLISHED / POINTS_OF_A_COLUMN - 1)))
                        .toList());
    }

    private static List<Point> thinned(List<Point> points, int columns) {
        double left = points.get(0).x();
        double width = (points.get(points.size() - 1).x() - left) / columns;
        List<Point> thinned = new ArrayList<>();
        int from = 0;
        while (from < points.size()) {
            double end = left + (Math.floor((points.get(from).x() - left) / width) + 1) * width;
            int to = from + 1;
            while (to < points.size() && points.get(to).x() < end) {
                to++;
            }
            thinned.addAll(outline(points.subList(from, to)));
            from = to;
        }
        return thinned;
    }

    private static List<Point> outline(List<Point> column) {
        Comparator<Integer> byHeight =
                Comparator.comparingDouble(at -> column.get(at).y());
        List<Integer> indexes = IntStream.range(0, column.size()).boxed().toList();
        TreeSet<Integer> kept = new TreeSet<>(List.of(0));
        kept.add(column.size() - 1);
        kept.add(indexes.stream().min(byHeight).orElse(0));
        kept.add(indexes.stream().max(byHeight).orElse(0));
        return kept.stream().map(column::get).toList();
    }
}
