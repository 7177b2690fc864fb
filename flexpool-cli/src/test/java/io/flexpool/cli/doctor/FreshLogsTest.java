// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.ProgramRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Logs alone, of an application with 8 threads and one pool of 4 connections to PostgreSQL 18: six requests with a wrong password or
 * without a server, or four leaked or long leases and further requests.
 */
class FreshLogsTest {
    private static final Path FILES = Path.of("src/test/resources/doctor/fresh");
    private static final int PART = 120;

    @TempDir
    private Path folder;

    private static JsonNode answer(Path file) throws IOException {
        return new ObjectMapper()
                .readTree(
                        ProgramRun.of("doctor", "--json", "-", file.toString()).out());
    }

    private static List<String> lines(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FILES.resolve(name + ".log.gz")))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tomcat-password, the pool, connect_failure, 6 connects failed",
        "agroal-password, the pool, connect_failure, 6 connects failed",
        "dbcp2-password, the pool, connect_failure, 6 connects failed",
        "ucp-password, Oracle UCP, connect_failure, 6 connects failed",
        "druid-password, orders-db, connect_failure, 6 of 6 failed requests found a pool without any connection",
        "dbcp2-down, the pool, connect_failure, 6 connects failed",
        "ucp-leak, Oracle UCP, unknown, 5 requests failed",
        "vibur-slow, ordersdb, unknown, 4 requests failed",
        "tomcat-slow, Tomcat JDBC, unknown, 4 requests failed",
        "druid-leak, orders-db, leak, 4 of the reported leases were not returned",
        "tomcat-leak-ecs, Tomcat JDBC, leak, 4 of the reported leases were not returned"
    })
    void theAnswerHasThePoolTheCauseAndTheCount(String name, String pool, String cause, String why) throws IOException {
        JsonNode answer = answer(FILES.resolve(name + ".log.gz"));
        assertThat(answer.path("pool").asText()).isEqualTo(pool);
        assertThat(answer.path("cause").asText()).isEqualTo(cause);
        assertThat(answer.path("evidence").toString()).contains(why);
    }

    @ParameterizedTest
    @CsvSource({"ucp-leak, 4, 4", "ucp-password, 0, 4", "vibur-slow, 4, 4", "druid-leak, 4, 4"})
    void theFiguresAreThoseOfTheLastFailedRequest(String name, int active, int max) throws IOException {
        JsonNode answer = answer(FILES.resolve(name + ".log.gz"));
        assertThat(answer.path("active").asInt()).isEqualTo(active);
        assertThat(answer.path("max").asInt()).isEqualTo(max);
    }

    /** The kubelet and Docker split lines of more than 16 KiB, for example of a JSON layout with a stack. */
    @ParameterizedTest
    @CsvSource({
        "druid-leak, cri",
        "druid-leak, docker",
        "tomcat-leak-ecs, cri",
        "tomcat-leak-ecs, docker",
        "tomcat-leak-ecs, whole"
    })
    void aSplitLineIsJoined(String name, String form) throws IOException {
        List<String> kept = new ArrayList<>();
        for (String line : lines(name)) {
            int part = form.equals("whole") ? line.length() + 1 : name.endsWith("ecs") ? 10 * PART : PART;
            for (int at = 0; at == 0 || at < line.length(); at += part) {
                boolean last = at + part >= line.length();
                String piece = line.substring(at, Math.min(line.length(), at + part));
                kept.add(
                        form.equals("cri")
                                ? "2026-11-29T03:08:01.123456789Z stdout " + (last ? "F " : "P ") + piece
                                : new ObjectMapper()
                                        .createObjectNode()
                                        .put("log", last ? piece + "\n" : piece)
                                        .put("stream", "stdout")
                                        .toString());
            }
        }
        JsonNode answer = answer(Files.write(folder.resolve("kept.log"), kept));
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(answer.path("holders")
                        .path("OrderService.leak(OrderService.java:16): reported as leaked")
                        .asInt())
                .isEqualTo(4);
    }

    /** A file of causes alone, as grep leaves it. */
    @Test
    void theSameCauseAgainIsOfAnotherTrace() throws IOException {
        Path file = Files.write(
                folder.resolve("causes.log"),
                lines("dbcp2-down").stream()
                        .filter(line -> line.startsWith("Caused by: "))
                        .toList());
        assertThat(answer(file).path("evidence").toString()).contains("6 connects failed");
    }
}
