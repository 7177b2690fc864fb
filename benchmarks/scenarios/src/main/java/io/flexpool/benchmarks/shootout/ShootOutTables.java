// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The figures for readers. */
final class ShootOutTables {
    private static final String NOTHING = "";
    private static final String RATIO = "here by published, JDK 7";
    private static final int LONGEST_WHY = 300;

    private final Standings standings;
    private final Setup setup;

    ShootOutTables(Standings standings) {
        this.standings = standings;
        this.setup = standings.setup();
    }

    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        tables.add(byThreads("Total ms of " + number(setup.cycles()) + " cycles", ShootOutTables::ms));
        if (comparable()) {
            tables.add(published());
        }
        if (setup.variants().contains(Variant.BARE) && setup.variants().size() > 1) {
            tables.add(overBare());
        }
        tables.add(connections());
        tables.add(pressed());
        tables.add(byThreads(
                "CPU ms of the whole JVM", standing -> standing.cpuMs().textAndRange(0)));
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

    private Table pressed() {
        List<List<String>> rows = new ArrayList<>();
        setup.pools()
                .forEach(pool -> setup.variants().forEach(variant -> {
                    Optional<Standing> standing = standings.pressed(pool, variant);
                    rows.add(List.of(
                            pool.toString(),
                            variant.toString(),
                            cell(standing, its -> its.ms().textAndRange(0)),
                            cell(standing, its -> String.valueOf(its.peak())),
                            cell(standing, its -> String.valueOf(its.cycles())),
                            cell(standing, its -> String.valueOf(its.errors()))));
                }));
        return new Table(
                "Under pressure: " + Setup.PRESSING_THREADS + " threads that hold each connection for "
                        + Setup.PRESSING_HOLD_MS + " ms",
                List.of("pool", "variant", "ms", "open at most", "cycles of all repeats", "of them failed"),
                rows);
    }

    /** Why there are no figures where there are none. */
    private Table lost() {
        List<List<String>> rows = standings.results().stream()
                .filter(result -> result.outcome() != Result.Outcome.MEASURED)
                .map(result -> List.of(
                        result.pool().toString(),
                        result.variant().toString(),
                        new Standing(List.of(result)).load(),
                        String.valueOf(result.repeat() + 1),
                        shortened(result.why())))
                .toList();
        return new Table("Without figures", List.of("pool", "variant", "load", "repeat", "why"), rows);
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

    private List<String> heads(String... first) {
        return Stream.concat(Stream.of(first), setup.threads().stream().map(String::valueOf))
                .toList();
    }

    private Table byThreads(String title, Function<Standing, String> cell) {
        return perVariant(
                title + ", by threads",
                setup.variants().stream().toList(),
                (pool, variant) -> setup.threads().stream()
                        .map(threads -> cell(standings.of(pool, variant, threads), cell))
                        .toList());
    }

    private static String cell(Optional<Standing> standing, Function<Standing, String> cell) {
        if (standing.isEmpty()) {
            return NOTHING;
        }
        String lost = standing.get().hung() > 0 ? "hung" : standing.get().failed() > 0 ? "failed" : "";
        if (!standing.get().measured()) {
            return lost;
        }
        return cell.apply(standing.get()) + (lost.isEmpty() ? "" : ", " + lost + " once or more");
    }

    private Table perVariant(
            String title, List<Variant> variants, BiFunction<ShootOutPool, Variant, List<String>> cells) {
        List<List<String>> rows = new ArrayList<>();
        setup.pools()
                .forEach(pool -> variants.forEach(variant -> rows.add(Stream.concat(
                                Stream.of(pool.toString(), variant.toString()), cells.apply(pool, variant).stream())
                        .toList())));
        return new Table(title, heads("pool", "variant"), rows);
    }

    private Table published() {
        List<List<String>> rows = new ArrayList<>();
        for (ShootOutPool pool : setup.pools()) {
            Published.of(pool).ifPresent(row -> {
                rows.add(row(pool, "published, JDK 7", threads -> published(row, Published.Jdk.JDK7, threads)));
                rows.add(row(pool, "published, JDK 6", threads -> published(row, Published.Jdk.JDK6, threads)));
            });
            rows.add(row(pool, "here, bare", threads -> scaled(pool, threads)));
            Published.of(pool).ifPresent(row -> rows.add(row(pool, RATIO, threads -> ratio(pool, row, threads))));
        }
        String title = "Total ms of a million cycles, by threads: published, and measured here"
                + (setup.cycles() == Published.CYCLES ? "" : ", scaled up from " + number(setup.cycles()) + " cycles");
        return new Table(title, heads("pool", "figures"), rows);
    }

    private List<String> row(ShootOutPool pool, String figures, Function<Integer, String> cell) {
        return Stream.concat(
                        Stream.of(pool.toString(), figures),
                        setup.threads().stream().map(cell))
                .toList();
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
        List<Variant> wrapped = setup.variants().stream()
                .filter(variant -> variant != Variant.BARE)
                .toList();
        return perVariant(
                "Answered cycles per second, over those of the bare pool in the same round, by threads",
                wrapped,
                (pool, variant) -> setup.threads().stream()
                        .map(threads -> standings
                                .overBare(pool, variant, threads)
                                .map(spread -> spread.textAndRange(2))
                                .orElse(NOTHING))
                        .toList());
    }

    private Table connections() {
        List<List<String>> rows = new ArrayList<>();
        for (ShootOutPool pool : setup.pools()) {
            for (Variant variant : setup.variants()) {
                Optional<Standing> alone = standings.of(pool, variant, 1).filter(Standing::measured);
                rows.add(List.of(
                        pool.toString(),
                        variant.toString(),
                        alone.map(standing -> String.valueOf(standing.openAtStart()))
                                .orElse(NOTHING),
                        alone.map(standing -> String.valueOf(standing.peak())).orElse(NOTHING),
                        alone.map(standing -> String.valueOf(standing.openAtEnd()))
                                .orElse(NOTHING),
                        alone.map(ShootOutTables::respected).orElse(NOTHING),
                        standings
                                .largest(pool, variant)
                                .map(standing -> String.valueOf(standing.peak()))
                                .orElse(NOTHING)));
            }
        }
        return new Table(
                "Physical connections (initial " + Sizes.INITIAL + ", min " + Sizes.MIN + ", max " + Sizes.MAX + ")",
                List.of(
                        "pool",
                        "variant",
                        "1 thread: at the start",
                        "at most",
                        "at the end",
                        "min respected",
                        "any load: at most"),
                rows);
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
