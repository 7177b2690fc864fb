// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Forty at once on two connections, 20 ms each: in 250 ms two connections serve 26 of them at most, however fast the
 * machine is.
 */
@Tag("scenario")
class BurstTest {
    private static final int SERVED_AT_MOST = 26;

    @TempDir
    private Path folder;

    @Test
    void everyVariantHasARow() throws IOException {
        JsonNode report =
                run("hikaricp", "bare,bare-same-deadline,bare-ceiling,flexypool,flexpool", "2", "--keep", "0");

        assertThat(report.fieldNames())
                .toIterable()
                .contains("scenario", "environment", "db", "load", "sizes", "results", "model", "verdicts");
        assertThat(report.path("scenario").asText()).isEqualTo("burst");
        assertThat(report.path("db").asText()).isEqualTo("stub");
        assertThat(report.at("/environment/versions/druid").asText()).matches("\\d+\\..*");
        assertThat(report.at("/environment/versions/flexy-pool").asText()).matches("\\d+\\..*");
        assertThat(report.at("/model/hikaricp").asDouble()).isBetween(20.0, 320.0);
        assertThat(names(report))
                .containsExactly(
                        "hikaricp bare",
                        "hikaricp bare-same-deadline",
                        "hikaricp bare-ceiling",
                        "hikaricp flexypool",
                        "hikaricp flexpool");
        assertThat(report.path("results")).allSatisfy(BurstTest::isComplete);
        assertThat(report.at("/results/0/failuresPerBurst"))
                .allSatisfy(failures -> assertThat(failures.asInt()).isBetween(40 - SERVED_AT_MOST, 40));
        assertThat(report.at("/results/0/maxPhysical").asInt()).isEqualTo(2);
        assertThat(report.at("/results/2/maxPhysical").asInt()).isEqualTo(4);
        assertThat(report.at("/results/4/maxPhysical").asInt()).isBetween(3, 4);
        assertThat(report.at("/verdicts/0/pool").asText()).isEqualTo("hikaricp");
        assertThat(report.at("/sizes/keepMs").asInt(-1)).isZero();
        assertThat(report.at("/verdicts/0/goals")).hasSize(5);
    }

    @Test
    void everyPoolHasARowSomeWithoutFigures() throws IOException {
        JsonNode report = run("tomcat,c3p0,druid,dbcp2", "bare,flexypool,flexpool", "1", "--keep", "default");

        assertThat(names(report))
                .containsExactly(
                        "tomcat bare",
                        "tomcat flexypool",
                        "tomcat flexpool",
                        "c3p0 bare",
                        "c3p0 flexypool",
                        "c3p0 flexpool",
                        "druid bare",
                        "druid flexypool",
                        "druid flexpool",
                        "dbcp2 bare",
                        "dbcp2 flexypool",
                        "dbcp2 flexpool");
        assertThat(report.path("results"))
                .filteredOn(row -> row.path("variant").asText().equals("bare"))
                .allSatisfy(row -> {
                    isComplete(row);
                    assertThat(row.path("maxPhysical").asInt()).isEqualTo(2);
                    assertThat(row.at("/failuresPerBurst/0").asInt()).isBetween(40 - SERVED_AT_MOST, 40);
                });
        assertThat(List.of(report.at("/results/1"), report.at("/results/10"))).allSatisfy(BurstTest::isComplete);
        assertThat(List.of(report.at("/results/4"), report.at("/results/7"))).allSatisfy(row -> {
            assertThat(row.path("note").asText()).contains("does not link");
            assertThat(row.path("failuresPerBurst")).isEmpty();
            assertThat(row.path("maxPhysical").isNull()).isTrue();
            assertThat(row.path("p99LatencyMs").isNull()).isTrue();
        });
        assertThat(report.path("results"))
                .filteredOn(row -> row.path("variant").asText().equals("flexpool"))
                .allSatisfy(row -> {
                    isComplete(row);
                    assertThat(row.path("maxPhysical").asInt()).isBetween(3, 4);
                });
        assertThat(report.path("model")).hasSize(4);
        assertThat(report.at("/sizes/keepMs").isNull()).isTrue();
        assertThat(report.path("verdicts")).isEmpty();
    }

    private JsonNode run(String pools, String variants, String bursts, String... more) throws IOException {
        Path json = folder.resolve("report.json");
        Run run = Run.of(Stream.of(
                        List.of("burst", "--pools", pools, "--variants", variants, "--bursts", bursts),
                        List.of("--base", "2", "--ceiling", "4", "--burst-size", "40", "--hold", "20"),
                        List.of("--deadline", "300", "--every", "320", "--warm-up", "0", "--json", json.toString()),
                        List.of(more))
                .flatMap(List::stream)
                .toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("failed per burst", "opens connections", "flexpool gives growth back");
        return new ObjectMapper().readTree(json.toFile());
    }

    private static List<String> names(JsonNode report) {
        List<String> names = new ArrayList<>();
        report.path("results")
                .forEach(row -> names.add(
                        row.path("pool").asText() + " " + row.path("variant").asText()));
        return names;
    }

    private static void isComplete(JsonNode row) {
        int bursts = row.path("failuresPerBurst").size();
        assertThat(bursts).isPositive();
        assertThat(row.path("worstPerBurstMs")).hasSize(bursts);
        assertThat(row.path("steadyFailures").asInt(-1)).isNotNegative();
        assertThat(row.path("p99LatencyMs").asDouble())
                .isBetween(20.0, row.path("maxLatencyMs").asDouble());
        assertThat(row.path("meanHeld").asDouble())
                .isBetween(1.0, row.path("maxPhysical").asDouble());
    }
}
