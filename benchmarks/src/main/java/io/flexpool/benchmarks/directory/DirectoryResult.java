// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.directory.DirectoryBenchmark.Outcome;
import io.flexpool.benchmarks.kit.Database;
import io.flexpool.benchmarks.report.ScenarioResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the scenario's result of what was measured. */
final class DirectoryResult {
    private final DirectoryLoad load;
    private final Sizes sizes;
    private final Database database;
    private final Map<String, String> asked;
    private final List<Measured> measured;
    private final List<String> failed;
    private final List<DirectoryRow> rows;

    /**
     * Of one run.
     *
     * @param asked options that are neither of the load nor of the sizes
     */
    DirectoryResult(DirectoryLoad load, Sizes sizes, Database database, Map<String, String> asked, Outcome outcome) {
        this.load = load;
        this.sizes = sizes;
        this.database = database;
        this.asked = asked;
        this.measured = outcome.measured();
        this.failed = outcome.failed();
        this.rows = measured.stream().map(Measured::row).toList();
    }

    /**
     * Figures for programs.
     *
     * @param load the load
     * @param sizes the pools' sizes and timeouts
     * @param rows one per pool and variant
     */
    public record Figures(DirectoryLoad load, Sizes sizes, List<DirectoryRow> rows) {}

    ScenarioResult of(Instant started, boolean complete, List<String> command) {
        return ScenarioResult.of(
                new ScenarioResult.Run(
                        "directory",
                        "Directory service: three pools under steady requests and bursts",
                        started,
                        complete,
                        command,
                        options()),
                new DirectoryFindings(load, sizes, rows).all(),
                new DirectoryTables(load, rows).all(),
                DirectoryGraphs.of(load, measured),
                notes(),
                new Figures(load, sizes, rows));
    }

    private Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("database", database.toString());
        options.put("clients", Integer.toString(load.clients()));
        options.put("rate", Integer.toString(load.ratePerClient()));
        options.put("duration", load.steadyMs() / 1000.0 + " s");
        options.put("bursts", Integer.toString(load.bursts()));
        options.put("burst-size", Integer.toString(load.burstSize()));
        options.put("every", load.everyMs() + " ms");
        options.put("log", sizes.logMs() + " ms");
        options.put("base", Integer.toString(sizes.base()));
        options.put("ceiling", Integer.toString(sizes.ceiling()));
        options.put("timeout", sizes.timeoutMs() + " ms");
        options.put("deadline", sizes.deadlineMs() + " ms");
        options.putAll(asked);
        return options;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(
                "Load: " + load.inWords() + ", over HTTP on 127.0.0.1, each request when it is due, answered or not.");
        notes.add("Service: " + sizes.inWords() + ".");
        notes.add("Latency counts from when a request was meant to be sent, so what a slow service delays is in it"
                + " (no coordinated omission); averages and percentiles are of served requests.");
        notes.add("The service itself measures the wait for a connection, the database, the idle hold and the giving"
                + " back; the rest of a latency is HTTP and the queue for a thread. Clients, service and database share"
                + " one machine.");
        notes.add("All else of the pools is as by default, but for c3p0: acquireIncrement 1 instead of 3, and"
                + " maxIdleTimeExcessConnections 1 s, without which it would never close what it has opened.");
        notes.add("flexpool gives growth back " + Trial.KEEP.toMillis() + " ms after it was last needed.");
        if (asked.getOrDefault("quick", "").equals("true")) {
            notes.add("The quick form: to see that it runs, not to quote.");
        }
        failed.forEach(one -> notes.add("Not measured, " + one));
        notes.add("Busy are connections that requests have, total those that the driver has open; both are counted by"
                + " the scenario, no pool is asked.");
        notes.add("Where the late start exceeds " + number(DirectoryFindings.LATE_MS, 0)
                + " ms the machine was late, not the pool, and differences between pools are not judged.");
        Arrays.stream(Variant.values())
                .filter(variant -> rows.stream().anyMatch(row -> row.variant() == variant))
                .map(variant -> variant + ": " + variant.words() + ".")
                .forEach(notes::add);
        rows.stream()
                .filter(row -> row.broken() > 0)
                .map(row -> row.pool() + " " + row.variant() + ": " + row.broken()
                        + " of the failures are for another reason than a refused connection, first: "
                        + row.firstBreak())
                .forEach(notes::add);
        return notes;
    }
}
