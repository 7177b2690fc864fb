// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdvisorTest {
    /** In traces of a minute percentiles say little: the goals are those of the full length. */
    @Test
    void eachMethodIsTriedOnFreshTraces(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("advisor.json");
        StringWriter out = new StringWriter();
        int exitCode = Benchmarks.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute("advisor", "--quick", "--minutes=1", "--json=" + json);
        assertThat(exitCode).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("quick").asBoolean()).isTrue();
        assertThat(report.path("rows"))
                .as("in the order of the processes, whichever was done first")
                .extracting(row ->
                        row.path("arrivals").asText() + row.path("method").asText())
                .startsWith("POISSONflexpool")
                .endsWith("SELF_SIMILARp99 of demand + 1");
        JsonNode results = report.path("results");
        assertThat(results.findValuesAsText("method")).hasSize(5).contains("flexpool");
        assertThat(results.findValuesAsText("traces")).containsOnly("40");
        JsonNode flexpool = results.path(0);
        assertThat(flexpool.path("metOnFresh").asDouble())
                .isGreaterThan(results.path(3).path("metOnFresh").asDouble());
        assertThat(out.toString())
                .contains("This was the quick form")
                .contains("above the optimum")
                .contains("Little's law");
    }
}
