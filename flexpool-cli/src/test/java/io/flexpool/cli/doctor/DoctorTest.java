// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.MethodTrace;
import io.flexpool.cli.ProgramRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is found in recorded files. The dumps are of {@code StagedShop} on OpenJDK 17 ({@code .txt}) and 25 ({@code .json}, {@code
 * .plain}), and of a Spring application; the sessions are of PostgreSQL 18. DoctorScenarioTest takes them again.
 */
class DoctorTest {
    private static final Path FILES = Path.of("src/test/resources/doctor");

    @TempDir
    private Path folder;

    private static String text(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FILES.resolve(name)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode answer(String... files) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("doctor"));
        for (String file : files) {
            arguments.add(file.startsWith("/") ? file : FILES.resolve(file).toString());
        }
        arguments.addAll(List.of("--json", "-"));
        return new ObjectMapper()
                .readTree(ProgramRun.of(arguments.toArray(String[]::new)).out());
    }

    private static Set<String> holders(JsonNode answer) {
        Set<String> holders = new TreeSet<>();
        answer.path("holders").fieldNames().forEachRemaining(holders::add);
        return holders;
    }

    @ParameterizedTest
    @CsvSource({
        "sleep,     held_idle,       StagedShop.pack,    may hold a connection while sleeping",
        "http,      held_idle,       StagedShop.pay,     may hold a connection during an HTTP call",
        "nested,    nested,          StagedShop.inner,   waits for a second connection",
        "slow,      held,            StagedShop.execute, runs a statement",
        "lock,      held,            StagedShop.reserve, runs a statement",
        "demand,    demand,          StagedShop.execute, runs a statement",
        "inversion, lock_inversion,  StagedShop.update,  may hold a connection while waiting for a lock"
    })
    void threadDumpsOfEachFormShowTheCauseAndTheHolders(String situation, String cause, String site, String what)
            throws IOException {
        List<String[]> forms = new ArrayList<>(List.of(
                new String[] {situation + ".txt.gz"},
                new String[] {situation + "-2.json.gz", situation + "-3.json.gz"}));
        if (Files.exists(FILES.resolve(situation + "-2.plain.gz"))) {
            forms.add(new String[] {situation + "-2.plain.gz", situation + "-3.plain.gz"});
        }
        for (String[] form : forms) {
            JsonNode answer = answer(form);
            assertThat(answer.path("cause").asText()).as("%s", (Object) form).isEqualTo(cause);
            assertThat(holders(answer))
                    .isNotEmpty()
                    .allMatch(holder -> holder.startsWith(site + "(StagedShop.java:") && holder.endsWith(what));
            assertThat(answer.path("waiting").asInt())
                    .isEqualTo(situation.equals("nested") ? 32 : situation.equals("inversion") ? 1 : 28);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "spring-sleep,  held_idle, in a transaction while sleeping",
        "spring-nested, nested,    waits for a second connection",
        "spring-slow,   held,      runs a statement"
    })
    void transactionsOfSpringHoldTheirConnections(String recorded, String cause, String what) throws IOException {
        JsonNode answer = answer(recorded + ".txt.gz");
        assertThat(answer.path("cause").asText()).isEqualTo(cause);
        assertThat(holders(answer))
                .singleElement()
                .asString()
                .startsWith("SpringShop$Orders.place(SpringShop.java:")
                .endsWith(what);
    }

    /** Its frames are in another package than those of the pool that it uses. */
    @Test
    void aMethodThatRequestsFromCommonsDbcpMayHoldAConnection() throws IOException {
        JsonNode answer = answer("dbcp2.txt.gz");
        assertThat(answer.path("pool").asText()).isEqualTo("Commons DBCP 2");
        assertThat(answer.path("cause").asText()).isEqualTo("held_idle");
        assertThat(holders(answer)).singleElement().asString().endsWith("may hold a connection while sleeping");
    }

    @ParameterizedTest
    @ValueSource(strings = {"actuator.json.gz", "actuator.txt.gz"})
    void bothFormsOfSpringsActuatorAreRead(String file) throws IOException {
        JsonNode answer = answer(file);
        assertThat(answer.path("cause").asText()).isEqualTo("held_idle");
        assertThat(answer.path("waiting").asInt()).isEqualTo(12);
    }

    @Test
    void aLeakNeedsTheLog() throws IOException {
        JsonNode answer = answer("leak.txt.gz", "leak.log.gz");
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(answer.path("pool").asText()).isEqualTo("orders");
        assertThat(holders(answer)).singleElement().asString().startsWith("StagedShop.forget(StagedShop.java:");
        JsonNode without = answer("leak.txt.gz");
        assertThat(without.path("cause").asText()).isEqualTo("unknown");
        assertThat(without.path("missing").toString()).contains("leak-detection-threshold");
        assertThat(ProgramRun.of("doctor", FILES.resolve("leak.txt.gz").toString())
                        .code())
                .isEqualTo(4);
    }

    /** Three of 32 requests have just failed: their threads log that, still below getConnection. They hold nothing. */
    @Test
    void aThreadWhoseRequestFailsHoldsNothing() throws IOException {
        JsonNode answer = answer("requesting.txt.gz", "leak.log.gz");
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(answer.path("waiting").asInt()).isEqualTo(29);
        assertThat(holders(answer)).singleElement().asString().startsWith("StagedShop.forget(StagedShop.java:");
    }

    @Test
    void aDatabaseThatIsDownIsNoExhaustion() throws IOException {
        JsonNode answer = answer("down.log.gz");
        assertThat(answer.path("cause").asText()).isEqualTo("connect_failure");
        assertThat(answer.path("max").asInt()).as("it was unknown, and 0").isEqualTo(-1);
        assertThat(answer("down.txt.gz", "down.log.gz").path("cause").asText()).isEqualTo("connect_failure");
    }

    @ParameterizedTest
    @CsvSource({
        "other,  blocked_by_other,  application nightly-export",
        "holder, blocked_by_holder, application shop",
        "slow,   slow_database,     ''"
    })
    void sessionsOfTheServerTellLocksFromWork(String sessions, String cause, String blocker) throws IOException {
        JsonNode answer = answer("slow.txt.gz", "sessions-" + sessions + ".csv");
        assertThat(answer.path("cause").asText()).isEqualTo(cause);
        assertThat(answer.path("server").toString()).contains(blocker);
        assertThat(answer("sessions-" + sessions + ".csv", "slow.txt.gz")).isEqualTo(answer);
    }

    /** As psql prints them after \\x, and as json_agg and row_to_json write them, one with a query of two lines. */
    @ParameterizedTest
    @ValueSource(strings = {"expanded.txt", "array.json", "objects.json"})
    void sessionsOfOtherFormsAreRead(String name) throws IOException {
        String file = "sessions-" + name;
        JsonNode answer = answer("slow.txt.gz", file);
        assertThat(answer.path("problems")).isEmpty();
        assertThat(answer.path("cause").asText()).isEqualTo("blocked_by_other");
        assertThat(answer.path("server").toString())
                .contains("pid 4720, idle in transaction, application nightly-export");
        String text = Files.readString(FILES.resolve(file));
        Path cut = Files.writeString(folder.resolve("cut"), text.substring(0, text.length() - 180));
        JsonNode rest = answer("slow.txt.gz", cut.toString());
        assertThat(rest.path("cause").asText()).isEqualTo("blocked");
        assertThat(rest.path("problems").toString()).contains("ends early, after 1 sessions");
        Path windows = Files.writeString(folder.resolve("windows"), "\ufeff" + text.replace("\n", "\r\n"));
        assertThat(answer("slow.txt.gz", windows.toString())).isEqualTo(answer);
    }

    @Test
    void theColumnsMayBeInAnyOrder() throws IOException {
        List<String> columns = List.of("state", "blocked_by", "pid", "wait_event_type", "application_name");
        String text = Files.readString(FILES.resolve("sessions-other.csv"));
        List<String> header =
                Arrays.asList(text.lines().findFirst().orElseThrow().split(",", -1));
        String other = text.lines()
                .filter(line -> line.split(",", -1).length == header.size())
                .map(line -> columns.stream()
                        .map(column -> line.split(",", -1)[header.indexOf(column)])
                        .collect(Collectors.joining(",")))
                .collect(Collectors.joining("\r\n", "\ufeff", "\r\n"));
        Path file = Files.writeString(folder.resolve("x"), other);
        assertThat(answer(file.toString()).path("cause").asText()).isEqualTo("blocked_by_other");
    }

    /** HikariCP's metrics by Micrometer 1.17, and OpenTelemetry's by its Java agent 2.33.1. */
    @ParameterizedTest
    @ValueSource(strings = {"scrape-micrometer.txt", "scrape-agent.txt"})
    void aScrapeHasThePoolsNameAndFigures(String scrape) throws IOException {
        JsonNode answer = answer("demand.txt.gz", scrape);
        assertThat(answer.path("pool").asText()).isEqualTo("orders");
        assertThat(answer.path("max").asInt()).isEqualTo(4);
        assertThat(answer.path("active").asInt()).isEqualTo(4);
        assertThat(answer.path("cause").asText()).isEqualTo("demand");
        assertThat(answer(scrape).path("waiting").asInt()).isEqualTo(3);
    }

    /**
     * Four connections in use and three requests that wait, recorded of HikariCP 7.1 by its trackers of Prometheus (simpleclient 0.16)
     * and Micrometer 1.17, of Spring Boot 4.1.1's data sources, of Quarkus 3.33's metrics of Agroal 3.2, and of the agent of
     * OpenTelemetry 2.33 with its old names and its new ones. Agroal has no metric of its max size, Boot none of waits.
     */
    @ParameterizedTest
    @CsvSource({
        "hikari-prometheus,             orders,     4,  3",
        "hikari-prometheus-openmetrics, orders,     4,  3",
        "hikari-histogram,              orders,     4,  3",
        "hikari-micrometer-openmetrics, orders,     4,  3",
        "boot-hikari,                   orders,     4,  3",
        "boot-tomcat,                   dataSource, 4, -1",
        "boot-dbcp2,                    dataSource, 4, -1",
        "quarkus-agroal,                default,   -1,  3",
        "otel-hikari-old,               orders,     4,  3",
        "otel-tomcat-old,               orders,     4,  3",
        "otel-dbcp2-new,                orders,     4, -1",
        "otel-druid-new,                orders,     4,  3",
        "otel-c3p0-new,                 orders,    -1,  3",
        "otel-ucp-old,                  orders,     4,  3"
    })
    void theMetricsOfEachPoolAreKnown(String scrape, String pool, int max, int waiting) throws IOException {
        JsonNode answer = answer("scrapes/" + scrape + ".txt.gz");
        assertThat(answer.path("problems")).isEmpty();
        assertThat(answer.path("pool").asText()).isEqualTo(pool);
        assertThat(answer.path("max").asInt()).isEqualTo(max);
        assertThat(answer.path("active").asInt()).isEqualTo(4);
        assertThat(answer.path("waiting").asInt()).isEqualTo(waiting);
    }

    /** The texts are those of PostgreSQL's catalogs; a JVM has the system's word for a refused connection. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server_full     | org.postgresql.util.PSQLException: FATAL: tut mir leid, schon zu viele Verbindungen",
                "server_full     | org.postgresql.util.PSQLException: FATAL: désolé, trop de clients sont déjà connectés",
                "server_full     | org.postgresql.util.PSQLException: FATAL: 現在クライアント数が多すぎます",
                "server_full     | org.postgresql.util.PSQLException: ВАЖНО: извините, уже слишком много клиентов",
                "connect_failure | Caused by: java.net.ConnectException: Verbindungsaufbau abgelehnt",
                "connect_failure | org.postgresql.util.PSQLException: FATAL: データベースシステムは起動処理中です",
                "connect_failure | org.postgresql.util.PSQLException: Der Verbindungsversuch schlug fehl.",
                "server_full     | java.sql.SQLNonTransientConnectionException: (conn=-1) Zu viele Verbindungen",
                "server_full     | Caused by: java.sql.SQLException: Trop de connexions",
                "server_full     | java.sql.SQLException: 太多连接"
            })
    void anOutageIsKnownInOtherLanguages(String cause, String line) throws IOException {
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16)) {
            Path log = Files.writeString(
                    folder.resolve("app.log"),
                    "28.11.2026 14:03:11,123 FEHLER [main] shop\n" + line + "\n"
                            + "\tat org.postgresql.core.PGStream.createSocket(PGStream.java:261)\n",
                    charset);
            assertThat(answer(log.toString()).path("cause").asText()).isEqualTo(cause);
        }
    }

    /** A log may have the message of a failed connect without its causes. */
    @ParameterizedTest
    @ValueSource(
            strings = {"bg", "cs", "de", "es", "fr", "it", "ja", "ko", "pl", "pt-BR", "ru", "sr", "tr", "zh-CN", "zh-TW"
            })
    void theDriversOwnMessagesAreKnownInItsLanguages(String language) {
        ResourceBundle driver =
                ResourceBundle.getBundle("org.postgresql.translation.messages", Locale.forLanguageTag(language));
        int translated = 0;
        for (String message : List.of(
                "The connection attempt failed.",
                "Connection to {0} refused. Check that the hostname and port are correct and that the postmaster is accepting"
                        + " TCP/IP connections.")) {
            String text = driver.containsKey(message) ? (String) driver.getObject(message) : null;
            if (text != null) {
                PoolLog log = new PoolLog();
                log.line("2026-11-28 14:03:11,123 ERROR [main] shop - org.postgresql.util.PSQLException: "
                        + text.replace("{0}", "db:5432"));
                assertThat(log.unreachable()).as(text).isEqualTo(1);
                PoolLog ofAnother = new PoolLog();
                ofAnother.line("2026-11-28 14:03:11,123 ERROR [main] shop - mail: " + text.replace("{0}", "mail:25"));
                assertThat(ofAnother.unreachable()).as(text).isZero();
                translated++;
            }
        }
        assertThat(translated).isPositive();
    }

    /** Before 5.1 the message of a timeout has the pool's name, and no figures. */
    @ParameterizedTest
    @ValueSource(strings = {"2.7.9", "4.0.3", "5.0.1"})
    void thePoolOfATimeoutWithoutFiguresIsNamed(String version) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("src/test/resources/hikaricp/" + version + ".log")).stream()
                .filter(line -> !line.contains(" stats (") && !line.contains("Reporting"))
                .toList();
        Path log = Files.write(folder.resolve("app.log"), lines);
        JsonNode answer = answer(log.toString());
        assertThat(answer.path("pool").asText()).isEqualTo("orders");
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("evidence").toString()).contains("3 requests failed: no connection was free");
    }

    /** Its text became the name of a second pool, and the figures of the first were lost. */
    @ParameterizedTest
    @ValueSource(strings = {"Unable to acquire JDBC Connection [", "error='", "request failed ("})
    void aFrameworksTextBeforeTheNameIsNoSecondPool(String text) {
        Evidence evidence = new Evidence();
        evidence.log()
                .line(
                        "2026-11-28 14:03:11,123 DEBUG [main] com.zaxxer.hikari.pool.HikariPool - orders - Timeout failure "
                                + "stats (total=10, active=10, idle=0, waiting=3)");
        evidence.log()
                .line("2026-11-28 14:03:11,124 ERROR [main] shop - " + text
                        + "orders - Connection is not available, request timed out after 30000ms.");
        assertThat(evidence.log().figures()).containsOnlyKeys("orders");
    }

    /** Of two pools it is the one for which requests wait. */
    @Test
    void ofTwoPoolsTheExhaustedOneIsMeant() throws IOException {
        Path idle = Files.writeString(folder.resolve("idle.txt"), """
            hikaricp_connections_max{pool="reports"} 9.0
            hikaricp_connections_active{pool="reports"} 1.0
            hikaricp_connections_pending{pool="reports"} 0.0
            """);
        JsonNode answer = answer("scrapes/hikari-prometheus.txt.gz", idle.toString());
        assertThat(answer.path("pool").asText()).isEqualTo("orders");
        assertThat(answer.path("max").asInt()).isEqualTo(4);
    }

    /** Of DBCP 2.14, Tomcat JDBC 11, Druid 1.2, c3p0 0.14, Vibur 26, UCP and Agroal: one request each, written by Logback. */
    @Test
    void theTimeoutsOfOtherPoolsAreCounted() throws IOException {
        Evidence evidence = new Evidence();
        Files.readAllLines(FILES.resolve("timeouts.log")).forEach(evidence.log()::line);
        assertThat(evidence.log().timeouts()).isEqualTo(7);
        assertThat(evidence.log().figures()).containsExactly(Map.entry("p1", new PoolFigures(1, 1, -1)));
        assertThat(evidence.log().unnamed())
                .containsEntry("Tomcat JDBC", new PoolFigures(1, 1, -1))
                .containsEntry("Druid", new PoolFigures(1, 1, -1))
                .containsEntry("Agroal", PoolFigures.NONE)
                .hasSize(6);
    }

    @Test
    void anOutageInALogIsNoCauseWhereThreadsHoldConnections() throws IOException {
        Path log = Files.writeString(
                folder.resolve("app.log"),
                "Caused by: org.h2.jdbc.JdbcSQLNonTransientConnectionException: Connection is broken:"
                        + " \"java.net.ConnectException: Connection refused: 127.0.0.1:1\" [90067-240]\n");
        assertThat(answer(log.toString()).path("cause").asText()).isEqualTo("connect_failure");
        assertThat(answer("http.txt.gz", log.toString()).path("cause").asText()).isEqualTo("held_idle");
    }

    /** The figures of logs are of real versions. */
    @ParameterizedTest
    @ValueSource(strings = {"2.4.7", "2.7.9", "4.0.3", "5.0.1", "5.1.0", "6.3.3", "7.1.0"})
    void failedRequestsOfEachVersionOfHikariAreCounted(String version) throws IOException {
        Evidence evidence = new Evidence();
        try (InputStream in = Files.newInputStream(Path.of("src/test/resources/hikaricp/" + version + ".log"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(evidence.log()::line);
        }
        assertThat(evidence.log().timeouts()).isPositive();
        assertThat(evidence.log().figures().keySet()).contains("orders");
        assertThat(evidence.log().figures().values()).allMatch(figures -> figures.active() >= 0);
    }

    @Test
    void oneDumpDoesNotTellASlowStatementFromDemand() throws IOException {
        JsonNode answer = answer("slow-2.json.gz");
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("missing").toString()).contains("two more dumps");
    }

    /** Each lease of the program lasts 15 ms; OpenJDK 25 recorded. */
    @Test
    void aMethodTraceHasEachWaitAndEachLease() throws IOException {
        Path recording = folder.resolve("recording.jfr");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FILES.resolve("method-trace.jfr.gz")))) {
            Files.copy(in, recording);
        }
        LeaseTimes times = LeaseTimes.of(MethodTrace.read(recording));
        assertThat(times.waits()).hasSizeGreaterThan(100);
        assertThat(times.sites()).singleElement().satisfies(site -> {
            assertThat(site.name()).isEqualTo("StagedShop.execute(line 94)");
            assertThat(site.open()).hasSizeLessThanOrEqualTo(4);
            assertThat(site.ended().size() + site.open().size())
                    .isEqualTo(times.waits().size());
            List<Duration> sorted = site.ended().stream().sorted().toList();
            assertThat(sorted.get(sorted.size() / 2)).isBetween(Duration.ofMillis(15), Duration.ofMillis(17));
        });
        JsonNode answer = answer("demand.txt.gz", recording.toString());
        assertThat(answer.path("cause").asText()).isEqualTo("demand");
        assertThat(answer.path("measured").path(1).asText()).contains("leases of 15 ms (median)");
        Path plain = folder.resolve("plain.jfr");
        try (InputStream in =
                new GZIPInputStream(Files.newInputStream(Path.of("src/test/resources/jfr/tomcat.jfr.gz")))) {
            Files.copy(in, plain);
        }
        assertThat(ProgramRun.of("doctor", plain.toString()).err()).contains("without a method trace");
    }

    /** A long trace of leases of microseconds would slow the application down. */
    @Test
    void aTraceWithManyEventsEndsEarlyAndSaysSo() throws IOException {
        Path recording = folder.resolve("recording.jfr");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FILES.resolve("method-trace.jfr.gz")))) {
            Files.copy(in, recording);
        }
        assertThat(MethodTrace.hasMore(recording, 100)).isTrue();
        assertThat(MethodTrace.hasMore(recording, 100_000)).isFalse();
        LeaseTimes times = LeaseTimes.of(MethodTrace.read(recording));
        assertThat(times.lines(4)).noneMatch(line -> line.contains("ended early"));
        assertThat(times.endedBy("reason").lines(4)).endsWith("the trace ended early: reason");
    }

    @Test
    void otherFormsOfOneFileGiveTheSameAnswer() throws IOException {
        JsonNode expected = answer("http.txt.gz");
        String dump = text("http.txt.gz");
        Path windows = Files.writeString(folder.resolve("a"), dump.replace("\n", "\r\n"));
        Path wide = Files.writeString(folder.resolve("b"), "\ufeff" + dump, StandardCharsets.UTF_16LE);
        Path inLog = Files.writeString(folder.resolve("c"), "2026-11-27 INFO started\n".repeat(3_000) + dump);
        for (Path each : List.of(windows, wide, inLog)) {
            assertThat(answer(each.toString())).as("%s", each).isEqualTo(expected);
        }
    }

    @Test
    void aDumpThatEndsEarlyIsReadAsFarAsItGoes() throws IOException {
        String dump = text("http.txt.gz");
        for (int end = dump.length() / 7; end < dump.length(); end += dump.length() / 7) {
            Path cut = Files.writeString(folder.resolve("cut"), dump.substring(0, end));
            assertThat(answer(cut.toString()).path("cause").asText()).isIn("held_idle", "unknown");
        }
        String json = text("http-2.json.gz");
        Path cut = Files.writeString(folder.resolve("cut.json"), json.substring(0, json.length() / 2));
        ProgramRun run = ProgramRun.of("doctor", cut.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("cut.json: ends early, after ");
    }

    @Test
    void whatCannotBeUsedIsNamed() throws IOException {
        Path other = Files.writeString(folder.resolve("other.bin"), "nothing of a pool\n");
        ProgramRun run = ProgramRun.of(
                "doctor", other.toString(), FILES.resolve("sleep.txt.gz").toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("other.bin: has no thread dump, no sessions, no metrics and no log line of a pool");
        assertThat(run.out()).contains("connections held without a running statement");
        assertThat(ProgramRun.of("doctor", folder.resolve("none").toString()).err())
                .contains("none: no such file");
        assertThat(ProgramRun.of("doctor", "2147483647").err())
                .contains("process 2147483647: no such process is visible to this user; if it runs in a container,"
                        + " run flexpool there: docker exec or kubectl exec");
        assertThat(ProgramRun.of("doctor", "1", "--seconds", "0").err())
                .contains("--seconds = 0: must be from 1 to 600");
    }

    @Test
    void theAnswerHasTheFormOfAnExplanation() {
        ProgramRun run = ProgramRun.of(
                "doctor",
                FILES.resolve("slow.txt.gz").toString(),
                FILES.resolve("sessions-other.csv").toString());
        assertThat(run.out()).isEqualTo("""
            HikariCP: 28 requests wait: holders wait for a lock of another session
              cause    4 threads run a statement
                       4 of 4 run the same statement in all 3 dumps
                       4 sessions of the server wait for locks
              holders  4 x StagedShop.execute(StagedShop.java:96): runs a statement
              server   4 active, 4 of them wait for locks, 1 idle in transaction
                       first blocker: pid 30900, idle in transaction, application nightly-export
              advice   A larger pool would not help. To free the lock now, end the session that blocks the others; in the code, shorten its transaction.
            """);
        assertThat(run.code()).isZero();
    }
}
