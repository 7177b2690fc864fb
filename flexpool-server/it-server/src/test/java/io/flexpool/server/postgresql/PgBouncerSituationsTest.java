// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.database.PgBouncer;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ten situations behind a real PgBouncer, in both of its modes. Each connection has an application name of its own, by the statement
 * that the pool executes on new connections. It needs the program: docs/dev has the command.
 */
@Tag("scenario")
@Timeout(300)
class PgBouncerSituationsTest extends PostgresStage {
    /** For the pool's connections, and for flexpool's own. */
    private static final int SESSIONS = CONNECTIONS + 2;

    private static final String NAME =
            "select set_config('application_name', 'shop #' || substr(md5(random()::text), 1, 8), false)";

    @TempDir
    private Path folder;

    private @Nullable PgBouncer bouncer;

    @BeforeAll
    static void needsTheProgram() {
        assumeTrue(
                PgBouncer.program().isPresent(),
                "no pgbouncer on the PATH, and none named by -Dpgbouncer=/path/to/pgbouncer");
    }

    @Override
    void connect(HikariDataSource hikari) {
        PgBouncer between = bouncer;
        if (between == null) {
            super.connect(hikari);
        } else {
            hikari.setDataSource(between.dataSource());
            hikari.setConnectionInitSql(NAME);
        }
    }

    private void behind(String mode, Map<String, String> keys) throws Exception {
        pool.close();
        bouncer = new PgBouncer(PgBouncer.program().orElseThrow(), mode, SESSIONS, server, folder);
        pool = shop(keys);
    }

    @AfterEach
    void endPgBouncer() {
        PgBouncer between = bouncer;
        if (between != null) {
            between.close();
        }
    }

