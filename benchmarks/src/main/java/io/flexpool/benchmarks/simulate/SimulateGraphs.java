// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Per scenario, over time: the load, and of each contender the size, those who wait, and how long. Of the first seed. */
final class SimulateGraphs {
    private static final Axis TIME = new Axis("time", "s", false);
    private static final double ROUNDING = 10;

    private SimulateGraphs() {}

    static List<Graph> of(Contest.Outcome outcome) {
        List<Graph> graphs = new ArrayList<>();
        for (int at = 0; at < outcome.scenarios().size(); at++) {
            graphs.addAll(of(outcome.scenarios().get(at), outcome.statics().get(at), outcome.shown()));
        }
        return graphs;
    }

    /** One contender's run. */
    private record Line(String name, List<Trace.Point> points) {}

    private static List<Graph> of(Scenario scenario, BestStatic best, List<Standing> shown) {
        long seed = best.runs().get(0).seed();
        List<Line> lines = shown.stream()
                .map(standing -> standing.contender() == Contender.BEST_STATIC
                        ? line(BestStatic.sized(scenario, best.size()), seed, standing)
                        : line(scenario, seed, standing))
                .toList();
        String name = scenario.name() + ": ";
        return List.of(
                new Graph(
                        name + "load",
                        TIME,
                        new Axis("arrivals", "requests/s", false),
                        List.of(series("arrivals", lines.get(0).points(), Trace.Point::arrivals))),
                graph(name + "size", new Axis("limit", "connections", false), lines, Trace.Point::limit),
                graph(name + "pending", new Axis("waiting", "requests", false), lines, Trace.Point::pending),
                graph(
                        name + "p99 acquisition",
                        new Axis("99 % had a connection, or had failed, within", "ms", false),
                        lines,
                        Trace.Point::p99AcquireMs));
    }

    private static Line line(Scenario scenario, long seed, Standing standing) {
        return new Line(
                standing.contender().toString(),
                trace(scenario, seed, standing.candidate()).points());
    }

    /** One run over time. */
    static Trace trace(Scenario scenario, long seed, Candidate candidate) {
        return Objects.requireNonNull(
                Simulation.trace(scenario, seed, candidate.controller()).trace(), "a traced run has a trace");
    }

    private static Graph graph(String title, Axis y, List<Line> lines, ToDoubleFunction<Trace.Point> figure) {
        return new Graph(
                title,
                TIME,
                y,
                lines.stream()
                        .map(line -> series(line.name(), line.points(), figure))
                        .toList());
    }

    private static Series series(String name, List<Trace.Point> points, ToDoubleFunction<Trace.Point> figure) {
        return new Series(
                name,
                points.stream()
                        .map(point -> new Graph.Point(
                                point.second(), Math.round(figure.applyAsDouble(point) * ROUNDING) / ROUNDING))
                        .toList());
    }
}
