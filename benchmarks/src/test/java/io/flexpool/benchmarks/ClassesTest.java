// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small form. How long requests wait is not for a build to say. */
class ClassesTest {
    @Test
    @Tag("scenario")
    void eachWayToShareIsMeasured(@TempDir Path folder) throws IOException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));

        JsonNode results = results(folder);

        assertThat(results).extracting(row -> row.path("experiment").asText()).contains("a", "b", "c", "d");
        assertThat(results)
                .filteredOn(row -> row.path("experiment").asText().equals("a"))
                .extracting(row -> row.path("variant").asText())
                .containsExactly(
                        "alone",
                        "bare-pool",
                        "bare-pool",
                        "two-pools",
                        "two-pools",
                        "netflix",
                        "netflix",
                        "classes",
                        "classes",
                        "classes-shed",
                        "classes-shed");
        assertThat(results)
                .filteredOn(row -> row.path("experiment").asText().equals("d"))
                .extracting(row -> row.path("variant").asText())
                .contains(
                        "bare-pool",
                        "two-pools",
                        "netflix",
                        "classes",
                        "classes-shed",
                        "virtual-classes",
                        "virtual-classes-shed");
    }

    @Test
    void inVirtualTimeNoDatabaseIsNeeded(@TempDir Path folder) throws IOException {
        JsonNode results = results(folder, "--virtual-only");

        assertThat(results)
                .extracting(row -> row.path("experiment").asText())
                .doesNotContain("a")
                .contains("b", "c", "d");
        assertThat(results)
                .extracting(row -> row.path("variant").asText())
                .allSatisfy(variant -> assertThat(variant).startsWith("virtual-"));
    }

    private static JsonNode results(Path folder, String... more) throws IOException {
        Path json = folder.resolve("classes.json");
        List<String> arguments = new ArrayList<>(List.of("classes", "--quick", "--json", json.toString()));
        arguments.addAll(List.of(more));

        Run run = Run.of(arguments.toArray(String[]::new));

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("goals of classes", "This was the quick form");
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.fieldNames())
                .toIterable()
                .containsExactly("scenario", "quick", "complete", "environment", "results");
        assertThat(report.path("quick").asBoolean()).isTrue();
        assertThat(report.path("complete").asBoolean()).isTrue();
        assertThat(report.path("results")).allSatisfy(row -> {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly("experiment", "variant", "class", "value", "goal", "met");
            assertThat(row.path("value").asDouble()).isNotNegative();
        });
        return report.path("results");
    }
}
