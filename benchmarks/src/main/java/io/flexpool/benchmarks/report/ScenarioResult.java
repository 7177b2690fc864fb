// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.TextTable;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one run of a scenario leaves behind, as the JSON file has it. The report needs nothing else to show it.
 *
 * @param scenario the subcommand, as in {@code shoot-out}
 * @param title in words
 * @param startedAt when the run began, ISO 8601 with its offset
 * @param seconds how long it took
 * @param complete false if it was interrupted; what was measured until then is here
 * @param command how to repeat it: the arguments behind {@code java -jar flexpool-benchmarks.jar}
 * @param options every option with its value, defaults too
 * @param environment where it ran
 * @param findings what was claimed or aimed at, and what came out
 * @param tables figures for readers
 * @param graphs figures over something
 * @param notes what a reader must know to judge the figures
 * @param figures figures for programs, in the scenario's own records
 */
public record ScenarioResult(
        String scenario,
        String title,
        String startedAt,
        double seconds,
        boolean complete,
        List<String> command,
        Map<String, String> options,
        Environment environment,
        List<Finding> findings,
        List<Table> tables,
        List<Graph> graphs,
        List<String> notes,
        Object figures)
        implements Report {
    /**
     * Which run it was.
     *
     * @param scenario the subcommand
     * @param title in words
     * @param started when it began
     * @param complete false if it was interrupted
     * @param command how to repeat it
     * @param options every option with its value
     */
    public record Run(
            String scenario,
            String title,
            Instant started,
            boolean complete,
            List<String> command,
            Map<String, String> options) {}

    /**
     * Of a run that has just ended, on this machine.
     *
     * @param run which one
     * @param findings what was claimed or aimed at, and what came out
     * @param tables figures for readers
     * @param graphs figures over something
     * @param notes what a reader must know to judge the figures
     * @param figures figures for programs
     * @return the result
     */
    public static ScenarioResult of(
            Run run,
            List<Finding> findings,
            List<Table> tables,
            List<Graph> graphs,
            List<String> notes,
            Object figures) {
        return new ScenarioResult(
                run.scenario(),
                run.title(),
                run.started()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .atZone(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME),
                Duration.between(run.started(), Instant.now()).toMillis() / 1000.0,
                run.complete(),
                run.command(),
                run.options(),
                Environment.here(),
                findings,
                tables,
                graphs,
                notes,
                figures);
    }

    @Override
    public List<String> head() {
        return List.of(
                title + (complete ? "" : " (INTERRUPTED: what was measured until then)"),
                environment.summary(),
                "started " + startedAt + ", took " + TextTable.number(seconds, 0) + " s; "
                        + options.entrySet().stream()
                                .map(option -> option.getKey() + " " + option.getValue())
                                .collect(Collectors.joining(", ")));
    }

    /** None: the findings say more. */
    @Override
    public Map<String, List<String>> goals() {
        return Map.of();
    }

    /** Without the graphs. */
    @Override
    public void print(PrintWriter out) {
        Report.super.print(out);
        findings.stream().flatMap(finding -> finding.lines().stream()).forEach(out::println);
        out.flush();
    }

    @Override
    public Object json() {
        return ResultFile.tree(this);
    }

    /** Headed by its title and its findings. */
    @Override
    public String markdown() {
        StringBuilder page = new StringBuilder("## ").append(scenario).append("\n\n");
        head().forEach(line -> page.append(line).append("  \n"));
        findings.forEach(finding -> page.append("\n- ")
                .append(finding.lines().stream()
                        .filter(line -> !line.isBlank())
                        .map(String::strip)
                        .collect(Collectors.joining("; "))));
        return page.append(findings.isEmpty() ? "\n" : "\n\n")
                .append(Report.super.markdown())
                .toString();
    }
}
