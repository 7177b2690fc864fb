// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Graph.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The graphs of all trials: per pool the connections over time, what a burst sees, and the latencies. */
final class DirectoryGraphs {
    /** The others differ from these only in how long requests wait, or hold the ceiling all the time. */
    private static final Set<Variant> CHANGING = Set.of(Variant.BARE, Variant.BARE_GROWING, Variant.WRAPPED);

    private static final Axis TIME = new Axis("time since the load began", "s", false);
    private static final Axis CONNECTIONS = new Axis("connections", "", false);
    private static final Axis TAIL = new Axis("one request in so many takes longer", "", true);
    private static final Axis LATENCY = new Axis("latency", "ms", true);

    private DirectoryGraphs() {}

    static List<Graph> of(DirectoryLoad load, List<Measured> measured) {
        List<Graph> graphs = new ArrayList<>();
        for (DirectoryPool pool : DirectoryPool.values()) {
            List<Measured> own =
                    measured.stream().filter(one -> one.row().pool() == pool).toList();
            if (!own.isEmpty()) {
                own.stream()
                        .filter(one -> CHANGING.contains(one.row().variant()))
                        .map(one -> connections(load, one))
                        .forEach(graphs::add);
                graphs.add(variants(
                        pool + ": requests of a burst of " + load.burstSize() + " that are served",
                        new Axis("time since the burst", "ms", false),
                        new Axis("served, mean over the bursts", "requests", false),
                        own,
                        Lines::served));
                graphs.add(variants(pool + ": latency, steady", TAIL, LATENCY, own, Lines::steadyTail));
                graphs.add(variants(pool + ": latency among bursts", TAIL, LATENCY, own, Lines::burstTail));
            }
        }
        return graphs;
    }

    private static Graph connections(DirectoryLoad load, Measured one) {
        return new Graph(
                one.row().pool() + " " + one.row().variant() + ": connections; bursts from " + load.steadyMs() / 1000.0
                        + " s on",
                TIME,
                CONNECTIONS,
                List.of(
                        new Series("total", one.lines().total()),
                        new Series("busy", one.lines().busy()),
                        new Series("idle", one.lines().idle())));
    }

    private static Graph variants(String title, Axis x, Axis y, List<Measured> own, Function<Lines, List<Point>> line) {
        return new Graph(
                title,
                x,
                y,
                own.stream()
                        .map(one -> new Series(one.row().variant().toString(), line.apply(one.lines())))
                        .toList());
    }
}
