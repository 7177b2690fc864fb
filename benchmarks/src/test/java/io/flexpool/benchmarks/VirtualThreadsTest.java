// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a whole in its small form; a build with a Java that has no virtual threads sees it refused. */
class VirtualThreadsTest {
    private static final int JAVA = Runtime.version().feature();
    private static final int FIRST = 21;

    @TempDir
    private Path folder;

    @Test
    void eachVariantHasARowOrTheJavaIsRefused() throws IOException {
        Path json = folder.resolve("virtual-threads.json");
        Path html = folder.resolve("virtual-threads.html");

        Run run =
                Run.of("virtual-threads", "--db=stub", "--quick", "--json", json.toString(), "--html", html.toString());

        if (JAVA < FIRST) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("virtual threads need Java 21 or newer, and this is Java " + JAVA);
            assertThat(json).doesNotExist();
            return;
        }
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("processor µs a request").doesNotContain("INTERRUPTED");
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("complete").asBoolean()).isTrue();
        JsonNode rows = result.at("/figures/rows");
        assertThat(rows).extracting(row -> row.path("variant").asText()).containsExactly("BARE", "WATCHED", "GATED");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.path("requestsPerSecond").asDouble()).isPositive();
            assertThat(row.path("failed").asInt(-1))
                    .as(row.path("firstFailure").asText())
                    .isZero();
            assertThat(row.path("carriersBusy").isNumber()).isEqualTo(JAVA >= 24);
        });
        assertThat(Jsoup.parse(html).select("table")).hasSizeGreaterThanOrEqualTo(1);
    }
}
