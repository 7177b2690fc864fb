// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("scenario")
class OverheadTest {
    /** Those whose figures are looked at below. */
    private static final List<Variant> SOME = List.of(
            Variant.BARE,
            Variant.CONTROL,
            Variant.IDEAL,
            Variant.FLEXPOOL_BOUND,
            Variant.FLEXPOOL_BOUND_DROPWIZARD,
            Variant.FLEXPOOL_BOUND_JFR,
            Variant.FLEXPOOL_BOUND_JFR_RECORDING);

    /** That each variant can be built and is called is the test of its own module. */
    @Test
    void everyVariantHasARow(@TempDir Path folder) throws IOException {
        assertMeasured(folder, List.of(Variant.values()));
    }

    @Test
    void theControlAllocatesLikeBare(@TempDir Path folder) throws IOException {
        assertMeasured(
                folder,
                SOME,
                "--variants=" + SOME.stream().skip(1).map(Variant::toString).collect(Collectors.joining(",")));
    }

    private static void assertMeasured(Path folder, List<Variant> variants, String... chosen) throws IOException {
        Path json = folder.resolve("report.json");
        Path markdown = folder.resolve("report.md");
        List<String> arguments = new ArrayList<>(List.of(
                "overhead",
                "--threads=1:2",
                "--slices=4",
                "--rounds=2",
                "--warm-up=2",
                "--json=" + json,
                "--markdown=" + markdown));
        Collections.addAll(arguments, chosen);

        Run run = Run.of(arguments.toArray(String[]::new));

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("scenario").asText()).isEqualTo("overhead");
        assertThat(report.at("/environment/cpus").asInt()).isPositive();
        assertThat(report.path("results")).hasSize(1);
        JsonNode group = report.path("results").path(0);
        assertThat(group.path("threads").asInt()).isEqualTo(1);
        assertThat(group.path("pool").asInt()).isEqualTo(2);
        assertThat(group.path("sliceMs").asInt()).isEqualTo(4);
        Map<String, JsonNode> rows = byVariant(group);
        assertThat(rows.keySet())
                .containsExactlyElementsOf(
                        variants.stream().map(Variant::toString).toList());
        assertThat(rows.values()).allSatisfy(row -> {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly("variant", "cpuNs", "dNs", "dP25Ns", "dP75Ns", "inIdeals", "bytes");
            assertThat(figure(row, "cpuNs")).isPositive();
            assertThat(figure(row, "dNs")).isBetween(figure(row, "dP25Ns"), figure(row, "dP75Ns"));
        });
        assertThat(figure(row(rows, "bare"), "dNs")).isZero();
        assertThat(figure(row(rows, "ideal"), "inIdeals")).isEqualTo(1);
        assertThat(bytes(rows, "control")).isCloseTo(bytes(rows, "bare"), within(1.0));
        assertThat(run.out()).contains("goals, 1:2:").contains("flexpool-bound: D at most 1.25 I: ");
        // Read in the first of the two rounds of each kind.
        assertThat(report.path("figuresRead").path("bare").asLong()).isZero();
        assertThat(report.path("figuresRead").path("flexpool-bound-dropwizard").asLong())
                .isPositive()
                .isEven();
        // A recording of one variant's events leaves those of the others off, though all are in one JVM.
        assertThat(report.path("figuresRead").path("flexpool-bound-jfr").asLong())
                .isZero();
        assertThat(report.path("figuresRead")
                        .path("flexpool-bound-jfr-recording")
                        .asLong())
                .isEqualTo(2 * 9);
        String page = Files.readString(markdown);
        assertThat(page).contains("| variant | 1:2 D ns | D / I | bytes over bare |", "|---|---:|---:|---:|");
        assertThat(page.lines().filter(line -> line.startsWith("| flexpool-bound |")))
                .hasSize(1);
        assertThat(page).contains("\ngoals, 1:2:\n\n- ");
    }

    @Test
    void moreThreadsThanConnectionsShareThem(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "overhead",
                "--threads=3:2",
                "--variants=flexpool-bound",
                "--slices=4",
                "--rounds=2",
                "--warm-up=1",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode group = new ObjectMapper().readTree(json.toFile()).at("/results/0");
        assertThat(group.path("threads").asInt()).isEqualTo(3);
        assertThat(group.path("pool").asInt()).isEqualTo(2);
        assertThat(figure(row(byVariant(group), "flexpool-bound"), "cpuNs")).isPositive();
    }

    @Test
    void withoutTheIdealThereIsNoUnit(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "overhead",
                "--threads=2:2",
                "--variants=control",
                "--slices=4",
                "--rounds=1",
                "--warm-up=1",
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        Map<String, JsonNode> rows =
                byVariant(new ObjectMapper().readTree(json.toFile()).at("/results/0"));
        assertThat(rows.keySet()).containsExactly("bare", "control");
        assertThat(row(rows, "control").path("inIdeals").isNull()).isTrue();
    }

    @Test
    void everyJvmMeasuresBothLengthsOfASlice(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");

        Run run = Run.of(
                "overhead",
                "--threads=1:2",
                "--variants=flexpool-bound,hikaricp-micrometer",
                "--slices=2,5:1",
                "--rounds=2",
                "--warm-up=1",
                "--jvms=2",
                "--java=" + System.getProperty("java.home"),
                "--json=" + json);

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("planned").asInt()).isEqualTo(2);
        assertThat(report.path("endedEarly").isNull()).isTrue();
        assertThat(report.path("slices").toString())
                .isEqualTo("[{\"millis\":2,\"rounds\":2},{\"millis\":5,\"rounds\":1}]");
        assertThat(report.path("jvms")).hasSize(2).allSatisfy(jvm -> {
            assertThat(jvm.at("/facts/java").asText()).isEqualTo(System.getProperty("java.version"));
            assertThat(jvm.at("/facts/vendor").asText()).isEqualTo(System.getProperty("java.vendor"));
            assertThat(jvm.at("/facts/collector").asText()).isEqualTo("G1");
            assertThat(jvm.at("/facts/cpus").asInt()).isPositive();
            assertThat(jvm.path("seconds").asDouble()).isPositive();
        });
        assertThat(report.path("results").findValuesAsText("sliceMs")).containsExactly("2", "5");
        assertThat(report.path("results")).allSatisfy(group -> {
            assertThat(group.path("jvms").toString()).isEqualTo("[1,2]");
            assertThat(group.path("variants"))
                    .hasSize(3)
                    .allSatisfy(row -> assertThat(row.path("dNs")).hasSize(2));
        });
        // In each JVM once in each kind of round: two figures of each meter at the least, of several meters.
        assertThat(report.path("figuresRead").path("hikaricp-micrometer").asLong())
                .isGreaterThan(2 * 3 * 2);
        assertThat(run.out()).contains(" of 2 JVMs");
    }

    private static double figure(JsonNode row, String name) {
        assertThat(row.path(name)).as(name).hasSize(1);
        return row.path(name).path(0).asDouble();
    }

    private static Map<String, JsonNode> byVariant(JsonNode group) {
        Map<String, JsonNode> rows = new LinkedHashMap<>();
        group.path("variants").forEach(row -> rows.put(row.path("variant").asText(), row));
        return rows;
    }

    private static JsonNode row(Map<String, JsonNode> rows, String variant) {
        return Objects.requireNonNull(rows.get(variant), variant);
    }

    private static double bytes(Map<String, JsonNode> rows, String variant) {
        return figure(row(rows, variant), "bytes");
    }
}
