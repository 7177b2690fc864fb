// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresServerTest {
    @BeforeAll
    static void serverCanRunHere() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
    }

    @Test
    void requiresThePasswordByScramOnLoopbackOnly() throws SQLException {
        try (PostgresServer server =
                PostgresServer.start(Map.of("max_connections", "20"), PostgresEngines.embedded())) {
            assertThat(one(server, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(one(server, "show max_connections")).isEqualTo("20");
            try (Connection superuser = server.superuser().getConnection()) {
                assertThat(one(superuser, "show unix_socket_directories")).isEmpty();
                assertThat(one(superuser, "select substr(rolpassword, 1, 14) from pg_authid where rolname = 'flex'"))
                        .isEqualTo("SCRAM-SHA-256$");
                assertThat(one(
                                superuser,
                                "select auth_method from pg_hba_file_rules where not 'postgres' = any(user_name)"))
                        .isEqualTo("scram-sha-256");
            }
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            assertThat(server.toString()).doesNotContain(server.password());
            assertThat(server.jdbcUrl()).doesNotContain(server.password());
        }
    }

    @Test
    void keepsPortAndDataAcrossAStop() throws SQLException {
        PostgresServer server = PostgresServer.start();
        try (server) {
            String url = server.jdbcUrl();
            try (Connection connection = server.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table kept as select 42 as answer");
            }
            server.stop();
            server.stop();
            assertThatThrownBy(() -> server.dataSource().getConnection())
                    .isInstanceOf(SQLException.class)
                    .hasRootCauseInstanceOf(ConnectException.class);
            server.startAgain();
            server.startAgain();
            assertThat(server.jdbcUrl()).isEqualTo(url);
            assertThat(one(server, "select answer from kept")).isEqualTo("42");
        }
        server.close();
        assertThatThrownBy(server::startAgain).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesSettingsThatItMakesItself() {
        assertThatThrownBy(() -> PostgresServer.start(Map.of("listen_addresses", "0.0.0.0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("listen_addresses");
        assertThatThrownBy(() -> PostgresServer.start(Map.of("work_mem", "1 MB; rm")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("work_mem");
    }

    private static String one(PostgresServer server, String query) throws SQLException {
        try (Connection connection = server.dataSource().getConnection()) {
            return one(connection, query);
        }
    }

    private static String one(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            String value = rows.getString(1);
            assertThat(rows.next()).isFalse();
            return value;
        }
    }
}
