// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.kit.OutputFile;
import io.flexpool.benchmarks.overhead.OverheadJvm.Answer;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.Slicing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverheadReportTest {
    private static final Load ONE = new Load(1, 2);
    private static final Load EIGHT = new Load(8, 4);
    private static final List<Slicing> SLICINGS = List.of(new Slicing(4, 200), new Slicing(100, 20));

    private static OverheadRow row(Load load, int sliceMs, String variant, double diff, double bytes) {
        return Jvms.row(load, sliceMs, variant, diff, diff / 100, bytes);
    }

    private static OverheadReport report(List<Answer> answers, int planned, @Nullable String endedEarly) {
        return OverheadReport.of(
                new OverheadJvm.Task(List.of(ONE, EIGHT), List.of(Variant.BARE, Variant.FLEXPOOL_BOUND), 250, SLICINGS),
                new OverheadSeries.Outcome(planned, answers, endedEarly));
    }

    @Test
    void aPageHasARowPerVariantAndTwoColumnsPerLoad() {
        OverheadReport report = report(
                List.of(Jvms.answer(
                        Jvms.OLD,
                        row(ONE, 4, "bare", 0, 56),
                        row(ONE, 4, "flexpool-bound", 120, 88),
                        row(EIGHT, 4, "bare", 0, 90),
                        row(EIGHT, 4, "flexpool-bound", 151, 300))),
                1,
                null);

        String page = report.markdown();

        assertThat(page).contains("""

                        | variant | 1:2 D ns | D / I | 8:4 D ns | D / I | bytes over bare |
                        |---|---:|---:|---:|---:|---:|
                        | bare | 0.0 | 0.00 | 0.0 | 0.00 | 0 |
                        | flexpool-bound | 120.0 | 1.20 | 151.0 | 1.51 | 32 |

                        goals, 1:2:

                        - all goals met: flexpool-bound

                        goals, 8:4:

                        - flexpool-bound: D at most 1.25 I: missed (1.51)
                        """);
        assertThat(report.notes())
                .allSatisfy(note -> assertThat(page).contains(note))
                .anySatisfy(
                        note -> assertThat(note).contains("200 rounds of 4 ms slices and 20 rounds of 100 ms slices"))
                .anySatisfy(note -> assertThat(note).contains("250 rounds of warm-up"))
                .contains("Java 17.0.15 (Debian): JVMs: 1, G1, 2 CPUs, 140 s each");
    }

    /** One load; each JVM's D is that of the one before and one more. */
    private static List<Answer> twoOfEachJava() {
        List<Answer> answers = new ArrayList<>();
        for (int at = 0; at < 4; at++) {
            answers.add(Jvms.answer(
                    at % 2 == 0 ? Jvms.OLD : Jvms.NEW,
                    row(ONE, 4, "bare", 0, 56),
                    row(ONE, 4, "flexpool-bound", 110 + at, 88),
                    row(ONE, 100, "bare", 0, 56),
                    row(ONE, 100, "flexpool-bound", 124 + at, 88)));
        }
        return answers;
    }

    @Test
    void severalJvmsHaveAMedianAndARangePerJavaAndSlice() {
        OverheadReport report = report(twoOfEachJava(), 4, null);

        assertThat(report.markdown()).contains("""

                        | Java, slices | variant | 1:2 D ns | D / I | bytes over bare |
                        |---|---|---|---|---:|
                        | Java 17.0.15 (Debian), 4 ms | bare | 0.0 (0.0–0.0) | 0.00 (0.00–0.00) | 0 |
                        | Java 17.0.15 (Debian), 4 ms | flexpool-bound | 111.0 (110.0–112.0) | 1.11 (1.10–1.12) | 32 |
                        | Java 17.0.15 (Debian), 100 ms | bare | 0.0 (0.0–0.0) | 0.00 (0.00–0.00) | 0 |
                        | Java 17.0.15 (Debian), 100 ms | flexpool-bound | 125.0 (124.0–126.0) | 1.25 (1.24–1.26) | 32 |
                        | Java 25.0.3 (Eclipse Adoptium), 4 ms | bare | 0.0 (0.0–0.0) | 0.00 (0.00–0.00) | 0 |
                        """);
        assertThat(report.goals())
                .containsOnlyKeys(
                        "goals, 1:2, Java 17.0.15 (Debian), 4 ms",
                        "goals, 1:2, Java 17.0.15 (Debian), 100 ms",
                        "goals, 1:2, Java 25.0.3 (Eclipse Adoptium), 4 ms",
                        "goals, 1:2, Java 25.0.3 (Eclipse Adoptium), 100 ms")
                .hasEntrySatisfying(
                        "goals, 1:2, Java 17.0.15 (Debian), 100 ms",
                        verdicts -> assertThat(verdicts)
                                .containsExactly("flexpool-bound: D at most 1.25 I: missed, met in 1 of 2 JVMs, not in"
                                        + " JVM 3 (1.24 / 1.25 / 1.26); at most 32 bytes over bare: met in 2 of 2 JVMs"
                                        + " (32.00 / 32.00 / 32.00)"));
        assertThat(report.notes()).noneSatisfy(note -> assertThat(note).contains("ended after"));
    }

    @Test
    void theFileHasEachJvmAndItsFigures(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("report.json");

        new OutputFile(file).json(report(twoOfEachJava(), 6, "JVM 5 failed: out of memory"));

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "scenario",
                        "environment",
                        "warmUp",
                        "slices",
                        "planned",
                        "endedEarly",
                        "jvms",
                        "figuresRead",
                        "results");
        assertThat(json.path("slices").toString())
                .isEqualTo("[{\"millis\":4,\"rounds\":200},{\"millis\":100,\"rounds\":20}]");
        assertThat(json.path("planned").asInt()).isEqualTo(6);
        assertThat(json.path("endedEarly").asText()).isEqualTo("JVM 5 failed: out of memory");
        assertThat(json.path("figuresRead").path("flexpool-bound").asLong()).isEqualTo(4 * 12);
        assertThat(json.path("jvms")).hasSize(4);
        JsonNode second = json.path("jvms").path(1);
        assertThat(second.toString())
                .isEqualTo("{\"number\":2,\"facts\":{\"java\":\"25.0.3\",\"vendor\":\"Eclipse Adoptium\","
                        + "\"vm\":\"OpenJDK 64-Bit Server VM 25.0.3+9\",\"collector\":\"G1\",\"cpus\":2,"
                        + "\"maxHeapMb\":6028},\"loadAverage\":0.25,\"seconds\":140.4}");
        assertThat(json.path("results")).hasSize(4);
        JsonNode newest = json.path("results").path(3);
        assertThat(newest.path("java").asText()).isEqualTo("Java 25.0.3 (Eclipse Adoptium)");
        assertThat(newest.path("sliceMs").asInt()).isEqualTo(100);
        assertThat(newest.path("jvms").toString()).isEqualTo("[2,4]");
        assertThat(newest.path("variants").path(1).toString())
                .isEqualTo("{\"variant\":\"flexpool-bound\",\"cpuNs\":[225.0,227.0],\"dNs\":[125.0,127.0],"
                        + "\"dP25Ns\":[124.0,126.0],\"dP75Ns\":[126.0,128.0],\"inIdeals\":[1.25,1.27],"
                        + "\"bytes\":[88.0,88.0]}");
    }

    @Test
    void aRunThatEndedEarlySaysWhy() {
        OverheadReport report = report(twoOfEachJava(), 6, "JVM 5 failed: out of memory");

        assertThat(report.notes()).last().isEqualTo("ended after 4 of 6 JVMs: JVM 5 failed: out of memory");
    }

    /** The published run: a page's figures stand beside it, so its file must be small enough for them. */
    @Test
    void theFileOfTwentyJvmsStaysBelowAHundredKilobytes(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("report.json");
        List<String> variants = List.of(
                "bare",
                "control",
                "ideal",
                "flexpool-watched",
                "flexpool-bound",
                "flexpool-bound-dropwizard",
                "flexpool-bound-micrometer",
                "flexypool-dropwizard",
                "hikaricp-micrometer");
        Random random = new Random(1);
        List<Answer> answers = new ArrayList<>();
        for (int at = 0; at < 20; at++) {
            List<OverheadRow> rows = new ArrayList<>();
            for (Load load : List.of(ONE, new Load(2, 4), new Load(8, 16), EIGHT)) {
                for (Slicing slicing : SLICINGS) {
                    for (String variant : variants) {
                        double diff = Math.round((80 + 80 * random.nextDouble()) * 10) / 10.0;
                        rows.add(Jvms.row(
                                load, slicing.millis(), variant, diff, Math.round(diff * 10.1) / 1000.0, 88.3));
                    }
                }
            }
            answers.add(Jvms.answer(at % 2 == 0 ? Jvms.OLD : Jvms.NEW, rows.toArray(OverheadRow[]::new)));
        }

        new OutputFile(file).json(report(answers, 20, null));

        assertThat(Files.size(file)).isLessThan(100_000);
    }
}
