// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The figures for readers. */
final class ShootOutTables {
    private static final String NOTHING = "";
    private static final int LONGEST_WHY = 300;

    private final Standings standings;
    private final Setup setup;

    ShootOutTables(Standings standings) {
        this.standings = standings;
        this.setup = standings.setup();
    }

    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        tables.add(byThreads("Total ms of " + number(setup.cycles()) + " cycles, by threads", ShootOutTables::ms));
        if (comparable()) {
            tables.add(published());
        }
        if (setup.variants().contains(Variant.BARE) && setup.variants().size() > 1) {
            tables.add(overBare());
        }
        tables.add(connections());
        tables.add(pressed());
        tables.add(byThreads(
                "CPU ms of the whole JVM, by threads",
                standing -> standing.cpuMs().textAndRange(0)));
        Table lost = lost();
        if (!lost.rows().isEmpty()) {
            tables.add(lost);
        }
        return List.copyOf(tables);
    }

    /** The published times are of a driver that answers at once. */
    private boolean comparable() {
        return setup.database() == ShootOutDatabase.STUB;
    }

    /** A pool and what stood around it: a row of most tables. */
    private record Pair(ShootOutPool pool, Variant variant) {}

    private static Columns<Pair> columns() {
        return Columns.of("pool", Pair::pool).and("variant", Pair::variant);
    }

    private List<Pair> pairs(Predicate<Variant> variants) {
        return setup.pools().stream()
                .flatMap(pool -> setup.variants().stream().filter(variants).map(variant -> new Pair(pool, variant)))
                .toList();
    }

    private <R> Columns<R> byThreads(Columns<R> first, BiFunction<R, Integer, String> cell) {
        Columns<R> columns = first;
        for (int threads : setup.threads()) {
            columns = columns.and(String.valueOf(threads), row -> cell.apply(row, threads));
        }
        return columns;
    }

    private Table byThreads(String title, Function<Standing, String> figure) {
        return byThreads(columns(), (pair, threads) -> cell(standings.of(pair.pool(), pair.variant(), threads), figure))
                .table(title, pairs(any -> true));
    }

    private Table pressed() {
        return columns()
                .and("ms", pressed(its -> its.ms().textAndRange(0)))
                .and("open at most", pressed(Standing::peak))
                .and("cycles of all repeats", pressed(Standing::cycles))
                .and("of them failed", pressed(Standing::errors))
                .table(
                        "Under pressure: " + Setup.PRESSING_THREADS + " threads that hold each connection for "
                                + Setup.PRESSING_HOLD_MS + " ms",
                        pairs(any -> true));
    }

    private Function<Pair, String> pressed(Function<Standing, ?> figure) {
        return pair -> cell(standings.pressed(pair.pool(), pair.variant()), figure);
    }

    /** Why there are no figures where there are none. */
    private Table lost() {
        return Columns.of("pool", Result::pool)
                .and("variant", Result::variant)
                .and("load", result -> new Standing(List.of(result)).load())
                .and("repeat", result -> result.repeat() + 1)
                .and("why", result -> shortened(result.why()))
                .table(
                        "Without figures",
                        standings.results().stream()
                                .filter(result -> result.outcome() != Result.Outcome.MEASURED)
                                .toList());
    }

    /** The whole text is among the figures for programs. */
    private static String shortened(String why) {
        String line = why.replace('\n', ' ');
        return line.length() <= LONGEST_WHY ? line : line.substring(0, LONGEST_WHY) + "...";
    }

    private static String number(double value) {
        return TextTable.number(value, 0);
    }

    private static String ms(Standing standing) {
        String ms = standing.ms().textAndRange(0);
        return standing.errors() == 0 ? ms : ms + ", errors: " + standing.errors();
    }

    private static String cell(Optional<Standing> standing, Function<Standing, ?> cell) {
        if (standing.isEmpty()) {
            return NOTHING;
        }
        String lost = standing.get().hung() > 0 ? "hung" : standing.get().failed() > 0 ? "failed" : "";
        if (!standing.get().measured()) {
            return lost;
        }
        return cell.apply(standing.get()) + (lost.isEmpty() ? "" : ", " + lost + " once or more");
    }

    /** A row of figures, published or measured. */
    private record Line(ShootOutPool pool, String figures, IntFunction<String> cell) {}

    private Table published() {
        List<Line> lines = new ArrayList<>();
        for (ShootOutPool pool : setup.pools()) {
            Published.of(pool).ifPresent(row -> {
                lines.add(new Line(pool, "published, JDK 7", threads -> published(row, Published.Jdk.JDK7, threads)));
                lines.add(new Line(pool, "published, JDK 6", threads -> published(row, Published.Jdk.JDK6, threads)));
            });
            lines.add(new Line(pool, "here, bare", threads -> scaled(pool, threads)));
            Published.of(pool)
                    .ifPresent(row -> lines.add(
                            new Line(pool, "here by published, JDK 7", threads -> ratio(pool, row, threads))));
        }
        String title = "Total ms of a million cycles, by threads: published, and measured here"
                + (setup.cycles() == Published.CYCLES ? "" : ", scaled up from " + number(setup.cycles()) + " cycles");
        return byThreads(
                        Columns.of("pool", Line::pool).and("figures", Line::figures),
                        (line, threads) -> line.cell().apply(threads))
                .table(title, lines);
    }

    private static String published(Published row, Published.Jdk jdk, int threads) {
        OptionalInt ms = row.ms(jdk, threads);
        if (ms.isEmpty()) {
            return NOTHING;
        }
        return number(ms.getAsInt()) + (row.errors(threads) ? ", errors" : "");
    }

    private String scaled(ShootOutPool pool, int threads) {
        return cell(
                standings.of(pool, Variant.BARE, threads),
                standing -> number(standing.ms().median() * perMillion()) + (standing.errors() == 0 ? "" : ", errors"));
    }

    private String ratio(ShootOutPool pool, Published row, int threads) {
        OptionalInt published = row.ms(Published.Jdk.JDK7, threads);
        OptionalDouble here = standings.ms(pool, Variant.BARE, threads);
        return published.isEmpty() || here.isEmpty()
                ? NOTHING
                : TextTable.number(here.getAsDouble() * perMillion() / published.getAsInt(), 2);
    }

    private double perMillion() {
        return (double) Published.CYCLES / setup.cycles();
    }

    private Table overBare() {
        return byThreads(
                        columns(),
                        (pair, threads) -> standings
                                .overBare(pair.pool(), pair.variant(), threads)
                                .map(spread -> spread.textAndRange(2))
                                .orElse(NOTHING))
                .table(
                        "Answered cycles per second, over those of the bare pool in the same round, by threads",
                        pairs(variant -> variant != Variant.BARE));
    }

    private Table connections() {
        return columns()
                .and("1 thread: at the start", alone(Standing::openAtStart))
                .and("at most", alone(Standing::peak))
                .and("at the end", alone(Standing::openAtEnd))
                .and("min respected", alone(ShootOutTables::respected))
                .and(
                        "any load: at most",
                        pair -> figure(standings.largest(pair.pool(), pair.variant()), Standing::peak))
                .table(
                        "Physical connections (initial " + Sizes.INITIAL + ", min " + Sizes.MIN + ", max " + Sizes.MAX
                                + ")",
                        pairs(any -> true));
    }

    private Function<Pair, String> alone(Function<Standing, ?> figure) {
        return pair -> figure(standings.of(pair.pool(), pair.variant(), 1).filter(Standing::measured), figure);
    }

    private static String figure(Optional<Standing> standing, Function<Standing, ?> figure) {
        return standing.map(figure).map(Object::toString).orElse(NOTHING);
    }

    private static String respected(Standing alone) {
        if (alone.peak() > Sizes.MIN) {
            return "no, opens more";
        }
        return alone.openAtEnd() < Sizes.MIN ? "no, keeps less" : "yes";
    }

    List<Graph> graphs() {
        List<Graph> graphs = new ArrayList<>();
        for (Variant variant : setup.variants()) {
            graph(
                            "Total time of " + number(setup.cycles()) + " cycles, " + variant + ", medians",
                            setup.pools().stream()
                                    .map(pool -> new Graph.Series(pool.toString(), points(pool, variant)))
                                    .toList())
                    .ifPresent(graphs::add);
        }
        if (!comparable()) {
            return List.copyOf(graphs);
        }
        graph(
                        "Published: total time of a million cycles, JDK 7",
                        Stream.of(Published.values())
                                .map(row -> new Graph.Series(row.label(), points(row)))
                                .toList())
                .ifPresent(graphs::add);
        return List.copyOf(graphs);
    }

    private static Optional<Graph> graph(String title, List<Graph.Series> series) {
        List<Graph.Series> drawn =
                series.stream().filter(line -> !line.points().isEmpty()).toList();
        return drawn.isEmpty()
                ? Optional.empty()
                : Optional.of(new Graph(
                        title, new Graph.Axis("threads", "", true), new Graph.Axis("total time", "ms", true), drawn));
    }

    private List<Graph.Point> points(ShootOutPool pool, Variant variant) {
        return standings
                .of(pool, variant)
                .filter(Standing::measured)
                .map(standing -> new Graph.Point(
                        standing.round().threads(), standing.ms().median()))
                .toList();
    }

    private static List<Graph.Point> points(Published row) {
        return Published.threads().stream()
                .map(threads -> new Graph.Point(
                        threads, row.ms(Published.Jdk.JDK7, threads).getAsInt()))
                .toList();
    }
}
