// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.report.ScenarioResult;
import java.time.Instant;
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
    private static final String QUICK = "quick";

    /**
     * Everything, for the screen and the files.
     *
     * @param started when the run began
     * @param complete whether it came to its end
     */
    ScenarioResult result(Instant started, boolean complete) {
        ShootOutTables tables = new ShootOutTables(standings);
        return ScenarioResult.of(
                new ScenarioResult.Run(
                        "shoot-out",
                        "Pools side by side, bare and in flexpool, on "
                                + inWords(standings.setup().database()),
                        started,
                        complete,
                        command(),
                        options()),
                new ShootOutFindings(standings, Environment.here().cpus()).all(),
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
        options.put(QUICK, String.valueOf(setup.quick()));
        return options;
    }

    private List<String> command() {
        return Stream.concat(
                        Stream.of("shoot-out"), options().entrySet().stream().flatMap(ShootOutReport::arguments))
                .toList();
    }

    private static Stream<String> arguments(Map.Entry<String, String> option) {
        String name = "--" + option.getKey();
        if (option.getKey().equals(QUICK)) {
            return Boolean.parseBoolean(option.getValue()) ? Stream.of(name) : Stream.empty();
        }
        return Stream.of(name, option.getValue());
    }

    private static String list(Collection<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    private List<String> notes() {
        return Stream.concat(quick(standings.setup()), ShootOutNotes.of(standings.setup()))
                .toList();
    }

    private static Stream<String> quick(Setup setup) {
        return setup.quick()
                ? Stream.of("This was the quick form, to see that the scenario runs: its times are mostly those of a"
                        + " JVM that is not warm, and are not to be quoted.")
                : Stream.empty();
    }

    private static String inWords(ShootOutDatabase database) {
        return database == ShootOutDatabase.STUB ? "a stub driver" : "PostgreSQL";
    }
}
