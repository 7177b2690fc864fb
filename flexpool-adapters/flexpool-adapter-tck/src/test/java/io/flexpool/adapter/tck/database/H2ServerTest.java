// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.engine.SysProperties;
import org.junit.jupiter.api.Test;

class H2ServerTest {
    /** Writes the address, in a JVM that has not used H2 before. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (H2Server server = H2Server.start()) {
                System.out.println(server + " is bound to " + SysProperties.BIND_ADDRESS);
            }
        }
    }

    @Test
    void listensOnLoopbackOnly() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(program.inputReader().lines()).anyMatch(line -> line.endsWith(" is bound to 127.0.0.1"));
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void requiresThePassword() throws SQLException {
        try (H2Server server = H2Server.start()) {
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28000"));
            assertThat(server.toString()).doesNotContain(server.password());
            assertThat(server.jdbcUrl()).doesNotContain(server.password());
        }
    }

    @Test
    void keepsPortAndDataAcrossAStop() throws SQLException {
        H2Server server = H2Server.start();
        try (server) {
            String url = server.jdbcUrl();
            try (Connection connection = server.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table kept as select 42 as answer");
                assertThat(server.sessions()).isOne();
                server.stop();
                server.stop();
                assertThatThrownBy(() -> statement.execute("select 1")).isInstanceOf(SQLException.class);
            }
            assertThat(server.sessions()).isZero();
            assertThatThrownBy(() -> server.dataSource().getConnection()).isInstanceOf(SQLException.class);
            server.startAgain();
            server.startAgain();
            assertThat(server.jdbcUrl()).isEqualTo(url);
            try (Connection connection = server.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select answer from kept")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(42);
            }
        }
        server.close();
        assertThatThrownBy(server::startAgain).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void twoServersHaveTwoDatabases() throws SQLException {
        try (H2Server one = H2Server.start();
                H2Server two = H2Server.start()) {
            try (Connection connection = one.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table mine (id int)");
            }
            try (Connection connection = two.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute("select * from mine"))
                        .isInstanceOf(SQLException.class);
            }
        }
    }
}
