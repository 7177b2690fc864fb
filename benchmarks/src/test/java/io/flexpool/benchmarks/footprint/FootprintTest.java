// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.Benchmarks;
import io.flexpool.benchmarks.kit.JavaHome;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("scenario")
class FootprintTest {
    private static final String ADAPTERS = "META-INF/services/io.flexpool.adapter.PoolAdapterProvider";

    @Test
    void eachKindOfJvmHasARowForEachVariant(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");
        Path markdown = folder.resolve("report.md");
        StringWriter out = new StringWriter();

        int exitCode = Benchmarks.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute(
                        "footprint",
                        "--variants=bound",
                        "--processors=2,16",
                        "--pools=5",
                        "--size=2",
                        "--rest=0",
                        "--measure=1",
                        "--jvms=1",
                        "--json=" + json,
                        "--markdown=" + markdown);

        assertThat(exitCode).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.path("scenario").asText()).isEqualTo("footprint");
        assertThat(report.path("plan").path("pools").asInt()).isEqualTo(5);
        JsonNode rows = report.path("results");
        assertThat(rows.findValuesAsText("variant")).containsExactly("bare", "bound", "bare", "bound");
        assertThat(rows.findValuesAsText("processors")).containsExactly("2", "2", "16", "16");
        assertThat(rows.findValuesAsText("java")).containsOnly(System.getProperty("java.version"));
        JsonNode bound = rows.path(1);
        assertThat(bound.path("firstBuildMs").path("median").asDouble()).isPositive();
        assertThat(bound.path("furtherBuildMs").path("median").asDouble()).isPositive();
        assertThat(bound.path("firstCallMs").path("median").asDouble()).isPositive();
        assertThat(bound.path("classes").path("median").asInt()).isGreaterThan(50);
        assertThat(bound.path("builtKib").path("median").asDouble()).isPositive();
        assertThat(bound.path("idleMsPerMinute").path("median").asDouble()).isPositive();
        assertThat(out.toString()).contains("goals").contains("bound, Java ");
        assertThat(markdown).content().contains("| variant |").contains("- bound, Java ");
    }

    @Test
    void aJvmThatFailsEndsTheRunWithWhatItSaid() {
        FootprintJvm jvm = new FootprintJvm(JavaHome.own(), 2);
        Plan noPool = new Plan(0, 2, 0, 0);

        assertThatThrownBy(() -> jvm.run(Subject.BARE, noPool, System.getProperty("java.class.path")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bare: the JVM ended with 1: ")
                .hasMessageContaining("IndexOutOfBoundsException");
    }

    private static Measurement measured(double build, double call, double rested, double idle) {
        return new Measurement("17", build, 1, call, 1, 1, 10, 20, rested, idle, 1, 1);
    }

    @Test
    void theWorstJvmDecides() {
        Measurement bare = measured(0, 0, 0, 100);
        Measurement good = measured(40, 5, 64, 300);
        Measurement bad = measured(40.1, 5.1, 64.1, 310);
        Plan plan = new Plan(100, 10, 20, 45);
        FootprintReport report = FootprintReport.of(
                plan,
                2,
                List.of(
                        FootprintRow.of(Subject.BARE, 2, List.of(bare, bare), List.of(bare, bare), 100),
                        FootprintRow.of(Subject.WATCHED, 2, List.of(good, good), List.of(bare, bare), 100),
                        FootprintRow.of(Subject.BOUND, 2, List.of(good, bad), List.of(bare, bare), 100)));

        assertThat(report.verdicts())
                .containsExactly(
                        "watched, Java 17, 2 CPUs: first build at most 40 ms: met (40.0); first call at most 5 ms: met"
                                + " (5.0); a pool keeps at most 64 KiB: met (64.0); a pool's idle minute at most 2 ms:"
                                + " met (2.0)",
                        "bound, Java 17, 2 CPUs: first build at most 40 ms: missed (40.1); first call at most 5 ms:"
                                + " missed (5.1); a pool keeps at most 64 KiB: missed (64.1); a pool's idle minute at"
                                + " most 2 ms: missed (2.1)");
    }

    @Test
    void onlyTheWantedAdapterIsFound(@TempDir Path folder) throws IOException {
        Path plain = Files.createDirectories(folder.resolve("plain"));
        Path wanted = services(folder.resolve("wanted"), "io.flexpool.adapter.hikaricp.Provider");
        Path other = services(folder.resolve("other"), "io.flexpool.adapter.c3p0.Provider");
        Path jar = folder.resolve("all.jar");
        try (FileSystem made = FileSystems.newFileSystem(jar, Map.of("create", "true"))) {
            services(made.getPath("/"), "io.flexpool.adapter.c3p0.Provider\nio.flexpool.adapter.hikaricp.Provider");
            Files.writeString(made.getPath("kept"), "kept");
        }
        String classPath =
                String.join(File.pathSeparator, plain.toString(), wanted.toString(), other.toString(), jar.toString());

        Path copy;
        try (ApplicationClassPath path = new ApplicationClassPath(classPath)) {
            List<String> entries = List.of(path.toString().split(File.pathSeparator, -1));
            assertThat(entries).hasSize(3).startsWith(plain.toString(), wanted.toString());
            copy = Path.of(entries.get(2));
            assertThat(copy).isNotEqualTo(jar);
            try (FileSystem inside = FileSystems.newFileSystem(copy)) {
                assertThat(Files.readAllLines(inside.getPath(ADAPTERS)))
                        .containsExactly("io.flexpool.adapter.hikaricp.Provider");
                assertThat(inside.getPath("kept")).exists();
            }
        }
        assertThat(copy).doesNotExist();
    }

    private static Path services(Path root, String names) throws IOException {
        Path file = root.resolve(ADAPTERS);
        Files.createDirectories(file.getParent());
        Files.writeString(file, names + "\n");
        return root;
    }
}
