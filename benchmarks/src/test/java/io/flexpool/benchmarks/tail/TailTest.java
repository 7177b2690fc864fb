// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("scenario")
class TailTest {
    @Test
    void everyVariantRunsInAJvmOfItsOwn(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("report.json");
        Path markdown = folder.resolve("report.md");

        Run run = Run.of(
                "tail",
                "--variants=flexpool-bound",
                "--threads=6",
                "--pool=2",
                "--hold=500us",
                "--warm-up=1",
                "--seconds=1",
                "--jvms=1",
                "--json=" + json,
                "--markdown=" + markdown);

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertThat(report.fieldNames())
                .toIterable()
                .containsExactly("scenario", "environment", "load", "timedEvery", "jvms", "results", "runs");
        assertThat(report.path("scenario").asText()).isEqualTo("tail");
        assertThat(report.at("/environment/cpus").asInt()).isPositive();
        assertThat(report.at("/load/threads").asInt()).isEqualTo(6);
        assertThat(report.at("/load/pool").asInt()).isEqualTo(2);
        assertThat(report.at("/load/holdMicros").asInt()).isEqualTo(500);
        assertThat(report.path("timedEvery").asInt()).isEqualTo(1);
        assertThat(report.path("jvms").asInt()).isEqualTo(1);
        assertThat(report.path("results").findValuesAsText("variant")).containsExactly("bare", "flexpool-bound");
        assertThat(report.path("results")).allSatisfy(TailTest::isOrdered);
        assertThat(report.at("/results/0/overBare/p99Micros/median").asDouble()).isEqualTo(1);
        assertThat(report.path("runs").findValuesAsText("variant")).containsExactlyInAnyOrder("bare", "flexpool-bound");
        assertThat(report.path("runs")).allSatisfy(one -> {
            assertThat(one.at("/jvm/java").asText()).isEqualTo(System.getProperty("java.version"));
            assertThat(one.at("/figures/leases").asLong()).isPositive();
            assertThat(one.at("/figures/mostOpen").asInt()).isEqualTo(2);
        });
        assertThat(run.out())
                .contains("6 clients on 2 connections", "keeps its connection for 500 us", "a closed loop")
                .contains("flexpool-bound: leases per second x ");
        assertThat(Files.readString(markdown).lines().filter(line -> line.contains("| flexpool-bound |")))
                .hasSize(1);
    }

    private static void isOrdered(JsonNode row) {
        assertThat(median(row, "p50Micros")).isPositive().isLessThanOrEqualTo(median(row, "p99Micros"));
        assertThat(median(row, "p999Micros")).isBetween(median(row, "p99Micros"), median(row, "maxMicros"));
        assertThat(median(row, "meanMicros")).isPositive().isLessThanOrEqualTo(median(row, "maxMicros"));
        assertThat(median(row, "fewest")).isLessThanOrEqualTo(median(row, "most"));
        assertThat(median(row, "most")).isPositive();
        assertThat(median(row, "opsPerSecond")).isPositive();
        assertThat(median(row, "cpuMicrosPerOp")).isPositive();
        assertThat(median(row, "clientCpuMicrosPerOp")).isPositive();
        assertThat(median(row, "busy")).isPositive();
    }

    private static double median(JsonNode row, String figure) {
        return row.path(figure).path("median").asDouble(Double.NaN);
    }

    @Test
    void aJvmThatFailsEndsTheRunWithWhatItSaid(@TempDir Path home) throws IOException {
        Path launcher = Files.createDirectory(home.resolve("bin")).resolve("java");
        Files.writeString(launcher, "#!/bin/sh\necho out of order\nexit 7\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));

        Run run = Run.of("tail", "--variants=bare", "--java=" + home);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("bare: the JVM ended with 7: out of order");
    }
}
