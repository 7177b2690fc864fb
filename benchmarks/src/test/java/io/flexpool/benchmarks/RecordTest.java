// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordTest {
    @TempDir
    private Path folder;

    private JsonNode row(String... options) throws Exception {
        Path json = folder.resolve("record.json");
        Run run = Run.of("advisor-record", "--json=" + json, options[0], options[1]);
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode row = new ObjectMapper().readTree(json.toFile()).path("rows").path(0);
        long made = row.path("made").asLong();
        assertThat(row.path("inFile").asLong() + row.path("lost").asLong()).isEqualTo(made);
        return row;
    }

    @Test
    void eachLeaseIsInTheFileOrCountedAsLost() throws Exception {
        assertThat(row("--seconds=1", "--rate=20000").path("made").asLong()).isGreaterThan(1_000);
    }

    @Test
    @Tag("scenario")
    void of200000LeasesASecondNextToNothingIsLost() throws Exception {
        JsonNode row = row("--seconds=10", "--rate=200000");
        assertThat(row.path("inFile").asDouble())
                .isGreaterThan(0.99 * row.path("made").asDouble());
    }
}
