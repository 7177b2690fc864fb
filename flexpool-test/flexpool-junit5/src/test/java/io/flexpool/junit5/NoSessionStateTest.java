// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Tests that leave session state, run by JUnit itself. */
class NoSessionStateTest {
    private static @Nullable FlexPoolDataSource orders;

    @AfterEach
    void close() {
        if (orders != null) {
            orders.close();
            orders = null;
        }
    }

    private static void wrap(String action) throws SQLException {
        FlexPoolDataSource pool = FlexPool.wrap(JdbcConnectionPool.create("jdbc:h2:mem:state", "", ""))
                .name("orders")
                .set("session-state", action)
                .set("call-sites.sample-every", 1)
                .build();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema if not exists acme");
        }
        orders = pool;
    }

    /** What a test throws; empty if it passes. */
    private static List<String> failures(String test) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Checked.class, test))
                .execute()
                .testEvents()
                .finished()
                .stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .map(Throwable::getMessage)
                .toList();
    }

    @Test
    void aTestThatLeavesStateFailsWithStatementAndCallSite() throws SQLException {
        wrap("report");
        assertThat(failures("leaves"))
                .singleElement()
                .asString()
                .contains("leaves() left session state on connections:\n  orders: schema by \"Connection.setSchema\" at"
                        + " NoSessionStateTest$Checked.leaves(");
        assertThat(failures("putsBack"))
                .as("not for what an earlier test has left")
                .isEmpty();
    }

    @Test
    void aTestFailsIfNothingIsFollowed() throws SQLException {
        wrap("off");
        assertThat(failures("putsBack"))
                .singleElement()
                .asString()
                .contains("no open pool has flexpool-session active");
    }

    /** A test passed with a statement that nobody had judged. */
    @Test
    void aStatementOfUnknownEffectIsAReportEntryOfItsTest() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        try (PostgresServer server = PostgresServer.start()) {
            orders = FlexPool.wrap(server.dataSource())
                    .name("orders")
                    .set("session-state", "report")
                    .build();
            assertThat(failures("runsABlock")).isEmpty();
            assertThat(entries("runsABlock"))
                    .singleElement()
                    .asString()
                    .contains("effect on session state = 'orders: unknown by \"do ?\" at NoSessionStateTest$Checked.");
            assertThat(entries("commits")).isEmpty();
        }
    }

    private static List<ReportEntry> entries(String test) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Checked.class, test))
                .execute()
                .testEvents()
                .reportingEntryPublished()
                .stream()
                .map(event -> event.getRequiredPayload(ReportEntry.class))
                .toList();
    }

    /** Not run by itself: its tests need a pool. */
    @NoSessionState
    static class Checked {
        @Test
        void leaves() throws SQLException {
            try (Connection connection = Objects.requireNonNull(orders).getConnection()) {
                connection.setSchema("ACME");
            }
        }

        @Test
        void runsABlock() throws SQLException {
            executes("do $$ begin perform set_config('acme.tenant', '1', false); end $$");
        }

        @Test
        void commits() throws SQLException {
            executes("select 1");
        }

        private static void executes(String sql) throws SQLException {
            try (Connection connection = Objects.requireNonNull(orders).getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        @Test
        void putsBack() throws SQLException {
            try (Connection connection = Objects.requireNonNull(orders).getConnection()) {
                String before = connection.getSchema();
                connection.setSchema("ACME");
                connection.setSchema(before);
            }
        }
    }
}