    /** The cause is there when the look at the server is: its first one may be late. */
    private Explanation explained(Cause cause) {
        Explanation[] last = new Explanation[1];
        await().atMost(Duration.ofMinutes(3)).pollDelay(Duration.ZERO).untilAsserted(() -> {
            last[0] = explainedOnce();
            assertThat(last[0].cause()).as(last[0].text()).isEqualTo(cause);
        });
        return last[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void aLeak(String mode) throws Exception {
        behind(mode, Map.of("flexpool.leak.threshold", "PT0.5S"));
        start(CONNECTIONS, this::leaks);
        explained(Cause.LEAK);
    }

    private void leaks() throws SQLException {
        Connection leaked = pool.getConnection();
        run(leaked, "select 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void idleInTransaction(String mode) throws Exception {
        behind(mode, Map.of());
        start(CONNECTIONS, this::forgets);
        awaitSessions("state = 'idle in transaction'", CONNECTIONS);
        Explanation explanation = explained(Cause.HELD_IDLE);
        assertThat(evidence(explanation))
                .contains("3 of the 3 leased connections are idle in transaction in the server");
    }

    private void forgets() throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            run(connection, "select 1");
            over.await();
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void aRowLockOfAnotherHolder(String mode) throws Exception {
        behind(mode, Map.of());
        start(1, this::charges);
        awaitSessions("state = 'idle in transaction'", 1);
        start(CONNECTIONS - 1, () -> use(UPDATE));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS - 1);
        Explanation explanation = explained(Cause.BLOCKED_BY_HOLDER);
        assertThat(evidence(explanation))
                .containsPattern("all 2 wait behind session \\d+ of this pool, .*PgBouncerSituationsTest.charges\\(");
    }

    private void charges() throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            run(connection, UPDATE);
            over.await();
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void aRowLockOfAStranger(String mode) throws Exception {
        behind(mode, Map.of());
        Connection billing = other();
        billing.setAutoCommit(false);
        run(billing, UPDATE);
        start(CONNECTIONS, () -> use(UPDATE));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
        Explanation explanation = explained(Cause.BLOCKED_BY_OTHER);
        assertThat(evidence(explanation)).contains("all 3 wait behind session " + id(billing) + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void aChangeOfTheSchema(String mode) throws Exception {
        behind(mode, Map.of());
        Connection report = other();
        report.setAutoCommit(false);
        run(report, "select count(*) from account");
        Connection migration = other();
        start(1, () -> run(migration, "alter table account add column more int"));
        awaitSessions("query like 'alter%' and wait_event_type = 'Lock'", 1);
        start(CONNECTIONS, () -> use(UPDATE));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS + 1);
        Explanation explanation = explained(Cause.BLOCKED_BY_DDL);
        assertThat(evidence(explanation))
                .contains(
                        "all 3 wait behind session " + id(migration) + " ",
                        "that session waits behind session " + id(report));
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void aSlowQuery(String mode) throws Exception {
        behind(mode, Map.of());
        start(CONNECTIONS, () -> use("select pg_sleep(600)"));
        awaitSessions("wait_event = 'PgSleep'", CONNECTIONS);
        explained(Cause.SLOW_DATABASE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void theDatabaseIsDown(String mode) throws Exception {
        behind(mode, Map.of());
        pool.getConnection().close();
        server.stop();
        try {
            await().atMost(Duration.ofMinutes(3)).pollDelay(Duration.ZERO).untilAsserted(() -> {
                // PgBouncer keeps a client's connection, and ends it when a statement finds no server.
                assertThat(catchThrowable(() -> use("select 1")))
                        .isInstanceOf(SQLException.class)
                        .hasStackTraceContaining("connecting to the database fails");
            });
        } finally {
            server.startAgain();
            observer = other();
        }
    }

    /** Other clients of PgBouncer have all its sessions: also the look at the server gets none. */
    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void noSessionOfThePoolerIsLeft(String mode) throws Exception {
        behind(mode, Map.of());
        CountDownLatch taken = new CountDownLatch(CONNECTIONS);
        CountDownLatch nothingLeft = new CountDownLatch(1);
        start(CONNECTIONS, () -> {
            try (Connection connection = pool.getConnection()) {
                run(connection, "select 1");
                taken.countDown();
                nothingLeft.await();
                run(connection, "select pg_sleep(600)");
            }
        });
        assertThat(taken.await(3, TimeUnit.MINUTES)).isTrue();
        PgBouncer between = Objects.requireNonNull(bouncer);
        int left = "session".equals(mode) ? SESSIONS - CONNECTIONS : SESSIONS;
        for (int at = 0; at < left; at++) {
            Connection greedy = between.dataSource().getConnection();
            closeLater(greedy);
            greedy.setAutoCommit(false);
            run(greedy, "select 1");
        }
        nothingLeft.countDown();
        Explanation explanation = explained(Cause.HELD);
        assertThat(evidence(explanation))
                .contains("the activity of the server is unknown: ", ", or the pooler has no session left");
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void nested(String mode) throws Exception {
        behind(mode, Map.of());
        start(CONNECTIONS, this::nests);
        await().atMost(Duration.ofMinutes(3)).until(() -> pool.openLeases().size() == CONNECTIONS);
        explained(Cause.NESTED);
    }

    private void nests() throws SQLException {
        try (Connection outer = pool.getConnection()) {
            run(outer, "select 1");
            while (over.getCount() > 0) {
                try {
                    pool.getConnection().close();
                } catch (SQLException exhausted) {
                    // Each of the other requests nests as well.
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void demand(String mode) throws Exception {
        behind(mode, Map.of());
        start(60 * CONNECTIONS, () -> {
            while (over.getCount() > 0) {
                try {
                    use("select pg_sleep(0.05)");
                } catch (SQLException inVain) {
                    // Requests again.
                }
            }
        });
        await().atMost(Duration.ofMinutes(3))
                .until(() -> pool.statistics().total().leases().count() > 50);
        explained(Cause.DEMAND);
    }

    private static int id(Connection connection) throws SQLException {
        return connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    }
}
