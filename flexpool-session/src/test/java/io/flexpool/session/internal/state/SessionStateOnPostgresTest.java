// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The server is the judge: after random statements it has what the state says, and after the reset nothing. */
class SessionStateOnPostgresTest {
    private static final List<String> STATEMENTS = List.of(
            "SET ROLE session_a",
            "SET ROLE session_b",
            "SET LOCAL ROLE session_a",
            "RESET ROLE",
            "SET ROLE NONE",
            "SELECT set_config('role', 'session_b', false)",
            "SET SESSION AUTHORIZATION session_a",
            "SET LOCAL SESSION AUTHORIZATION session_b",
            "RESET SESSION AUTHORIZATION",
            "SET work_mem = '2MB'",
            "SET LOCAL work_mem = '3MB'",
            "SET work_mem TO DEFAULT",
            "RESET work_mem",
            "SET jit = off",
            "RESET ALL",
            "SET app.a = '1'",
            "SET LOCAL app.a = '2'",
            "SET \"app\".\"b\" TO 'x'",
            "RESET app.a",
            "SELECT set_config('app.a', '3', false)",
            "SELECT set_config('app.b', '4', true)",
            "SELECT set_config('app.a', '5', false), set_config('work_mem', '2MB', true)",
            "WITH x AS (SELECT set_config('app.b', '6', false)) SELECT * FROM x",
            "SET search_path = pg_catalog, public",
            "SET SCHEMA 'public'",
            "RESET search_path",
            "SET TIME ZONE 'Europe/Berlin'",
            "SET TIME ZONE DEFAULT",
            "SET LOCAL TIME ZONE 'UTC'",
            "SET statement_timeout = '1min'",
            "SET LOCAL lock_timeout = '1min'",
            "SELECT set_config('lock_timeout', '2min', false)",
            "RESET statement_timeout",
            "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, DEFERRABLE",
            "SELECT pg_advisory_lock(1)",
            "SELECT pg_advisory_lock(2)",
            "SELECT pg_try_advisory_lock(1)",
            "SELECT pg_advisory_lock_shared(1)",
            "SELECT pg_advisory_lock(3, 4)",
            "SELECT pg_advisory_unlock(1)",
            "SELECT pg_advisory_unlock(2)",
            "SELECT pg_advisory_unlock_shared(1)",
            "SELECT pg_advisory_unlock_all()",
            "SELECT pg_advisory_xact_lock(9)",
            "CREATE TEMP TABLE t1 (id int)",
            "CREATE TEMP TABLE t2 AS SELECT 1 AS id",
            "CREATE TEMP TABLE t3 (id int) ON COMMIT DROP",
            "SELECT 1 AS id INTO TEMP t4",
            "CREATE TABLE pg_temp.t5 (id int) ON COMMIT DELETE ROWS",
            "CREATE TEMP VIEW v1 AS SELECT 1 AS id",
            "CREATE TEMP SEQUENCE s1",
            "DROP TABLE t1",
            "DROP TABLE IF EXISTS t2, t4",
            "DROP VIEW v1",
            "DISCARD TEMP",
            "LISTEN c1",
            "LISTEN \"C 2\"",
            "UNLISTEN c1",
            "UNLISTEN *",
            "PREPARE p1 AS SELECT 1",
            "PREPARE \"P 2\" (int) AS SELECT $1",
            "DEALLOCATE p1",
            "DEALLOCATE ALL",
            "DECLARE h1 CURSOR WITH HOLD FOR SELECT 1",
            "DECLARE h2 CURSOR WITH HOLD FOR SELECT 2",
            "DECLARE n1 CURSOR FOR SELECT 1",
            "CLOSE h1",
            "CLOSE ALL",
            "DISCARD ALL",
            "DISCARD PLANS",
            "SELECT 1",
            "SELECT 1/0",
            "SET work_mem = 'nonsense'",
            "SET app.a = '7'; SET work_mem = '2MB'",
            "SET app.a = '8'; SELECT 1/0",
            "SELECT pg_advisory_lock(2); SELECT 1/0",
            "BEGIN; SET app.b = '9'; COMMIT",
            "BEGIN; SET app.b = '10'; ROLLBACK",
            "SET ROLE session_a; SELECT 1; RESET ROLE");

    private static final List<String> CONTROL = List.of(
            "BEGIN",
            "START TRANSACTION",
            "COMMIT",
            "COMMIT AND CHAIN",
            "ROLLBACK",
            "ROLLBACK AND CHAIN",
            "SAVEPOINT s1",
            "SAVEPOINT s2",
            "ROLLBACK TO s1",
            "ROLLBACK TO SAVEPOINT s2",
            "RELEASE s1");

