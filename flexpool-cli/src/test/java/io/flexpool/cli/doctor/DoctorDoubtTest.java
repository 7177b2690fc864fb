// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.ProgramRun;
import io.flexpool.cli.doctor.Holdings.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Evidence that looks like another cause. The dumps are of applications with five connections of HikariCP 7.1 on PostgreSQL 18 and
 * OpenJDK 17: each was staged, so that its cause is known.
 */
class DoctorDoubtTest {
    private static final Path FILES = Path.of("src/test/resources/doctor");
    private static final String FRAME =
            "\tat org.postgresql.core.v3.ConnectionFactoryImpl.connect(ConnectionFactoryImpl.java:148)\n";

    @TempDir
    private Path folder;

    private JsonNode answer(Path... files) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("doctor", "--json", "-"));
        Arrays.stream(files).map(Path::toString).forEach(arguments::add);
        return new ObjectMapper()
                .readTree(ProgramRun.of(arguments.toArray(String[]::new)).out());
    }

    private static Path dump(String name) {
        return FILES.resolve(name + ".txt.gz");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "evidence", ".txt"), text);
    }

    private Path scrape(int active) throws IOException {
        return file("hikaricp_connections_max{pool=\"market\"} 5.0\nhikaricp_connections_active{pool=\"market\"} "
                + active + "\nhikaricp_connections_pending{pool=\"market\"} 25.0\n");
    }

    /** Each request runs a statement of 250 ms, returns its connection and calls a service for 1.5 s. */
    @Test
    void callsAfterTheConnectionWasReturnedAreNoCause() throws IOException {
        JsonNode answer = answer(dump("after-close"));
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("missing").toString()).contains("how many of these threads hold a connection");
        JsonNode known = answer(dump("after-close"), scrape(5));
        assertThat(known.path("cause").asText()).isEqualTo("demand");
    }

    /** Each request takes one connection after the other; it never has two. */
    @ParameterizedTest
    @CsvSource({"in-turn, demand", "in-turn-slow, held"})
    void aConnectionThatWasReturnedBeforeTheNextIsNotHeld(String recorded, String cause) throws IOException {
        JsonNode answer = answer(dump(recorded));
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        assertThat(answer.path("holders").toString()).doesNotContain("second connection");
        JsonNode known = answer(dump(recorded), scrape(5));
        assertThat(known.path("cause").asText()).isEqualTo(cause);
    }

    /** Twenty threads load a cache one after the other; those that run a slow statement have the connections. */
    @Test
    void threadsThatWaitToRequestAConnectionDoNotHoldOne() throws IOException {
        JsonNode answer = answer(dump("cache-lock"));
        assertThat(answer.path("cause").asText()).isEqualTo("held");
    }

    /** The method that takes the connection calls a lambda, and that calls the method again. */
    @Test
    void aTemplateThatRequestsASecondConnectionIsNested() throws IOException {
        JsonNode answer = answer(dump("lambda-nested"));
        assertThat(answer.path("cause").asText()).isEqualTo("nested");
        Iterator<String> holders = answer.path("holders").fieldNames();
        assertThat(holders.next()).startsWith("Market$Db.with(").endsWith("waits for a second connection");
    }

    /** What holds a connection for certain, what may, how many are in use, and what that shows. */
    @ParameterizedTest
    @CsvSource({
        "5,0,0,0, 0,0,0,  0, EXECUTING",
        "5,0,0,0, 9,0,0,  0, OPEN",
        "5,0,0,0, 9,0,0,  5, EXECUTING",
        "5,0,0,0, 9,0,0, 14, IDLE",
        "0,0,0,0, 9,0,0,  0, IDLE",
        "0,0,0,0, 9,0,0,  9, IDLE",
        "0,0,0,0, 9,0,0,  4, OPEN",
        "0,0,0,0, 1,0,0,  9, OPEN",
        "0,4,0,0, 0,3,0,  0, IDLE",
        "0,4,0,0, 0,9,0,  0, OPEN",
        "0,0,4,0, 0,9,0,  0, NESTED",
        "0,0,0,0, 0,9,0,  0, NESTED",
        "0,0,0,0, 0,0,3,  0, BEHIND",
        "1,0,0,3, 0,0,0,  0, BEHIND",
        "0,0,0,0, 0,0,0,  5, NONE"
    })
    void onlyWhatDoesNotDependOnOpenStacksIsACause(
            int executing,
            int idle,
            int nested,
            int behind,
            int mayIdle,
            int mayNest,
            int mayBehind,
            int active,
            Kind kind) {
        Holdings holdings = new Holdings(executing, idle, nested, behind, mayIdle, mayNest, mayBehind);
        assertThat(holdings.most(active, executing > 0, 3)).isEqualTo(kind);
    }

    /** A statement in an earlier dump shows that the pool's connections are used, and returned. */
    @Test
    void aStatementInAnEarlierDumpLeavesItOpen() {
        Holdings idle = new Holdings(0, 0, 0, 0, 9, 0, 0);
        assertThat(idle.most(0, true, 3)).isEqualTo(Kind.OPEN);
        Holdings nested = new Holdings(0, 0, 0, 0, 0, 9, 0);
        assertThat(nested.most(0, true, 3)).isEqualTo(Kind.OPEN);
        assertThat(nested.most(0, false, 1)).isEqualTo(Kind.OPEN);
    }

    @Test
    void anotherServiceThatIsDownIsNotTheDatabase() throws IOException {
        String failed = """
            2026-11-28T16:40:03.120Z ERROR 1 --- [pay-3] o.a.m.Market : payment failed
            java.net.ConnectException: Connection refused
            \tat java.net.http/jdk.internal.net.http.HttpClientImpl.send(HttpClientImpl.java:586)
            \tat org.acme.market.Market$Retry.pay(Market.java:61)
            Caused by: java.net.ConnectException: Connection refused
            \tat java.base/sun.nio.ch.Net.pollConnect(Native Method)
            \t... 6 more
            """;
        JsonNode answer = answer(file(failed.repeat(9)));
        assertThat(answer.path("cause").asText()).isEqualTo("unknown");
        String database = "2026-11-28T16:40:03.120Z ERROR 1 --- [main] o.a.m.Market : request failed\n"
                + "java.net.ConnectException: Connection refused\n" + FRAME;
        assertThat(answer(file(database.repeat(9))).path("cause").asText()).isEqualTo("connect_failure");
    }

    @Test
    void anOutageThatIsOverIsNoCause() throws IOException {
        String refused = "2026-11-28T10:00:03.120Z ERROR 1 --- [main] o.a.m.Market : request failed\n"
                + "org.postgresql.util.PSQLException: Connection to db:5432 refused. Check that the hostname and port are"
                + " correct and that the postmaster is accepting TCP/IP connections.\n" + FRAME;
        Path leaked = dump("leak");
        assertThat(answer(leaked, file(refused)).path("cause").asText()).isEqualTo("connect_failure");
        String later = "2026-11-28T16:40:03.120Z  INFO 1 --- [main] o.a.m.Market : 12 orders\n";
        assertThat(answer(leaked, file(refused + later)).path("cause").asText()).isEqualTo("unknown");
        String full =
                "2026-11-28T10:03:03.120Z ERROR 1 --- [main] o.a.m.Market : java.sql.SQLTransientConnectionException:"
                        + " market - Connection is not available, request timed out after 30001ms (total=5, active=5, idle=0,"
                        + " waiting=9)\n";
        assertThat(answer(file(refused.repeat(3) + full)).path("cause").asText())
                .isEqualTo("unknown");
    }

    /** A pool that stopped at 5 of 10 because the server refused more: each timeout's figures took its own cause away. */
    @Test
    void theCauseOfATimeoutIsNotOverBecauseOfItsFigures() throws IOException {
        String timeout = "2026-11-28T10:03:03.120Z ERROR 1 --- [main] o.a.m.Market : request failed\n"
                + "java.sql.SQLTransientConnectionException: market - Connection is not available, request timed out after"
                + " 30001ms (total=5, active=5, idle=0, waiting=9)\n"
                + "\tat com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:686)\n"
                + "Caused by: org.postgresql.util.PSQLException: FATAL: sorry, too many clients already\n";
        assertThat(answer(file(timeout.repeat(3))).path("cause").asText()).isEqualTo("server_full");
    }

    @Test
    void moreConnectionsAreNotAdvisedWhereTheServerHasNone() throws IOException {
        Path log = file("2026-11-28T16:40:03.120Z ERROR 1 --- [main] o.a.m.Market : org.postgresql.util.PSQLException:"
                + " FATAL: sorry, too many clients already\n");
        JsonNode answer = answer(dump("demand"), log);
        assertThat(answer.path("cause").asText()).isEqualTo("server_full");
    }

    @Test
    void busySessionsOfOtherApplicationsAreNoCause() throws IOException {
        Path sessions = FILES.resolve("sessions-slow.csv");
        assertThat(answer(sessions).path("cause").asText()).isEqualTo("unknown");
        assertThat(answer(dump("leak"), sessions).path("cause").asText()).isEqualTo("unknown");
        assertThat(answer(dump("http"), sessions).path("cause").asText()).isEqualTo("held_idle");
        assertThat(answer(dump("slow"), sessions).path("cause").asText()).isEqualTo("slow_database");
    }

    /** The driver's name is that of all applications which set none. */
    @Test
    void aBlockerOfAnotherHostIsNoHolder() throws IOException {
        String header = "pid,usename,application_name,client_addr,state,wait_event_type,query,blocked_by\n";
        String waits = "11,shop,PostgreSQL JDBC Driver,10.0.0.1,active,Lock,update stock,{12}\n";
        String blocks = "12,shop,PostgreSQL JDBC Driver,10.0.0.%d,idle in transaction,Client,update stock,\n";
        Path other = file(header + waits + blocks.replace("%d", "2"));
        assertThat(answer(dump("slow"), other).path("cause").asText()).isEqualTo("blocked_by_other");
        Path own = file(header + waits + blocks.replace("%d", "1"));
        assertThat(answer(dump("slow"), own).path("cause").asText()).isEqualTo("blocked_by_holder");
    }
}
