// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;

/** H2 in memory behind its TCP server: for machines on which PostgreSQL cannot start. */
final class H2Database implements DemoDatabase {
    private static final String USER = "flex";

    private final String password = randomPassword();
    private final Connection keepsDataAlive;
    private Server server;

    H2Database() throws SQLException {
        // Opened past the server, so that the data outlives a stop of the server.
        this.keepsDataAlive = DriverManager.getConnection("jdbc:h2:mem:flex", USER, password);
        try (Statement statement = keepsDataAlive.createStatement()) {
            statement.execute("create alias slow for 'java.lang.Thread.sleep(long)'");
        }
        this.server = Server.createTcpServer("-tcpPort", "0").start();
    }

    @Override
    public String description() {
        return "H2 in memory, over TCP: " + jdbcUrl();
    }

    @Override
    public String jdbcUrl() {
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:flex";
    }

    @Override
    public String user() {
        return USER;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public DataSource unpooled() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(jdbcUrl());
        source.setUser(USER);
        source.setPassword(password);
        return source;
    }

    @Override
    public String slowQuery(int millis) {
        return "call slow(" + millis + ")";
    }

    @Override
    public boolean hasServerView() {
        return false;
    }

    @Override
    public int sessions() throws SQLException {
        try (Statement statement = keepsDataAlive.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select count(*) from information_schema.sessions where session_id <> session_id()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Override
    public void stop() {
        server.stop();
    }

    @Override
    public void startAgain() throws SQLException {
        server = Server.createTcpServer("-tcpPort", String.valueOf(server.getPort()))
                .start();
    }

    @Override
    public void close() throws SQLException {
        server.stop();
        keepsDataAlive.close();
    }

    private static String randomPassword() {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
