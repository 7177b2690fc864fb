// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Graph;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The shape in which messages pass through the broker, and what readers of the figures get to see. Stateless. */
interface Form {
    /** The subcommand. */
    String scenario();

    /** What is measured, in words. */
    String title();

    /** Whether a forwarder stands between publisher and consumer. */
    boolean chained();

    /** What was published of it, and what flexpool aims at. */
    List<Claim<Figures>> claims(Plan plan);

    /** The title of a workload's table. */
    String heading(Workload workload);

    /**
     * What a table shows of each store between its runs and the messages that it lost or doubled.
     *
     * @param first the columns to the left
     */
    Columns<Row> columns(Columns<Row> first);

    /** The graphs of a workload, each of several lines. */
    List<Lines> graphs(Plan plan, Workload workload);

    /** What a reader must know to judge the figures. */
    List<String> notes(Plan plan);

    /** The figures for programs. */
    Object figures(Plan plan, List<Run> runs);

    /**
     * A store under a workload: a row of a table.
     *
     * @param figures of all runs
     * @param store the store
     * @param workload the workload's name
     */
    record Row(Figures figures, Store store, String workload) {
        Spread spread(ToDoubleFunction<Run> figure) {
            return figures.spread(store, workload, figure);
        }

        long sum(ToLongFunction<Run> figure) {
            return figures.of(store, workload).stream().mapToLong(figure).sum();
        }

        /** A figure of each run: the median. */
        static Function<Row, String> median(int decimals, ToDoubleFunction<Run> figure) {
            return row -> row.spread(figure).text(decimals);
        }

        /** A figure that is spread over the rounds: the median, then the range. */
        static Columns<Row> medianAndRange(
                Columns<Row> first, String head, int decimals, Function<Row, Spread> spread) {
            return first.and(head, row -> spread.apply(row).text(decimals))
                    .and("of the rounds", row -> spread.apply(row).range(decimals));
        }
    }

    /**
     * A graph with a line for each store, that of the run in the middle.
     *
     * @param title what it shows
     * @param x the horizontal axis
     * @param y the vertical axis
     * @param points of one run, from left to right; none where it has no such figures
     */
    record Lines(String title, Graph.Axis x, Graph.Axis y, Function<Run, List<Graph.Point>> points) {}
}
