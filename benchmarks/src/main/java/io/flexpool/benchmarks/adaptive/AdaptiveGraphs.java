// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Per scenario, over time: the load, and of each competitor the limit, its connections, those who wait, and how long. Of the first run. */
final class AdaptiveGraphs {
    private static final Axis TIME = new Axis("time", "s", false);
    private static final double ROUNDING = 10;

    private AdaptiveGraphs() {}

    static List<Graph> of(List<Heat> heats) {
        return heats.stream()
                .filter(heat -> heat.run() == 1)
                .flatMap(heat -> of(heat).stream())
                .toList();
    }

    private static List<Graph> of(Heat heat) {
        String name = heat.scenario() + ": ";
        return List.of(
                new Graph(
                        name + "load",
                        TIME,
                        new Axis("arrivals", "requests/s", false),
                        List.of(arrivals(heat.courses().get(0)))),
                seconds(heat, name + "size", new Axis("limit", "connections", false), Sample::limit),
                seconds(heat, name + "held", new Axis("physical connections", "", false), Sample::held),
                seconds(heat, name + "pending", new Axis("waiting", "requests", false), Sample::pending),
                new Graph(
                        name + "p99 end-to-end",
                        TIME,
                        new Axis("99 % of those who arrived had ended, or had failed, within", "ms", false),
                        heat.courses().stream().map(AdaptiveGraphs::times).toList()));
    }

    private static Series arrivals(Course course) {
        int[] seconds = new int
                [1 + (int) course.requests().get(course.requests().size() - 1).second()];
        course.requests().forEach(request -> seconds[(int) request.second()]++);
        return new Series(
                "arrivals",
                IntStream.range(0, seconds.length)
                        .mapToObj(second -> new Graph.Point(second + 1.0, seconds[second]))
                        .toList());
    }

    /** The last sample of each second. */
    private static Graph seconds(Heat heat, String title, Axis y, ToIntFunction<Sample> figure) {
        List<Series> lines = new ArrayList<>();
        for (Course course : heat.courses()) {
            List<Graph.Point> points = new ArrayList<>();
            List<Sample> samples = course.samples();
            for (int at = 0; at + 1 < samples.size(); at++) {
                int second = (int) samples.get(at).second();
                if ((int) samples.get(at + 1).second() != second) {
                    points.add(new Graph.Point(second + 1.0, figure.applyAsInt(samples.get(at))));
                }
            }
            lines.add(new Series(course.competitor().toString(), points));
        }
        return new Graph(title, TIME, y, lines);
    }

    private static Series times(Course course) {
        List<Graph.Point> points = new ArrayList<>();
        double last = course.requests().get(course.requests().size() - 1).second();
        for (int second = 0; second < last; second++) {
            double ms = course.p99Ms(second, second + 1.0);
            if (Double.isFinite(ms)) {
                points.add(new Graph.Point(second + 1.0, Math.round(ms * ROUNDING) / ROUNDING));
            }
        }
        return new Series(course.competitor().toString(), points);
    }
}
