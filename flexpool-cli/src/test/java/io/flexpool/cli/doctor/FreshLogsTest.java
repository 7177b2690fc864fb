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
import org.junit.jupiter.params.provider.ValueSource;

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

    /**
     * Recorded with HikariCP 7.1.0, Tomcat JDBC 11.0.27, Druid 1.2.28 and c3p0 0.14.1 by the default layouts of Logback 1.6.6
     * ({@code lb}), Log4j 2.24.3 ({@code l2}) and java.util.logging ({@code jul}): four leaks, four statements of 9 s
     * ({@code slow}), four results read for 9 s ({@code export}), four leases without work ({@code hold}), a wrong password,
     * or the four leaks of one pool beside four statements of another ({@code two}).
     */
    @ParameterizedTest
    @CsvSource({
        "hikari-leak-l2, orders, leak, 4 of the reported leases were not returned afterwards",
        "hikari-leak-jul, orders, leak, 4 of the reported leases were not returned afterwards",
        "hikari-password-l2, orders, connect_failure, 8 connects failed",
        "hikari-password-jul, orders, connect_failure, 8 connects failed",
        "tomcat-leak-l2, Tomcat JDBC, leak, 4 of the reported leases were not returned afterwards",
        "tomcat-leak-jul, Tomcat JDBC, leak, 4 of the reported leases were not returned afterwards",
        "druid-leak-l2, the pool, unknown, 4 of the reported leases were not returned afterwards",
        "druid-leak-jul, the pool, unknown, 4 of the reported leases were not returned afterwards",
        "c3p0-leak-l2, the pool, unknown, 4 leases were reported as overdue",
        "c3p0-leak-jul, the pool, unknown, 4 leases were reported as overdue",
        "c3p0-slow-lb, the pool, unknown, 4 leases were reported as overdue"
    })
    void eachLoggerIsRead(String name, String pool, String cause, String why) throws IOException {
        theAnswerHasThePoolTheCauseAndTheCount("rec-" + name, pool, cause, why);
    }

    /** Druid closes connections that are in use, too: it was called a leak. */
    @ParameterizedTest
    @CsvSource({
        "slow, Rec.report(Rec.java:16), 4",
        "hold, Rec.copy(Rec.java:24), 4",
        "export, Rec.export(Rec.java:19), 2"
    })
    void aLongLeaseThatDruidClosesIsNoLeak(String name, String site, int used) throws IOException {
        JsonNode answer = answer(FILES.resolve("rec-druid-" + name + "-lb.log.gz"));
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("evidence").toString())
                .contains(used + " leases were in use when Druid closed the connection")
                .doesNotContain("not returned");
        assertThat(answer.path("holders")
                        .path(site + ": in use when the pool closed its connection")
                        .asInt())
                .isEqualTo(used);
    }

    /**
     * Four leaks of HikariCP 7.1.0, recorded with the JsonEncoder of Logback 1.6.6 ({@code lb}), with the JsonLayout of Log4j
     * 2.24.3, on one line and on several, and its JsonTemplateLayout for Google Cloud, and with java.util.logging in German. The
     * frames of the first three are objects, which were not read.
     */
    @ParameterizedTest
    @ValueSource(strings = {"lb-json", "l2-json", "l2-json-pretty", "l2-gcp", "jul-de"})
    void theFramesMayBeObjects(String layout) throws IOException {
        JsonNode answer = answer(FILES.resolve("sit-hikari-leak-" + layout + ".log.gz"));
        assertThat(answer.path("pool").asText()).isEqualTo("orders");
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(answer.path("holders")
                        .path("Sit.forget(Sit.java:17): reported as leaked")
                        .asInt())
                .isEqualTo(4);
    }

    /** The JsonFormatter of JBoss LogManager 3.2.1, which Quarkus uses, writes frames without files. */
    @Test
    void framesMayHaveNoFile() throws IOException {
        JsonNode answer = answer(FILES.resolve("sit-hikari-leak-jboss-json.log.gz"));
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(answer.path("holders")
                        .path("Sit.forget(line 17): reported as leaked")
                        .asInt())
                .isEqualTo(4);
    }

    /**
     * Six requests to no server, recorded with Logback's %rEx, which begins with the cause, and with the prefix of Dropwizard's
     * layout before each line: each of the wrappers was one more failed connect.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"dbcp2-down-rootfirst", "hikari-down-rootfirst", "tomcat-down-rootfirst", "dbcp2-down-dropwizard"
            })
    void theCauseMayBeTheFirst(String name) throws IOException {
        JsonNode answer = answer(FILES.resolve("sit-" + name + ".log.gz"));
        assertThat(answer.path("cause").asText()).isEqualTo("connect_failure");
        assertThat(answer.path("evidence").toString()).contains("\"6 connects failed");
    }

    /** Of two pools with failed requests the one with the last waiting request was shown, with the failures of both. */
    @Test
    void eachOfTwoExhaustedPoolsIsShown() throws IOException {
        JsonNode answer = answer(FILES.resolve("sit-hikari-two.log.gz"));
        assertThat(answer.path("pool").asText()).isEqualTo("orders, reports");
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("evidence").toString())
                .contains(
                        "orders: 2 requests failed, 4 of 4 connections in use, 4 reported as leaked and not returned",
                        "\"reports: 2 requests failed, 4 of 4 connections in use\"");
    }

    /**
     * Two pools of Tomcat JDBC 11.0.27: four leaks of one, and slow requests of another one. They were one pool with a leak. The
     * log shows two sizes, two databases of H2, or more suspect connections than one pool of HSQLDB has.
     */
    @ParameterizedTest
    @CsvSource({
        "sizes, '?the log has several pools of Tomcat JDBC, without their names, of 3, 4 connections?'",
        "urls, '?the log has several pools of Tomcat JDBC, without their names?'",
        "suspects, '?the log has several pools of Tomcat JDBC, without their names?'"
    })
    void twoPoolsWithoutNamesAreNotOne(String sign, String why) throws IOException {
        JsonNode answer = answer(FILES.resolve("sit-tomcat-two-" + sign + ".log.gz"));
        assertThat(answer.path("pool").asText()).isEqualTo("several pools of Tomcat JDBC");
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("max").asInt()).isEqualTo(-1);
        assertThat(answer.path("evidence").toString()).contains(why.replace('?', '"'));
        assertThat(answer.path("missing").toString()).contains("which pool of Tomcat JDBC has no connection free");
    }

    /** Three instances of one program have one pool each, of the same size. */
    @Test
    void replicasOfOnePoolOfTomcatHaveALeak() throws IOException {
        List<String> mixed = new ArrayList<>();
        for (String line : lines("rec-tomcat-leak-l2")) {
            for (int instance = 1; instance <= 3; instance++) {
                mixed.add("shop-" + instance + "  | " + line);
            }
        }
        JsonNode answer = answer(Files.write(folder.resolve("compose.log"), mixed));
        assertThat(answer.path("pool").asText()).isEqualTo("Tomcat JDBC");
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
    }

    /** The leaks of one pool were added to those of the exhausted one. */
    @ParameterizedTest
    @CsvSource({"hikari, reports", "druid, Druid"})
    void aLeakOfAnotherPoolExplainsNothing(String kind, String pool) throws IOException {
        JsonNode answer = answer(FILES.resolve("rec-" + kind + "-two-lb.log.gz"));
        assertThat(answer.path("pool").asText()).isEqualTo(pool);
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("holders")
                        .path("Rec.forget(Rec.java:14): reported as leaked")
                        .asInt())
                .isEqualTo(4);
    }

    /** c3p0 reports a failed connect after its last attempt, so that there are more failed requests than failed connects. */
    @Test
    void aWrongPasswordOfC3p0IsFoundOrNamedAsMissing() throws IOException {
        JsonNode answer = answer(FILES.resolve("rec-c3p0-password10-lb.log.gz"));
        assertThat(answer.path("cause").asText()).isEqualTo("connect_failure");
        JsonNode early = answer(FILES.resolve("rec-c3p0-password30-l2.log.gz"));
        assertThat(early.path("cause").asText()).isEqualTo("unknown");
        assertThat(early.path("missing").toString()).contains("whether c3p0 can connect");
    }
}
