// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.Benchmarks;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("scenario")
class BrokerTest {
    @Test
    void everyStoreRunsInAJvmOfItsOwnAndLosesNothing(@TempDir Path folder) throws IOException {
        assumeTrue(PostgresServer.unavailable().isEmpty(), "no PostgreSQL here");
        Path json = folder.resolve("result.json");
        Path markdown = folder.resolve("result.md");
        StringWriter out = new StringWriter();

        int exitCode = Benchmarks.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute(
                        "broker",
                        "--quick",
                        "--messages=40",
                        "--stores=kahadb,postgres-c3p0,postgres-c3p0-flexpool",
                        "--json=" + json,
                        "--markdown=" + markdown);

        assertThat(exitCode).as(out.toString()).isZero();
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("scenario").asText()).isEqualTo("broker");
        assertThat(result.path("complete").asBoolean()).isTrue();
        JsonNode runs = result.path("figures");
        assertThat(runs.findValuesAsText("store"))
                .containsExactlyInAnyOrder("kahadb", "postgres-c3p0", "postgres-c3p0-flexpool");
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.path("messages").asInt()).isEqualTo(40);
            assertThat(run.path("lost").asInt()).isZero();
            assertThat(run.path("doubled").asInt()).isZero();
            assertThat(run.path("left").asInt()).isZero();
            assertThat(run.path("batchSeconds"))
                    .hasSize(10)
                    .allSatisfy(batch -> assertThat(batch.asDouble()).isPositive());
            if (run.path("store").asText().equals("kahadb")) {
                assertThat(run.path("asked").isNull()).isTrue();
            } else {
                assertThat(run.path("asked").path("connections").asInt()).isEqualTo(4 * 40);
            }
        });
        assertThat(out.toString())
                .contains("GOAL MET: no message is lost or doubled")
                .contains("REPRODUCED: the broker takes exactly 4 connections for each message")
                .contains("CANNOT BE JUDGED: postgres-c3p0-flexpool moves at least 0.97");
        assertThat(markdown).content().contains("postgres-c3p0-flexpool");
    }
}
