// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import static io.flexpool.server.mysql.ScriptedServer.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What follows from a server's answers. The contract runs on a real one in the profile {@code mariadb}. */
class MySqlQueryTest {
    private static final String MYSQL = "8.4.3";
    private final SQLException noProcess = new SQLException("you need PROCESS", "42000", 1227);
    private final SQLException noSelect = new SQLException("SELECT command denied", "42000", 1142);

    private static ServerSnapshot look(ScriptedServer server, Long... asked) throws SQLException {
        return new MySqlServerViewProvider().look(server.connection(), Set.of(asked), Duration.ofMillis(200));
    }

    private static ServerSession the(ServerSnapshot snapshot, long id) {
        return snapshot.sessions().stream()
                .filter(one -> one.id() == id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theServerGivesUpBeforeTheSocket() throws Exception {
        ScriptedServer mySql = new ScriptedServer(MYSQL, text -> List.of(process(1)));
        look(mySql, 1L);
        assertThat(mySql.asked())
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith("select /*+ max_execution_time(150) */ p.id"));
        assertThat(mySql.timeouts()).containsExactly(200, 12_345);
        ScriptedServer mariaDb = new ScriptedServer("11.4.5-MariaDB", text -> List.of(process(1)));
        look(mariaDb, 1L);
        assertThat(mariaDb.asked())
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith("set statement max_statement_time = 0.150 for select"));
    }

    /** They were once joined without a space. */
    @Test
    void thePartsOfTheQueryAreApart() {
        for (Dialect dialect : Dialect.values()) {
            assertThat(dialect.processes(Detail.LOCK_WAITS, 150))
                    .containsPattern(
                            "processlist p\\s+left join \\S+innodb_trx t on t.trx_mysql_thread_id = p.id\\s+left join"
                                    + " \\S+")
                    .containsPattern("_waits w on w.requesting_\\w+ = t.trx_id\\s+left join \\S+innodb_trx b on");
        }
    }

    @Test
    void theProductIsTheServersWhicheverDriverConnects() throws Exception {
        assertThat(look(new ScriptedServer(MYSQL, text -> List.of(process(1))), 1L)
                        .product())
                .isEqualTo("MySQL");
        assertThat(look(new ScriptedServer("5.5.5-10.6.21-MariaDB-log", text -> List.of(process(1))), 1L)
                        .product())
                .isEqualTo("MariaDB");
    }

    @Test
    void aSessionWithTwoBlockersIsOneSession() throws Exception {
        ScriptedServer server = new ScriptedServer(
                MYSQL,
                text -> List.of(
                        process(1, "trx_state", "LOCK WAIT", "blocker", 2),
                        process(1, "trx_state", "LOCK WAIT", "blocker", 3),
                        process(2, "command", "Sleep", "trx_state", "RUNNING", "in_transaction", 2_000),
                        process(3, "command", "Sleep", "trx_state", "RUNNING")));
        ServerSnapshot seen = look(server, 1L);
        assertThat(the(seen, 1).blockedBy()).containsExactly(2L, 3L);
        assertThat(seen.sessions()).extracting(ServerSession::id).containsExactly(1L, 2L, 3L);
        assertThat(the(seen, 2).inTransaction()).isEqualTo(Duration.ofSeconds(2));
        assertThat(seen.notVisible()).isEmpty();
    }

    @Test
    void aUserWhoMaySeeTransactionsOnlyIsGivenThose() throws Exception {
        ScriptedServer server = new ScriptedServer(
                MYSQL,
                text -> text.contains("data_lock_waits") ? noSelect : List.of(process(1, "trx_state", "LOCK WAIT")));
        ServerSnapshot seen = look(server, 1L);
        assertThat(the(seen, 1).waitsFor()).isEqualTo(Wait.LOCK);
        assertThat(the(seen, 1).blockedBy()).isEmpty();
        assertThat(seen.notVisible())
                .containsExactly("which session waits for which row lock: grant select on"
                        + " performance_schema.data_lock_waits to flex@%");
    }

    @Test
    void aUserWithoutRightsIsGivenItsProcesses() throws Exception {
        ScriptedServer server = new ScriptedServer(
                MYSQL, text -> text.contains("innodb_trx") ? noProcess : List.of(process(1, "state", "updating")));
        ServerSnapshot seen = look(server, 1L);
        assertThat(server.asked()).hasSize(3);
        assertThat(the(seen, 1).waitsFor()).isEqualTo(Wait.OTHER);
        assertThat(seen.notVisible())
                .containsExactly(
                        "other users' sessions, open transactions and row locks: grant process on *.* to" + " flex@%");
    }

    @Test
    void anotherFailureEndsTheQuery() {
        SQLException late = new SQLException("maximum statement execution time exceeded", "HY000", 3024);
        ScriptedServer server = new ScriptedServer(MYSQL, text -> late);
        assertThatThrownBy(() -> look(server, 1L)).isSameAs(late);
        assertThat(server.asked()).hasSize(1);
        assertThat(server.timeouts()).containsExactly(200, 12_345);
    }

    @Test
    void aServerThatRefusesEverythingEndsTheQuery() {
        ScriptedServer server = new ScriptedServer(MYSQL, text -> noSelect);
        assertThatThrownBy(() -> look(server, 1L)).isSameAs(noSelect);
    }

    @Test
    void metadataLocksAreReadOnlyIfSomebodyWaitsForOne() throws Exception {
        ScriptedServer server = new ScriptedServer(MYSQL, text -> List.of(process(1, "state", "updating")));
        look(server, 1L);
        assertThat(server.asked()).hasSize(1);
    }

    private static final Map<String, Object> WAITING = process(1, "state", "Waiting for table metadata lock");

