// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rarer situations on a real PostgreSQL, each with the view of the server and without it. */
@Timeout(300)
class PostgresSituationsTest extends PostgresStage {
    private void watch(boolean view) {
        if (!view) {
            pool.close();
            pool = shop(Map.of("flexpool.server-view", "off"));
        }
    }

    /** Without the view a lock is a statement that lasts: nothing else is known of it. */
    private static void assertCause(Explanation explanation, boolean view, Cause withView) {
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(view ? withView : Cause.SLOW_DATABASE);
    }

    /** A cursor that locks the rows it has read, between two of its fetches. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCursorForUpdateThatRestsBlocks(boolean view) throws Exception {
        watch(view);
        Connection billing = other();
        billing.setAutoCommit(false);
        run(billing, "declare rests cursor for select * from account order by id for update");
        run(billing, "fetch 1 from rests");
        start(CONNECTIONS, () -> use(UPDATE));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
        Explanation explanation = explained();
        assertCause(explanation, view, Cause.BLOCKED_BY_OTHER);
        if (view) {
            assertThat(evidence(explanation))
                    .contains("all 3 wait behind session " + id(billing) + " ", "idle in transaction");
        }
    }

    /** No session has its locks. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPreparedTransactionThatWasLeftBlocks(boolean view) throws Exception {
        watch(view);
        Connection manager = other();
        manager.setAutoCommit(false);
        run(manager, UPDATE);
        run(manager, "prepare transaction 'left'");
        try {
            start(CONNECTIONS, () -> use(UPDATE));
            awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
            Explanation explanation = explained();
            assertCause(explanation, view, Cause.BLOCKED_BY_OTHER);
            if (view) {
                assertThat(evidence(explanation)).contains("a prepared transaction", "see pg_prepared_xacts");
                assertThat(explanation.text()).contains("Commit or roll back the prepared transaction");
            }
        } finally {
            run(observer, "rollback prepared 'left'");
        }
    }

    /** Queries wait behind a change of the schema, which waits behind a vacuum. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChangeOfTheSchemaBehindAVacuumBlocks(boolean view) throws Exception {
        watch(view);
        run(observer, "insert into account select n, n from generate_series(1000, 60000) n");
        run(observer, "delete from account where id >= 1000");
        Connection vacuum = other();
        run(vacuum, "set vacuum_cost_delay = 100");
        run(vacuum, "set vacuum_cost_limit = 1");
        start(1, () -> run(vacuum, "vacuum account"));
        awaitSessions("query = 'vacuum account' and wait_event = 'VacuumDelay'", 1);
        Connection migration = other();
        start(1, () -> run(migration, "alter table account add column more int"));
        awaitSessions("query like 'alter%' and wait_event_type = 'Lock'", 1);
        start(CONNECTIONS, () -> use("select count(*) from account"));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS + 1);
        Explanation explanation = explained();
        assertCause(explanation, view, Cause.BLOCKED_BY_DDL);
        if (view) {
            assertThat(evidence(explanation))
                    .contains(
                            "all 3 wait behind session " + id(migration) + " ",
                            "that session waits behind session " + id(vacuum));
        }
    }

    /** Statements fail at their lock timeout and come again, so each of them waits for a moment only. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lockTimeoutsThatAreRepeatedAreALock(boolean view) throws Exception {
        watch(view);
        Connection billing = other();
        billing.setAutoCommit(false);
        run(billing, UPDATE);
        start(CONNECTIONS, () -> {
            try (Connection connection = pool.getConnection()) {
                run(connection, "set lock_timeout = '300ms'");
                while (over.getCount() > 0) {
                    try {
                        run(connection, UPDATE);
                    } catch (SQLException timeout) {
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                }
            }
        });
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
        Explanation explanation = explained();
        assertCause(explanation, view, Cause.BLOCKED_BY_OTHER);
        if (view) {
            assertThat(evidence(explanation)).contains("all 3 wait behind session " + id(billing) + " ");
        }
    }

    /** A commit that a replica must confirm, which does not exist. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommitThatWaitsForAReplicaIsNotTheServersWork(boolean view) throws Exception {
        watch(view);
        run(observer, "alter system set synchronous_standby_names = 'none_such'");
        run(observer, "select pg_reload_conf()");
        try {
            AtomicInteger rows = new AtomicInteger();
            start(
                    CONNECTIONS,
                    () -> use("set synchronous_commit = on; "
                            + UPDATE.replace("id = 1", "id = " + rows.incrementAndGet())));
            awaitSessions("wait_event = 'SyncRep'", CONNECTIONS);
            Explanation explanation = explained();
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.SLOW_DATABASE);
            if (view) {
                assertThat(explanation.text())
                        .contains("waits for IPC: SyncRep")
                        .doesNotContain("on its processors or disks");
            }
        } finally {
            run(observer, "alter system reset synchronous_standby_names");
            run(observer, "select pg_reload_conf()");
        }
    }

    private static int id(Connection connection) throws SQLException {
        return connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    }
}
