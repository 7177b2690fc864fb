// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.Environment;
import java.util.List;
import java.util.Map;

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
        Object figures) {
    /** The same with what a picture shows of its graphs. */
    ScenarioResult thinned() {
        return new ScenarioResult(
                scenario,
                title,
                startedAt,
                seconds,
                complete,
                command,
                options,
                environment,
                findings,
                tables,
                graphs.stream().map(Thinning::thinned).toList(),
                notes,
                figures);
    }
}
