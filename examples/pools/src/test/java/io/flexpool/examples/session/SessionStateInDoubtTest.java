// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import io.flexpool.session.SessionStates.PoolerFit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Session state after failed statements, and the isolation that only some pools restore, on a real PostgreSQL. */
@Timeout(300)
class SessionStateInDoubtTest {
    private static final Set<SessionStateOnPoolsTest.Pool> KEEP_ISOLATION = Set.of(
            SessionStateOnPoolsTest.Pool.DBCP2,
            SessionStateOnPoolsTest.Pool.TOMCAT,
            SessionStateOnPoolsTest.Pool.VIBUR,
            SessionStateOnPoolsTest.Pool.UCP);

    private static PostgresServer server;

    @BeforeAll
    static void start() throws SQLException {
        server = SessionStateOnPoolsTest.started();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static FlexPoolDataSource wrap(SessionStateOnPoolsTest.Pool pool, String action) {
        return FlexPool.wrap(pool.make(server.jdbcUrl(), server.password(), "select 1"))
                .name(pool.name())
                .set("session-state", action)
                .build();
    }

    private static SessionStates states(FlexPoolDataSource pool) {
        return pool.view(SessionStates.class).orElseThrow();
    }

    /** It was reported, and the application called unfit for a transaction pooler. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "set role no_such_role",
                "set session authorization no_such_role",
                "set statement_timeout to 'soon'",
                "set time zone 'Nowhere/Land'",
                "set work_mem to '1xx'",
                "set no_such_setting to 1",
                "set app.tenant to acme 1",
                "select set_config('app.tenant', 'acme', false), 1/0",
                "set work_mem to '3MB'; select 1/0",
                "create temp table t(a no_such_type)",
                "prepare p as select * from no_such_table",
                "select pg_advisory_lock(1/0)",
                "declare c cursor with hold for select no_such_column"
            })
    void aFailedStatementLeavesNothing(String sql) throws SQLException {
        try (FlexPoolDataSource pool = wrap(SessionStateOnPoolsTest.Pool.HIKARICP, "report")) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute(sql)).isInstanceOf(SQLException.class);
            }
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                assertThatThrownBy(statement::execute).isInstanceOf(SQLException.class);
            }
            assertThat(states(pool).left()).isEmpty();
            assertThat(states(pool).keptBeyondTransactions()).isEmpty();
            assertThat(states(pool).poolerFit()).isEqualTo(PoolerFit.FITS);
        }
    }

    /** The state is that of another statement than the one that failed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "set role tenant_role",
                "set statement_timeout to '10s'",
                "set work_mem to '3MB'",
                "set Work_Mem to '3MB'",
                "set \"work_mem\" to '3MB'",
                "set IntervalStyle to 'postgres_verbose'",
                "set app.tenant to acme",
                "select set_config('App.Tenant', 'acme', false)",
                "set time zone 'Asia/Tokyo'",
                "set search_path to pg_catalog",
                "create temp table t(a int)",
                "create temporary table \"T\" as select 1",
                "prepare \"P\" as select 1",
                "listen \"C\"",
                "select pg_advisory_lock(7)",
                "declare c cursor with hold for select 1",
                "set role tenant_role; set role tenant_role"
            })
    void whatWasSetBeforeAFailureIsLeft(String sql) throws SQLException {
        for (boolean prepared : new boolean[] {false, true}) {
            try (FlexPoolDataSource pool = wrap(SessionStateOnPoolsTest.Pool.HIKARICP, "report")) {
                try (Connection connection = pool.getConnection();
                        Statement statement = connection.createStatement();
                        PreparedStatement failing = connection.prepareStatement("select 1/0")) {
                    statement.execute(sql);
                    if (prepared) {
                        assertThatThrownBy(failing::execute).isInstanceOf(SQLException.class);
                    } else {
                        assertThatThrownBy(() -> statement.execute("set role no_such_role"))
                                .isInstanceOf(SQLException.class);
                        assertThatThrownBy(() -> statement.execute(sql + " )")).isInstanceOf(SQLException.class);
                    }
                }
                assertThat(states(pool).left()).as(sql).hasSize(1);
                assertThat(states(pool).left().get(0).statement()).doesNotContain("no_such");
            }
        }
    }

    /** A query that failed left its network timeout of 500 ms: the next borrower's statement died of it. */
    @ParameterizedTest
    @EnumSource(SessionStateOnPoolsTest.Pool.class)
    void aQueryOfTheStateThatFailsLeavesNoTimeout(SessionStateOnPoolsTest.Pool kind) throws SQLException {
        try (FlexPoolDataSource pool = wrap(kind, "report")) {
            int before;
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                before = connection.getNetworkTimeout();
                statement.execute("set statement_timeout = 1");
                assertThatThrownBy(() -> statement.execute("select pg_sleep(1)"))
                        .isInstanceOf(SQLException.class);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getNetworkTimeout()).isEqualTo(before);
            }
        }
    }

    /** It had disappeared from the answer, because the application itself had undone it before the query. */
    @ParameterizedTest
    @CsvSource({
        "select pg_advisory_lock(7), select pg_advisory_unlock(7)",
        "set role tenant_role, reset role",
    })
    void whatAFailedLeaseHasUndoneIsStillUnfitForAPooler(String set, String undone) throws SQLException {
        try (FlexPoolDataSource pool = wrap(SessionStateOnPoolsTest.Pool.HIKARICP, "report")) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(set);
                assertThatThrownBy(() -> statement.execute("select 1/0")).isInstanceOf(SQLException.class);
                statement.execute(undone);
            }
            assertThat(states(pool).left()).isEmpty();
            assertThat(states(pool).poolerFit()).isEqualTo(PoolerFit.UNFIT);
        }
    }

    /** The query did not list them, so they counted as never made, and were not reset. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "create temp table t(a int) partition by range(a)",
                "create type pg_temp.m as enum ('a')",
                "create type pg_temp.c as (a int)",
                "create domain pg_temp.d as int",
                "create function pg_temp.f() returns int language sql as 'select 1'"
            })
    void temporaryObjectsOfEachKindAreResetAfterAFailure(String sql) throws SQLException {
        try (FlexPoolDataSource pool = wrap(SessionStateOnPoolsTest.Pool.HIKARICP, "reset")) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
                assertThatThrownBy(() -> statement.execute("select 1/0")).isInstanceOf(SQLException.class);
            }
            assertThat(states(pool).left()).hasSize(1);
            assertThat(states(pool).resets()).isEqualTo(1);
        }
    }

    /** The server answers no query in a failed transaction: the isolation was not read, and not reported. */
    @Test
    void theIsolationOfAFailedTransactionIsReported() throws SQLException {
        try (FlexPoolDataSource pool = wrap(SessionStateOnPoolsTest.Pool.DBCP2, "report")) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> statement.execute("select 1/0")).isInstanceOf(SQLException.class);
            }
            assertThat(states(pool).left()).extracting(LeftState::kind).containsExactly("transaction-isolation");
        }
    }

    /** JDBC allows no rollback in auto-commit mode, and the exception of one hid the role. */
    @Test
    void aTransactionThatSqlBeganAndThatFailedHidesNothing() throws SQLException {
        try (FlexPoolDataSource pool = wrap(SessionStateOnPoolsTest.Pool.DBCP2, "report")) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("set role tenant_role");
                statement.execute("begin");
                assertThatThrownBy(() -> statement.execute("select 1/0")).isInstanceOf(SQLException.class);
            }
            assertThat(states(pool).left()).extracting(LeftState::kind).containsExactly("role");
        }
    }

    /** It is reset there, and reported only where the pool does not do so by itself. */
    @ParameterizedTest
    @EnumSource(SessionStateOnPoolsTest.Pool.class)
    void theIsolationIsNotInherited(SessionStateOnPoolsTest.Pool kind) throws SQLException {
        try (FlexPoolDataSource pool = wrap(kind, "reset")) {
            try (Connection connection = pool.getConnection()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            }
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("show transaction_isolation")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("read committed");
            }
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("select 1");
                }
                connection.rollback();
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            assertThat(states(pool).left())
                    .extracting(LeftState::kind)
                    .isEqualTo(KEEP_ISOLATION.contains(kind) ? List.of("transaction-isolation") : List.of());
            assertThat(states(pool).resets()).isEqualTo(KEEP_ISOLATION.contains(kind) ? 1 : 0);
        }
    }
}
