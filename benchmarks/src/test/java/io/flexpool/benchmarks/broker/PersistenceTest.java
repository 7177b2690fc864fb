// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.Benchmarks;
import io.flexpool.benchmarks.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("scenario")
class PersistenceTest {
    @Test
    void everyShapeRunsOnAStoreAndLosesNothing(@TempDir Path folder) throws IOException {
        assumeTrue(PostgresServer.unavailable().isEmpty(), "no PostgreSQL here");
        Path json = folder.resolve("result.json");
        StringWriter out = new StringWriter();

        int exitCode = Benchmarks.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute(
                        "persistence",
                        "--quick",
                        "--messages=20",
                        "--stores=non-persistent,kahadb-disk,jdbc-pooled-wrapped",
                        "--json=" + json);

        assertThat(exitCode).as(out.toString()).isZero();
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("scenario").asText()).isEqualTo("persistence");
        assertThat(result.path("complete").asBoolean()).isTrue();
        assertThat(result.path("tables"))
                .hasSize(4)
                .allSatisfy(table -> assertThat(table.path("rows")).hasSize(3));
        JsonNode runs = result.path("figures").path("runs");
        assertThat(runs).hasSize(12).allSatisfy(run -> {
            Workload workload = WorkloadFile.shipped(run.path("workload").asText());
            assertThat(run.path("sent").asInt()).isEqualTo(20 * workload.numdests());
            assertThat(run.path("expected").asInt()).isEqualTo(20 * workload.consumers());
            assertThat(run.path("lost").asInt()).isZero();
            assertThat(run.path("doubled").asInt()).isZero();
            assertThat(run.path("left").asInt()).isZero();
            assertThat(run.path("latency").path("p50").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(run.path("latency").path("max").asDouble());
            assertThat(run.path("asked").isNull())
                    .isEqualTo(!run.path("store").asText().startsWith("jdbc"));
        });
        assertThat(out.toString()).contains("GOAL MET: no message is lost or doubled");
    }

    @Test
    void withoutQuickEachWorkloadHasAJvmOfItsOwn(@TempDir Path folder) throws IOException {
        Path mine = Files.writeString(folder.resolve("mine.properties"), "nummessages=5");
        Path yours = Files.writeString(folder.resolve("yours.properties"), "nummessages=5");
        Path json = folder.resolve("result.json");

        Run run = Run.of(
                "persistence",
                "--workload=" + mine,
                "--workload=" + yours,
                "--messages=7",
                "--repeats=1",
                "--stores=non-persistent",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("complete").asBoolean()).isTrue();
        assertThat(result.path("figures").path("runs").findValuesAsText("workload"))
                .containsExactlyInAnyOrder("mine", "yours");
        assertThat(result.path("command"))
                .extracting(JsonNode::asText)
                .contains("--workload=" + mine, "--workload=" + yours);
        assertThat(run.out()).contains("CANNOT BE JUDGED: jdbc-pooled-wrapped moves at least 0.97");
    }
}
