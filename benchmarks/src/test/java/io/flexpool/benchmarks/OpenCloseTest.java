// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("scenario")
class OpenCloseTest {
    @Test
    void everyVariantHasARowPerRound(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run =
                Run.of("open-close", "--db", "h2mem", "--iterations", "20", "--rounds", "2", "--json", json.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("hikaricp+flexpool", "x600", "warm median", "round by round: x", "(FlexyPool x");
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.fieldNames())
                .toIterable()
                .containsExactly("scenario", "environment", "published", "results", "ratios");
        assertThat(report.path("scenario").asText()).isEqualTo("open-close");
        assertThat(report.at("/environment/versions/hikaricp").asText()).matches("\\d+\\..*");
        assertThat(report.at("/published/ofMeans").asInt()).isEqualTo(600);
        assertThat(rows(report.path("results"), "round", "variant"))
                .containsExactly(
                        "0 unpooled",
                        "0 hikaricp",
                        "0 hikaricp+flexpool",
                        "0 hikaricp+flexypool",
                        "1 unpooled",
                        "1 hikaricp",
                        "1 hikaricp+flexpool",
                        "1 hikaricp+flexypool");
        assertThat(report.path("results")).allSatisfy(OpenCloseTest::isOrdered);
        assertThat(rows(report.path("ratios"), "db", "round")).containsExactly("h2mem 0", "h2mem 1");
        assertThat(report.path("ratios"))
                .allSatisfy(
                        ratio -> assertThat(ratio.path("ofMeans").asDouble()).isPositive())
                .allSatisfy(
                        ratio -> assertThat(ratio.path("ofMedians").asDouble()).isPositive());
    }

    @Test
    void severalDatabasesRunOneAfterTheOther() {
        Run run = Run.of("open-close", "--db", "h2mem,H2TCP", "--iterations", "5", "--rounds", "1");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out().lines().filter(line -> line.startsWith("h2mem "))).hasSize(5);
        assertThat(run.out().lines().filter(line -> line.startsWith("h2tcp "))).hasSize(5);
    }

    private static void isOrdered(JsonNode row) {
        assertThat(row.path("db").asText()).isEqualTo("h2mem");
        assertThat(row.path("stddevMs").asDouble()).isNotNegative();
        assertThat(row.path("minMs").asDouble()).isPositive();
        assertThat(row.path("medianMs").asDouble())
                .isBetween(row.path("minMs").asDouble(), row.path("maxMs").asDouble());
        assertThat(row.path("meanMs").asDouble())
                .isBetween(row.path("minMs").asDouble(), row.path("maxMs").asDouble());
    }

    private static List<String> rows(JsonNode array, String first, String second) {
        List<String> rows = new ArrayList<>();
        array.forEach(row ->
                rows.add(row.path(first).asText() + " " + row.path(second).asText()));
        return rows;
    }
}
