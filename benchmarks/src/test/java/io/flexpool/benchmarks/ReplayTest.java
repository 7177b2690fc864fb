// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    @Test
    void eachKindOfReplayIsTimed(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("replay.json");
        Run run = Run.of("advisor-replay", "--requests=2000", "--sizes=5", "--json=" + json);
        assertThat(run.exitCode()).as(run.err()).isZero();
        // Of so few requests nothing is judged.
        assertThat(run.out()).contains("2000 requests, 5 sizes").doesNotContain("met", "missed");
        JsonNode rows = new ObjectMapper().readTree(json.toFile()).path("rows");
        assertThat(rows.findValuesAsText("what")).containsExactly("replay", "advice", "replay, nested");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.path("seconds").asDouble()).isPositive());
    }
}
