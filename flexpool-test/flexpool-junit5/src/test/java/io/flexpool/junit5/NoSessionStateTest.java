// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
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
        void putsBack() throws SQLException {
            try (Connection connection = Objects.requireNonNull(orders).getConnection()) {
                String before = connection.getSchema();
                connection.setSchema("ACME");
                connection.setSchema(before);
            }
        }
    }
}
