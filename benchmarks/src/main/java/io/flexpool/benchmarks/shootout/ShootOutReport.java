// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.report.ScenarioResult;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run says.
 *
 * @param standings what was measured
 */
record ShootOutReport(Standings standings) {
    private static final double MILLIS_PER_SECOND = 1e3;

    /**
     * Everything, for the screen and the files.
     *
     * @param startedAt when the run began
     * @param took how long it took
     * @param complete whether it came to its end
     */
    ScenarioResult result(String startedAt, Duration took, boolean complete) {
        ShootOutTables tables = new ShootOutTables(standings);
        return new ScenarioResult(
                "shoot-out",
                "Pools side by side, bare and in flexpool",
                startedAt,
                took.toMillis() / MILLIS_PER_SECOND,
                complete,
                command(),
                options(),
                Environment.here(),
                ShootOutFindings.of(standings),
                tables.tables(),
                tables.graphs(),
                notes(),
                Map.of("results", standings.results()));
    }

    private Map<String, String> options() {
        Setup setup = standings.setup();
        Map<String, String> options = new LinkedHashMap<>();
        options.put("pools", list(setup.pools()));
        options.put("variants", list(setup.variants()));
        options.put("db", setup.database().toString());
        options.put("threads", list(setup.threads()));
        options.put("cycles", String.valueOf(setup.cycles()));
        options.put("repeats", String.valueOf(setup.repeats()));
        options.put("bound", String.valueOf(setup.bound().toSeconds()));
        options.put("seed", String.valueOf(setup.seed()));
        return options;
    }

    private List<String> command() {
        return Stream.concat(
                        Stream.of("shoot-out"),
                        options().entrySet().stream()
                                .flatMap(option -> Stream.of("--" + option.getKey(), option.getValue())))
                .toList();
    }

    private static String list(Collection<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    private List<String> notes() {
        Setup setup = standings.setup();
        return List.of(
                "A cycle: getConnection, prepareStatement(\"select 1\"), executeQuery, every row, and the three closes. "
                        + setup.cycles() + " of them are shared by the threads; one that fails is counted and not"
                        + " repeated, so many errors make a figure shorter.",
                "Each pool in each variant ran " + setup.repeats() + " times, each time in a JVM of its own, in random"
                        + " order; at each thread count on a pool that nobody had used before, after "
                        + setup.warmUp() + " cycles at each thread count on another pool. Figures are medians, in"
                        + " brackets the least and the most.",
                "At the end of each JVM " + Setup.PRESSING_THREADS + " threads share some cycles that keep their"
                        + " connection for " + Setup.PRESSING_HOLD_MS + " ms: not to be timed, but to fill the pool,"
                        + " which short cycles on few processors do not.",
                "All pools: initial " + Sizes.INITIAL + ", min " + Sizes.MIN + ", max " + Sizes.MAX
                        + " connections, acquisition timeout " + Sizes.TIMEOUT.toSeconds() + " s (Proxool has none: it"
                        + " refuses at once); no validation but what a pool does by default; nothing else is set.",
                database(setup),
                "flexpool is with a base of " + Sizes.MAX + ", the pool's max: its gate limits. flexpool-watched only"
                        + " watches.",
                "jboss-datasource is IronJacamar, without a server and without transactions. Published figures of dbcp"
                        + " stand beside dbcp2 too, but are those of 1.4.",
                "A heat that was not over within " + setup.bound().toSeconds() + " s is marked as hung; its JVM was"
                        + " ended and the run went on.");
    }

    private static String database(Setup setup) {
        return setup.database() == ShootOutDatabase.STUB
                ? "The driver is a stub that answers at once: the time is the pool's and flexpool's alone, and a ratio"
                        + " on it is far worse than any with a database."
                : "The database is PostgreSQL on the same machine: most of the time is its own.";
    }
}
