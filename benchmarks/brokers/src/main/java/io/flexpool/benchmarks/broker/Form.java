// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Graph;
import java.util.List;
import java.util.function.ToDoubleFunction;

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

    /** What a table shows beside each store's runs and the messages that it lost or doubled. */
    List<Column> columns();

    /** The graphs of a workload, each of several lines. */
    List<Lines> graphs(Plan plan, Workload workload);

    /** What a reader must know to judge the figures. */
    List<String> notes(Plan plan);

    /** The figures for programs. */
    Object figures(Plan plan, List<Run> runs);

    /**
     * A column of a table.
     *
     * @param head with its unit
     * @param cell the figure in words, or nothing where there is none
     */
    record Column(String head, Cell cell) {
        /** A figure of each run: the median. */
        static Column median(String head, int decimals, ToDoubleFunction<Run> figure) {
            return new Column(
                    head,
                    (figures, store, workload) ->
                            figures.spread(store, workload, figure).text(decimals));
        }

        /** A figure that is spread over the rounds: the median, then the range. */
        static List<Column> medianAndRange(String head, int decimals, Spreading spread) {
            return List.of(
                    new Column(
                            head,
                            (figures, store, workload) ->
                                    spread.of(figures, store, workload).text(decimals)),
                    new Column(
                            "of the rounds",
                            (figures, store, workload) ->
                                    spread.of(figures, store, workload).range(decimals)));
        }
    }

    /** A figure in words. */
    interface Cell {
        /** Of a store and a workload. */
        String of(Figures figures, Store store, String workload);
    }

    /** A figure of several rounds. */
    interface Spreading {
        /** Of a store and a workload. */
        Spread of(Figures figures, Store store, String workload);
    }

    /**
     * A graph with a line for each store, that of the run in the middle.
     *
     * @param title what it shows
     * @param x the horizontal axis
     * @param y the vertical axis
     * @param points of one run; none where it has no such figures
     */
    record Lines(String title, Graph.Axis x, Graph.Axis y, Points points) {}

    /** What a run's line is made of. */
    interface Points {
        /** From left to right. */
        List<Graph.Point> of(Run run);
    }
}
