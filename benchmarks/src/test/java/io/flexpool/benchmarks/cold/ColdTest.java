// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.Benchmarks;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColdTest {
    @Test
    void everyVariantRunsInAJvmOfItsOwn(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");
        StringWriter out = new StringWriter();

        int exitCode = Benchmarks.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute("cold", "--variants=flexpool-bound", "--jvms=1", "--calls=50", "--json=" + json);

        assertThat(exitCode).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("scenario").asText()).isEqualTo("cold");
        assertThat(report.path("calls").asInt()).isEqualTo(50);
        assertThat(report.path("jvms").asInt()).isEqualTo(1);
        JsonNode rows = report.path("results");
        assertThat(rows.findValuesAsText("variant")).containsExactly("bare", "flexpool-bound");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.path("medianNs").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(row.path("p99Ns").asDouble());
            assertThat(row.path("sumMs").asDouble()).isPositive();
        });
        assertThat(rows.path(0).path("inBare").asDouble()).isEqualTo(1);
        assertThat(out.toString()).contains("goals:").contains("flexpool-bound: at most 2.5 times bare: ");
    }

    @Test
    void aJvmThatFailsEndsTheRunWithWhatItSaid() {
        assertThatThrownBy(() -> ColdCalls.run("no-such-variant", 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-variant: the JVM ended with 1: ")
                .hasMessageContaining("must be one of bare");
    }

    private static ColdRow row(String variant, double median, double inBare) {
        return new ColdRow(variant, median, median, median, median, 1, inBare);
    }

    @Test
    void theVerdictIsThatOfTheFigures() {
        ColdReport report = ColdReport.of(
                4000,
                1,
                List.of(
                        row("bare", 1000, 1),
                        row("flexpool-watched", 2500, 2.5),
                        row("flexpool-bound", 2600, 2.6),
                        row("flexypool-dropwizard", 5000, 5)));

        assertThat(report.verdicts())
                .containsExactly(
                        "flexpool-watched: at most 2.5 times bare: met (2.50); at least 2 times below FlexyPool with"
                                + " Dropwizard: met (2.00)",
                        "flexpool-bound: at most 2.5 times bare: missed (2.60); at least 2 times below FlexyPool with"
                                + " Dropwizard: missed (1.92)");
    }
}