    private static Map<String, Object> lock(long session, String mode, String status) {
        return Map.of(
                "object_type",
                "TABLE",
                "object_schema",
                "shop",
                "object_name",
                "orders",
                "lock_type",
                mode,
                "lock_status",
                status,
                "processlist_id",
                session,
                "last_statement",
                "of " + session);
    }

    /** The list of sessions has no statement of one that is idle. */
    @Test
    void theLastStatementOfWhoHasAUsersLockIsRead() throws Exception {
        ScriptedServer server = new ScriptedServer(
                MYSQL,
                text -> text.contains("metadata_locks")
                        ? List.of(lock(1, "EXCLUSIVE", "PENDING"), lock(2, "EXCLUSIVE", "GRANTED"))
                        : List.of(process(1, "state", "User lock"), process(2, "command", "Sleep")));
        ServerSnapshot seen = look(server, 1L);
        assertThat(the(seen, 1).sessionLock()).isTrue();
        assertThat(the(seen, 1).blockedBy()).containsExactly(2L);
        assertThat(the(seen, 2).statement()).isEqualTo("of 2");
    }

    @Test
    void whoHasTheMetadataLockBlocks() throws Exception {
        ScriptedServer server = new ScriptedServer(
                MYSQL,
                text -> text.contains("metadata_locks")
                        ? List.of(lock(1, "SHARED_READ", "PENDING"), lock(2, "EXCLUSIVE", "GRANTED"))
                        : List.of(WAITING, process(2, "state", "altering table")));
        ServerSnapshot seen = look(server, 1L);
        assertThat(the(seen, 1).blockedBy()).containsExactly(2L);
        assertThat(the(seen, 2).schemaChange()).isTrue();
        assertThat(the(seen, 1).schemaChange()).isFalse();
        assertThat(seen.notVisible()).isEmpty();
    }

    @Test
    void metadataLocksThatAreHiddenAreSaidToBe() throws Exception {
        String hidden = "the holders of metadata locks for which sessions wait: ";
        ScriptedServer refused =
                new ScriptedServer(MYSQL, text -> text.contains("metadata_locks") ? noSelect : List.of(WAITING));
        assertThat(look(refused, 1L).notVisible())
                .containsExactly(hidden + "grant select on performance_schema.* to flex@%");
        ScriptedServer notInstrumented =
                new ScriptedServer(MYSQL, text -> text.contains("metadata_locks") ? List.of() : List.of(WAITING));
        assertThat(look(notInstrumented, 1L).notVisible())
                .containsExactly(hidden + "the instrument wait/lock/metadata/sql/mdl is off");
        ScriptedServer off = new ScriptedServer(
                MYSQL, text -> List.of(process(1, "state", "Waiting for table metadata lock", "recorded", 0)));
        assertThat(look(off, 1L).notVisible()).containsExactly(hidden + "performance_schema is off");
        assertThat(off.asked()).hasSize(1);
    }

    @Test
    void aPreparedTransactionBlocksWithoutASession() throws Exception {
        ScriptedServer server =
                new ScriptedServer(MYSQL, text -> List.of(process(1, "trx_state", "LOCK WAIT", "blocker", 0)));
        ServerSnapshot seen = look(server, 1L);
        assertThat(the(seen, 1).blockedBy()).containsExactly(0L);
        assertThat(the(seen, 0).application()).isEqualTo("a prepared transaction");
        assertThat(seen.notVisible())
                .containsExactly("the prepared transaction that blocks (it has no session; see xa recover)");
    }

    @Test
    void sessionsAreCountedByAccountTheMostNumerousFirst() throws Exception {
        ScriptedServer server = new ScriptedServer(
                MYSQL,
                text -> List.of(
                        process(1, "user", "shop"),
                        process(2, "user", "reporting"),
                        process(3, "user", "reporting"),
                        process(4, "user", "system user", "command", "Connect")));
        ServerSnapshot seen = look(server, 1L, 99L);
        assertThat(seen.sessionsByApplication().keySet()).containsExactly("reporting@127.0.0.1", "shop@127.0.0.1");
        assertThat(seen.sessionsByApplication()).containsEntry("reporting@127.0.0.1", 2);
        assertThat(seen.used()).isEqualTo(7);
        assertThat(seen.usable()).isEqualTo(151);
        assertThat(seen.reserved()).isZero();
        assertThat(seen.application()).as("none of its user").isNull();
        assertThat(seen.limit()).isNull();
        assertThat(seen.unknownSessions()).containsExactly(99L);
    }

    @Test
    void theUserStandsForTheApplicationFromHoweverManyAddresses() throws Exception {
        ScriptedServer server = new ScriptedServer(
                MYSQL,
                text -> List.of(
                        process(1, "host", "10.0.0.1:4711"),
                        process(2, "host", "10.0.0.1:4712"),
                        process(3, "host", "10.0.0.2:4711"),
                        process(4, "user", "other", "host", "10.0.0.3:4711")));
        assertThat(look(server, 1L).application()).isEqualTo(new ServerSnapshot.Application("flex", 3, 2));
    }

    @Test
    void theUsersOwnLimitIsNamedIfItIsNarrower() throws Exception {
        ScriptedServer narrow = new ScriptedServer(
                MYSQL,
                text -> List.of(
                        process(1, "user_limit", 5),
                        process(2, "user_limit", 5, "user", "other"),
                        process(3, "user_limit", 5)));
        assertThat(look(narrow, 1L).limit())
                .isEqualTo(new ServerSnapshot.Limit(ServerSnapshot.Limit.Kind.ROLE, "flex", 5, 2));
        ScriptedServer wide = new ScriptedServer(MYSQL, text -> List.of(process(1, "user_limit", 500)));
        assertThat(look(wide, 1L).limit()).isNull();
    }
}