    /** Of which several in one text never fail: what had been set before a failure is not known then. */
    private static final List<String> NEVER_FAIL = STATEMENTS.stream()
            .filter(sql -> sql.matches(
                    "(RE)?SET (LOCAL )?(work_mem|app|jit|search_path|TIME|statement_timeout|lock_timeout|ALL).*"
                            + "|SELECT (set_config|pg_).*|(UN)?LISTEN .*"))
            .filter(sql -> !sql.contains("nonsense") && !sql.contains(";") && !sql.contains("role"))
            .toList();

    private static @Nullable PostgresServer server;

    private @Nullable Savepoint savepoint;

    @BeforeAll
    static void start() throws SQLException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        PostgresServer started = PostgresServer.start();
        server = started;
        try (Connection connection = started.superuser().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE session_a");
            statement.execute("CREATE ROLE session_b");
            statement.execute("GRANT ALL ON SCHEMA public TO PUBLIC");
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static PostgresSession connect() throws SQLException {
        PGSimpleDataSource source =
                (PGSimpleDataSource) java.util.Objects.requireNonNull(server).superuser();
        // DISCARD ALL would discard those of the driver.
        source.setPrepareThreshold(0);
        return new PostgresSession(source.getConnection());
    }

    private void sequence(PostgresSession session, Random random) throws SQLException {
        session.begins();
        savepoint = null;
        session.autoCommit(random.nextBoolean());
        int length = 1 + random.nextInt(14);
        for (int i = 0; i < length; i++) {
            int dice = random.nextInt(100);
            if (dice < 10) {
                session.run(script(random));
            } else if (dice < 70) {
                session.run(STATEMENTS.get(random.nextInt(STATEMENTS.size())));
            } else if (dice < 84) {
                session.run(CONTROL.get(random.nextInt(CONTROL.size())));
            } else if (dice < 88) {
                savepoint = null;
                session.autoCommit(random.nextBoolean());
            } else if (!session.autoCommit()) {
                jdbc(session, dice);
            }
        }
        if (session.autoCommit()) {
            session.run(random.nextBoolean() ? "COMMIT" : "ROLLBACK");
        } else if (random.nextBoolean()) {
            session.commit();
        } else {
            session.rollback();
        }
        session.autoCommit(true);
    }

    /** Two to four statements in one text, which the driver sends together; every third time as a transaction of their own. */
    private static String script(Random random) {
        List<String> statements = new ArrayList<>();
        for (int count = 2 + random.nextInt(3); count > 0; count--) {
            statements.add(NEVER_FAIL.get(random.nextInt(NEVER_FAIL.size())));
        }
        if (random.nextInt(3) == 0) {
            statements.add(0, "BEGIN");
            if (random.nextBoolean()) {
                statements.add(2, "SAVEPOINT s3");
                statements.add(random.nextBoolean() ? "ROLLBACK TO s3" : "RELEASE s3");
            }
            statements.add(random.nextBoolean() ? "COMMIT" : "ROLLBACK");
        }
        return String.join("; ", statements);
    }

    private void jdbc(PostgresSession session, int dice) throws SQLException {
        Savepoint set = savepoint;
        if (dice < 91) {
            session.commit();
            savepoint = null;
        } else if (dice < 94) {
            session.rollback();
            savepoint = null;
        } else if (dice < 97 || set == null) {
            savepoint = session.savepoint();
        } else {
            session.rollback(set);
        }
    }

    private void sequences(int count, long seed) throws SQLException {
        assertThat(NEVER_FAIL).hasSizeGreaterThan(30);
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        PostgresSession session = connect();
        int dirty = 0;
        for (int i = 0; i < count; i++) {
            sequence(session, random);
            Set<String> onServer = session.onServer();
            assertThat(session.left())
                    .as("sequence %d of seed %d:%n%s", i, seed, String.join("\n", session.log()))
                    .isEqualTo(onServer);
            dirty += onServer.isEmpty() ? 0 : 1;
            session.reset();
            assertThat(session.onServer())
                    .as("after the reset, sequence %d of seed %d:%n%s", i, seed, String.join("\n", session.log()))
                    .isEmpty();
        }
        System.out.println(count + " sequences, " + dirty + " of which left something");
        assertThat(dirty).isGreaterThan(count / 4);
    }

    @Test
    void theServerAgreesWithTheState() throws SQLException {
        sequences(300, System.nanoTime());
    }

    @Test
    @Tag("scenario")
    void theServerAgreesAfterTenThousandSequences() throws SQLException {
        sequences(10_000, Long.getLong("session.seed", System.nanoTime()));
    }
}
