// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverheadTest {
    @Test
    void everyVariantHasARowAndTheControlAllocatesLikeBare(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Path markdown = folder.resolve("report.md");

        Run run = Run.of(
                "overhead", "--threads=1:2", "--rounds=2", "--warm-up=2", "--json=" + json, "--markdown=" + markdown);

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("scenario").asText()).isEqualTo("overhead");
        assertThat(report.at("/environment/cpus").asInt()).isPositive();
        Map<String, JsonNode> rows = byVariant(report);
        assertThat(rows.keySet())
                .containsExactlyElementsOf(
                        Arrays.stream(Variant.values()).map(Variant::toString).toList());
        assertThat(rows.values()).allSatisfy(row -> {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "threads",
                            "pool",
                            "variant",
                            "cpuMedianNs",
                            "diffMedianNs",
                            "diffP25Ns",
                            "diffP75Ns",
                            "inIdeals",
                            "bytesPerOp");
            assertThat(row.path("threads").asInt()).isEqualTo(1);
            assertThat(row.path("pool").asInt()).isEqualTo(2);
            assertThat(row.path("cpuMedianNs").asDouble()).isPositive();
            assertThat(row.path("diffMedianNs").asDouble())
                    .isBetween(
                            row.path("diffP25Ns").asDouble(),
                            row.path("diffP75Ns").asDouble());
        });
        assertThat(row(rows, "bare").path("diffMedianNs").asDouble()).isZero();
        assertThat(row(rows, "ideal").path("inIdeals").asDouble()).isEqualTo(1);
        assertThat(bytes(rows, "control")).isCloseTo(bytes(rows, "bare"), within(1.0));
        assertThat(run.out()).contains("goals, 1:2:").contains("flexpool-bound: D at most 1.25 I: ");
        // Read in the first of the two rounds of each kind.
        assertThat(report.path("figuresRead").path("bare").asLong()).isZero();
        assertThat(report.path("figuresRead").path("flexpool-bound-dropwizard").asLong())
                .isPositive()
                .isEven();
        // A recording of one variant's events leaves those of the others off, though all are in one JVM.
        assertThat(report.path("figuresRead").path("flexpool-bound-jfr").asLong())
                .isZero();
        assertThat(report.path("figuresRead")
                        .path("flexpool-bound-jfr-recording")
                        .asLong())
                .isEqualTo(2 * 9);
        String page = Files.readString(markdown);
        assertThat(page).contains("| variant | 1:2 D ns | D / I | bytes over bare |", "|---|---:|---:|---:|");
        assertThat(page.lines().filter(line -> line.startsWith("| flexpool-bound |")))
                .hasSize(1);
        assertThat(page).contains("\ngoals, 1:2:\n\n- ");
    }

    @Test
    void moreThreadsThanConnectionsShareThem(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "overhead",
                "--threads=3:2",
                "--variants=flexpool-bound",
                "--rounds=2",
                "--warm-up=1",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<String, JsonNode> rows = byVariant(new ObjectMapper().readTree(json.toFile()));
        assertThat(row(rows, "flexpool-bound").path("threads").asInt()).isEqualTo(3);
        assertThat(row(rows, "flexpool-bound").path("pool").asInt()).isEqualTo(2);
        assertThat(row(rows, "flexpool-bound").path("cpuMedianNs").asDouble()).isPositive();
    }

    @Test
    void withoutTheIdealThereIsNoUnit(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "overhead", "--threads=2:2", "--variants=control", "--rounds=1", "--warm-up=1", "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<String, JsonNode> rows = byVariant(new ObjectMapper().readTree(json.toFile()));
        assertThat(rows.keySet()).containsExactly("bare", "control");
        assertThat(row(rows, "control").path("inIdeals").isNull()).isTrue();
    }

    private static Map<String, JsonNode> byVariant(JsonNode report) {
        Map<String, JsonNode> rows = new LinkedHashMap<>();
        report.path("results").forEach(row -> rows.put(row.path("variant").asText(), row));
        return rows;
    }

    private static JsonNode row(Map<String, JsonNode> rows, String variant) {
        return Objects.requireNonNull(rows.get(variant), variant);
    }

    private static double bytes(Map<String, JsonNode> rows, String variant) {
        return row(rows, variant).path("bytesPerOp").asDouble();
    }
}
