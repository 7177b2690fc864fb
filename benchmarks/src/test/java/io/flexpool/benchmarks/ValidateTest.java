// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateTest {
    /** In runs of three seconds no percentile says anything: that each workload is recorded, replayed and measured. */
    @Test
    @Tag("scenario")
    void eachWorkloadIsRecordedAndMeasured(@TempDir Path folder) throws Exception {
        assumeTrue(PostgresServer.unavailable().isEmpty(), "no PostgreSQL here");
        Path json = folder.resolve("validate.json");
        Run run = Run.of("advisor-validate", "--seconds=3", "--workloads=BATCHES,TRANSACTIONS", "--json=" + json);
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode results = new ObjectMapper().readTree(json.toFile()).path("results");
        assertThat(results.findValuesAsText("workload")).containsExactly("BATCHES", "TRANSACTIONS");
        assertThat(results).allSatisfy(row -> {
            assertThat(row.path("requests").asInt()).isGreaterThan(100);
            assertThat(row.path("recommended").asInt()).isPositive();
            assertThat(row.path("measuredP99Ms").asDouble()).isPositive();
        });
    }
}
