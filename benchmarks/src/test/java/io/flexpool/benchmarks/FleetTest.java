// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few seconds of two JVMs. What members miss is not for a build to say; that the number holds is. */
class FleetTest {
    @Test
    void theNumberHoldsAndEveryFigureIsThere(@TempDir Path folder) throws Exception {
        holds(folder, "redis", "calm", "flexpool");
    }

    @Test
    @Tag("scenario")
    void theNumberHoldsWhileAJvmIsKilledInEachVariantThatSharesIt(@TempDir Path folder) throws Exception {
        holds(folder, "postgresql", "sigkill", "flexpool", "fixed-share", "redisson");
    }

    @Test
    @Tag("scenario")
    void aRenewalIsTimedInAStoreOfSoManyMembers(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("latency.json");

        Run run = Run.of("fleet", "--latency=10,20", "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(new ObjectMapper().readTree(json.toFile()).path("latency"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.path("p99Micros").asDouble())
                        .isGreaterThanOrEqualTo(row.path("p50Micros").asDouble())
                        .isPositive());
    }

    @Test
    void thereIsNoQuickFormOfRenewalsOrOfAnOverloadAlone() {
        for (String alone : List.of("--latency=10", "--overload=1")) {
            Run run = Run.of("fleet", "--quick", alone);

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("--quick", alone.substring(0, alone.indexOf('=')) + " alone has none");
        }
    }

    private static void holds(Path folder, String store, String schedule, String... variants) throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        Path json = folder.resolve("fleet.json");

        Run run = Run.of(
                "fleet",
                "--store=" + store,
                "--variants=" + String.join(",", variants),
                "--schedules=" + schedule,
                "--quick",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("no sample above the cap: met", "no connect refused: met", "This was the quick form");
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.fieldNames())
                .toIterable()
                .containsExactly(
                        "scenario",
                        "quick",
                        "environment",
                        "store",
                        "plan",
                        "results",
                        "latency",
                        "overload",
                        "graphs");
        assertThat(report.path("quick").asBoolean()).isTrue();
        assertThat(report.at("/plan/members").asInt()).isEqualTo(4);
        assertThat(report.at("/plan/processes").asInt()).isEqualTo(2);
        assertThat(report.path("results").findValuesAsText("variant")).containsExactly(variants);
        assertThat(report.path("results")).allSatisfy(row -> {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "variant",
                            "schedule",
                            "samples",
                            "samplesAboveCap",
                            "mostSessions",
                            "refused53300",
                            "secondsBelowFairShare",
                            "unmetOverIdeal",
                            "unmet",
                            "idealUnmet",
                            "warmUpSeconds",
                            "seconds");
            assertThat(row.path("schedule").asText()).isEqualTo(schedule);
            assertThat(row.path("samples").asInt()).isGreaterThanOrEqualTo(4);
            assertThat(row.path("samplesAboveCap").asInt()).isZero();
            // Each JVM has opened something, so what was counted is what the members have.
            assertThat(row.path("mostSessions").asInt()).isGreaterThanOrEqualTo(2);
        });
    }
}
