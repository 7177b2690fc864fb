// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shape and counts of a small run. What the figures are is not for a build to say. */
@Tag("scenario")
class DirectoryTest {
    @TempDir
    private Path folder;

    @Test
    void everyPoolAndVariantHasItsFiguresTablesAndGraphs() throws IOException {
        Path json = folder.resolve("directory.json");
        Path markdown = folder.resolve("directory.md");

        Run run = Run.of(
                "directory",
                "--quick",
                "--pools",
                "c3p0,tomcat",
                "--variants",
                "bare,wrapped",
                "--bursts",
                "2",
                "--rate",
                "10",
                "--burst-size",
                "10",
                "--base",
                "4",
                "--ceiling",
                "8",
                "--log",
                "20",
                "--timeout",
                "250",
                "--deadline",
                "280",
                "--every",
                "300",
                "--json",
                json.toString(),
                "--markdown",
                markdown.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("Published (one hour) beside measured", "Where the time of a served request goes")
                .contains("CANNOT BE JUDGED: c3p0 fails in bursts, HikariCP and Tomcat JDBC do not");
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("scenario").asText()).isEqualTo("directory");
        assertThat(result.path("complete").asBoolean()).isTrue();
        assertThat(result.path("command").toString())
                .startsWith("[\"directory\",\"--quick\",\"--pools\",\"c3p0,tomcat\"");
        assertThat(result.at("/options/base").asText()).isEqualTo("4");
        JsonNode rows = result.at("/figures/rows");
        assertThat(rows).hasSize(4).allSatisfy(row -> {
            assertThat(row.at("/steady/requests").asInt()).isEqualTo(40);
            // 40 a second for 0.6 s, and two bursts of 10.
            assertThat(row.at("/inBursts/requests").asInt()).isEqualTo(44);
            assertThat(row.path("failuresPerBurst")).hasSize(2);
            assertThat(row.path("worstPerBurstMs")).hasSize(2);
            assertThat(row.path("broken").asInt()).isZero();
            assertThat(row.at("/steady/idleMs").asDouble()).isGreaterThanOrEqualTo(20);
            assertThat(row.at("/steady/databaseMs").asDouble()).isPositive();
            assertThat(row.path("meanConnections").asDouble()).isBetween(4.0, 8.0);
        });
        assertThat(List.of(rows.get(0), rows.get(1), rows.get(2), rows.get(3)))
                .extracting(row ->
                        row.path("pool").asText() + " " + row.path("variant").asText())
                .containsExactly("C3P0 BARE", "C3P0 WRAPPED", "TOMCAT BARE", "TOMCAT WRAPPED");
        assertThat(rows.get(0).path("peakConnections").asInt()).isEqualTo(4);
        assertThat(result.path("tables")).hasSize(6);
        assertThat(result.path("tables").findValuesAsText("title"))
                .contains("The price: fewer connections beside longer waits");
        assertThat(result.path("graphs")).hasSize(10);
        assertThat(result.path("graphs"))
                .allSatisfy(graph -> assertThat(graph.path("series"))
                        .isNotEmpty()
                        .allSatisfy(series -> assertThat(series.path("points")).isNotEmpty()));
        assertThat(markdown).content().contains("## directory");
    }
}
