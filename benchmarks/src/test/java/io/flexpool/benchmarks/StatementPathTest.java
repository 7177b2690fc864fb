// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatementPathTest {
    /** Less than any object. */
    private static final Offset<Double> EXACT = within(0.5);

    @Test
    void bytesAreReportedPerStatementAndResultSet(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "statement-path",
                "--parameters=4",
                "--rows=3",
                "--columns=2",
                "--variants=control,ideal-delegates,flexpool",
                "--rounds=4",
                "--warm-up=3",
                "--compilations=2",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.fieldNames())
                .toIterable()
                .containsExactly(
                        "scenario",
                        "environment",
                        "threads",
                        "parameters",
                        "rows",
                        "columns",
                        "rounds",
                        "compilations",
                        "sliceMs",
                        "goal",
                        "results");
        assertThat(report.path("scenario").asText()).isEqualTo("statement-path");
        assertThat(numbers(report, "threads", "parameters", "rows", "columns", "rounds", "compilations"))
                .containsExactly(1, 4, 3, 2, 4, 2);
        assertThat(numbers(report.path("goal"), "diffPercent", "bytesPerStatement", "bytesPerResultSet"))
                .containsExactly(5, 24, 24);
        Map<String, JsonNode> rows = byVariant(report);
        assertThat(rows.keySet()).containsExactly("bare", "control", "ideal-delegates", "flexpool");
        assertThat(rows.values()).allSatisfy(StatementPathTest::addsUp);
        allocatesLike(row(rows, "bare"), 0);
        allocatesLike(row(rows, "control"), 0);
        double ideal = figure(row(rows, "ideal-delegates"), "bytesOverBarePerStatement");
        // With compressed references, and without.
        assertThat(ideal)
                .satisfiesAnyOf(
                        bytes -> assertThat(bytes).isCloseTo(24, EXACT),
                        bytes -> assertThat(bytes).isCloseTo(32, EXACT));
        allocatesLike(row(rows, "ideal-delegates"), ideal);
        allocatesLike(row(rows, "flexpool"), ideal);
    }

    @Test
    void theVerdictIsThatOfTheFigures(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "statement-path",
                "--threads=2",
                "--variants=flexpool",
                "--rounds=2",
                "--warm-up=1",
                "--compilations=1",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "10 rows of 4 columns",
                        "parameters: 1",
                        "threads: 2",
                        "2 rounds of 4 ms slices, compilations: 1");
        JsonNode flexpool = row(byVariant(new ObjectMapper().readTree(json.toFile())), "flexpool");
        assertThat(run.out())
                .contains("bare cycle: " + (figure(flexpool, "diffPercent") <= 5 ? "met (" : "missed ("))
                .contains("per result set: "
                        + (figure(flexpool, "bytesOverBarePerStatement") < 24.5
                                        && figure(flexpool, "bytesOverBarePerResultSet") < 24.5
                                ? "met ("
                                : "missed ("));
    }

    @Test
    void theControlAloneHasNoVerdict(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "statement-path",
                "--variants=control",
                "--rounds=1",
                "--warm-up=1",
                "--compilations=5",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).doesNotContain("goal");
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("compilations").asInt()).isEqualTo(1);
        assertThat(byVariant(report).keySet()).containsExactly("bare", "control");
    }

    private static void addsUp(JsonNode row) {
        assertThat(figure(row, "cpuMedianNs")).isPositive();
        assertThat(figure(row, "diffMedianNs")).isBetween(figure(row, "diffP25Ns"), figure(row, "diffP75Ns"));
        assertThat(figure(row, "bytesOverBarePerStatement") + figure(row, "bytesOverBarePerResultSet"))
                .isCloseTo(figure(row, "bytesOverBare"), within(0.05));
        // The stub's statement and result set, and HikariCP's around them.
        assertThat(figure(row, "bytesPerCycle")).isGreaterThan(4 * 16);
    }

    private static void allocatesLike(JsonNode row, double bytesPerObject) {
        assertThat(figure(row, "bytesOverBarePerStatement")).isCloseTo(bytesPerObject, EXACT);
        assertThat(figure(row, "bytesOverBarePerResultSet")).isCloseTo(bytesPerObject, EXACT);
    }

    private static int[] numbers(JsonNode node, String... names) {
        int[] numbers = new int[names.length];
        for (int at = 0; at < names.length; at++) {
            numbers[at] = node.path(names[at]).asInt();
        }
        return numbers;
    }

    private static double figure(JsonNode row, String name) {
        assertThat(row.path(name).isNumber()).as(name).isTrue();
        return row.path(name).asDouble();
    }

    private static Map<String, JsonNode> byVariant(JsonNode report) {
        Map<String, JsonNode> rows = new LinkedHashMap<>();
        report.path("results").forEach(row -> rows.put(row.path("variant").asText(), row));
        return rows;
    }

    private static JsonNode row(Map<String, JsonNode> rows, String variant) {
        return Objects.requireNonNull(rows.get(variant), variant);
    }
}
