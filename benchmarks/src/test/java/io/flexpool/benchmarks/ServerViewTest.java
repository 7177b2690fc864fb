// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One run of each situation. How long requests take is not for a build to say, nor that each cause is found. */
class ServerViewTest {
    @Test
    void everySituationIsStagedAndNobodyIsBlamedWrongly(@TempDir Path folder) throws IOException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        Path json = folder.resolve("server-view.json");

        Run run = Run.of("server-view", "--quick", "--requests", "1", "--json", json.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("the cause that was named first", "no wrong culprit: met", "cause right in at least 95 %")
                .contains("This was the quick form");
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.fieldNames())
                .toIterable()
                .containsExactly("scenario", "quick", "environment", "results", "confusion", "excerpts");
        assertThat(report.path("results").findValuesAsText("situation"))
                .containsExactly(
                        "row lock of ours",
                        "row lock of another",
                        "alter table",
                        "processor",
                        "sleep",
                        "no slots",
                        "deadlock victim",
                        "advisory lock",
                        "idle in transaction",
                        "demand");
        assertThat(report.path("results")).allSatisfy(row -> {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "situation",
                            "runs",
                            "causeRight",
                            "culpritRight",
                            "culpritWrong",
                            "addedMedianMs",
                            "addedMaxMs");
            assertThat(row.path("runs").asInt()).isOne();
            assertThat(row.path("culpritWrong").asInt()).as("%s", row).isZero();
            assertThat(row.path("addedMedianMs").isNumber()).isTrue();
        });
        assertThat(report.path("confusion"))
                .hasSize(10)
                .allSatisfy(causes -> assertThat(causes).hasSize(1));
        assertThat(report.path("excerpts"))
                .allSatisfy(text -> assertThat(text.asText()).contains("Report "));
    }
}
