// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.fleet;

import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Graph.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A run over time: what all members needed, what they had, and the sessions that the server counted. */
final class FleetGraph {
    private FleetGraph() {}

    static Graph of(FleetBenchmark.Run run, Tally tally) {
        String when = tally.happened() < 0 || run.schedule() == Schedule.CALM ? "" : " at " + tally.happened() + " s";
        return new Graph(
                run.variant() + ": " + run.schedule() + when,
                new Axis("time", "s", false),
                new Axis("all members together", "connections", false),
                List.of(
                        line("needed", tally, Tally.Second::demand),
                        line("in use", tally, Tally.Second::served),
                        line("sessions", tally, Tally.Second::sessions),
                        line("may be open", tally, second -> Plan.CAP)));
    }

    private static Series line(String name, Tally tally, ToDoubleFunction<Tally.Second> figure) {
        List<Point> points = new ArrayList<>();
        for (Tally.Second second : tally.seconds()) {
            points.add(new Point(points.size() + 1.0, Math.rint(figure.applyAsDouble(second) * 10) / 10));
        }
        return new Series(name, points);
    }
}
