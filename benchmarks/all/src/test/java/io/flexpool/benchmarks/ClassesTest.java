// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second of each. How long requests wait is not for a build to say. */
class ClassesTest {
    @Test
    @Tag("scenario")
    void eachWayToShareIsMeasured(@TempDir Path folder) throws IOException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        Path json = folder.resolve("classes.json");

        Run run =
                Run.of("classes", "--rounds", "1", "--seconds", "1", "--batch-lease", "100", "--json", json.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("goals of classes");
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.fieldNames()).toIterable().containsExactly("scenario", "environment", "results");
        assertThat(report.path("results").findValuesAsText("variant"))
                .containsExactly("alone", "bare-pool", "bare-pool", "two-pools", "two-pools", "classes", "classes");
        assertThat(report.path("results")).allSatisfy(row -> {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly("experiment", "variant", "class", "value", "goal", "met");
            assertThat(row.path("value").asDouble()).isPositive();
        });
    }
}
