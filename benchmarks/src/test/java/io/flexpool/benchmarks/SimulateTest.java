// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a whole; time is virtual, so the figures are the same on every machine. */
class SimulateTest {
    /** Of a sum over all moments of a run. */
    private static final double ROUNDING = 1e-6;

    @TempDir
    private Path folder;

    @Test
    void everyControllerHasItsRowsTablesAndGraphs() throws IOException {
        Path json = folder.resolve("simulate.json");
        Path markdown = folder.resolve("simulate.md");

        Run run = Run.of(
                "simulate",
                "--scenario",
                "steady,leak",
                "--seeds",
                "2",
                "--random-curves",
                "1",
                "--json",
                json.toString(),
                "--markdown",
                markdown.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("Groups of scenarios", "p99 acquisition ms", "mean held", "regret", "leak (16)")
                .contains("CANNOT BE JUDGED: The mean regret over all scenarios is at most 0.06")
                .contains("gradient2 is tried with: tolerance 1.5 or 2")
                .doesNotContain("INTERRUPTED");
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("scenario").asText()).isEqualTo("simulate");
        assertThat(result.path("complete").asBoolean()).isTrue();
        assertThat(result.at("/options/sigma").asText()).isEqualTo("0.03");
        assertThat(result.at("/environment/versions/concurrency-limits").asText())
                .matches("\\d+\\..*");
        JsonNode rows = result.at("/figures/rows");
        assertThat(rows).hasSize(9 * 2 * 2).allSatisfy(SimulateTest::isComplete);
        assertThat(names(rows))
                .startsWith("steady best-static 1", "steady best-static 2", "leak best-static 1", "leak best-static 2")
                .contains("leak flexpool 2", "steady vegas 1");
        assertThat(rows)
                .filteredOn(row -> row.path("controller").asText().equals("best-static"))
                .allSatisfy(row -> assertThat(row.path("regret").asDouble(1)).isZero());
        assertThat(result.at("/figures/statics")).hasSize(2);
        assertThat(result.at("/figures/statics/1/size").asInt()).isEqualTo(16);
        assertThat(result.at("/figures/tried"))
                .filteredOn(tried -> tried.path("shown").asBoolean())
                .extracting(tried -> tried.path("controller").asText())
                .containsExactly(
                        "flexypool",
                        "increment-shrink",
                        "aimd",
                        "gradient2",
                        "vegas",
                        "little-guard",
                        "flexpool",
                        "flexpool-classes");
        assertThat(result.at("/figures/drawn")).hasSize(9 * 2);
        assertThat(result.path("graphs"))
                .hasSize(2 * 4)
                .allSatisfy(graph -> assertThat(graph.path("series"))
                        .allSatisfy(series -> assertThat(series.path("points")).hasSize(180)));
        assertThat(result.at("/graphs/1/series")).hasSize(9);
        assertThat(result.path("graphs").findValuesAsText("title"))
                .containsExactly(
                        "steady: load",
                        "steady: size",
                        "steady: pending",
                        "steady: p99 acquisition",
                        "leak: load",
                        "leak: size",
                        "leak: pending",
                        "leak: p99 acquisition");
        assertThat(markdown).content().contains("## simulate");
    }

    @Tag("scenario")
    @Test
    void figuresDependOnTheOptionsAlone() throws IOException {
        JsonNode figures = figures("--kappa", "0.006");

        assertThat(figures("--kappa", "0.006")).isEqualTo(figures);
        assertThat(figures("--kappa", "0.02")).isNotEqualTo(figures);
        assertThat(figures("--sigma", "0.1")).isNotEqualTo(figures);
        assertThat(figures("--seed", "2")).isNotEqualTo(figures);
        assertThat(names(figures.path("rows")))
                .as("the best static size is always there")
                .containsExactly("step best-static 1", "step increment-shrink 1");
    }

    @Test
    void oneGroupRunsAlone() throws IOException {
        Path json = folder.resolve("new.json");

        Run run = Run.of(
                "simulate",
                "--quick",
                "--group=new,new-never-seen",
                "--scenario=steady,night-batch",
                "--controller=flexpool,gradient2",
                "--random-scenarios=3",
                "--json",
                json.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("New scenarios: Scenarios").contains("over the new scenarios is at most 0.40");
        JsonNode figures = new ObjectMapper().readTree(json.toFile()).path("figures");
        assertThat(names(figures.path("rows")))
                .containsExactly("night-batch best-static 1", "night-batch gradient2 1", "night-batch flexpool 1");
        assertThat(figures.path("drawn")).isEmpty();
        assertThat(figures.path("drawnKinds"))
                .as("a contender with parameters needs the public scenarios")
                .extracting(row -> row.at("/row/scenario").asText() + " "
                        + row.at("/row/controller").asText())
                .containsExactly("night-batch best-static", "night-batch flexpool");
        assertThat(figures.path("groups"))
                .extracting(row -> row.path("group").asText() + " "
                        + row.path("controller").asText())
                .containsExactly(
                        "new best-static",
                        "new gradient2",
                        "new flexpool",
                        "new-never-seen best-static",
                        "new-never-seen flexpool");
    }

    private JsonNode figures(String option, String value) throws IOException {
        Path json = Files.createTempFile(folder, "simulate", ".json");
        Run run = Run.of(
                "simulate",
                "--quick",
                "--scenario=step",
                "--controller=increment-shrink",
                option,
                value,
                "--json",
                json.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(json.toFile()).path("figures");
    }

    private static void isComplete(JsonNode row) {
        assertThat(row.fieldNames())
                .toIterable()
                .contains(
                        "scenario",
                        "controller",
                        "seed",
                        "failures",
                        "p99AcquireMs",
                        "meanHeld",
                        "regret",
                        "changes",
                        "maxHeld");
        assertThat(row.path("requests").asInt()).isBetween(9_000, 25_000);
        assertThat(row.path("failures").asInt(-1))
                .isBetween(0, row.path("requests").asInt());
        assertThat(row.path("meanHeld").asDouble())
                .isBetween(1.0, row.path("maxHeld").asDouble() + ROUNDING);
        assertThat(row.path("maxHeld").asInt()).isLessThanOrEqualTo(40);
        assertThat(row.path("meanMs").asDouble()).isGreaterThan(20);
    }

    private static List<String> names(JsonNode rows) {
        List<String> names = new ArrayList<>();
        rows.forEach(row -> names.add(row.path("scenario").asText() + " "
                + row.path("controller").asText() + " " + row.path("seed").asText()));
        return names;
    }
}
