// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a whole, in its small form, on a real server. */
@Tag("scenario")
class AdaptiveTest {
    @TempDir
    private Path folder;

    @Test
    void allPoolsMeetTheSameOutage() throws IOException {
        assumeTrue(PostgresServer.unavailable().isEmpty(), "no PostgreSQL here");
        Path json = folder.resolve("adaptive.json");
        Path markdown = folder.resolve("adaptive.md");

        Run run = Run.of(
                "adaptive",
                "--db=postgres",
                "--pool=hikaricp",
                "--scenario=outage",
                "--quick",
                "--json",
                json.toString(),
                "--markdown",
                markdown.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("p99 end-to-end ms", "best-static (")
                .contains("CANNOT BE JUDGED: outage: nothing grows while it lasts")
                .contains("measured 0 connections more at most")
                .doesNotContain("INTERRUPTED");
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("scenario").asText()).isEqualTo("adaptive");
        assertThat(result.path("complete").asBoolean()).isTrue();
        assertThat(result.at("/options/runs").asText()).isEqualTo("1");
        JsonNode rows = result.at("/figures/rows");
        assertThat(rows)
                .extracting(row -> row.path("competitor").asText())
                .containsExactly("best-static", "flexypool", "gradient2", "flexpool");
        int requests = rows.path(0).path("requests").asInt();
        assertThat(requests).isBetween(60, 180);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.path("requests").asInt()).isEqualTo(requests);
            // Requests at the begin of the outage time out before it ends; FlexyPool waits longer. One in four arrives
            // before the outage can affect it; how long requests fail after its end depends on HikariCP's pauses
            // between connects.
            assertThat(row.path("failures").asInt(-1))
                    .isBetween(row.path("competitor").asText().equals("flexypool") ? 0 : 1, requests * 4 / 5);
            assertThat(row.path("meanMs").asDouble()).isGreaterThan(50);
            assertThat(row.path("maxHeld").asInt()).isBetween(4, 40);
        });
        assertThat(rows.path(0).path("regret").asDouble(1)).isZero();
        assertThat(rows.path(3).path("firstFailure").asText()).isNotEmpty();
        assertThat(result.path("graphs").findValuesAsText("title"))
                .containsExactly(
                        "outage: load", "outage: size", "outage: held", "outage: pending", "outage: p99 end-to-end");
        assertThat(markdown).content().contains("## adaptive");
    }
}
