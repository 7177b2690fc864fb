// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.adapter.tck.database.H2Server;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A server for the fault contract, with a driver that has timeouts.
 *
 * @param port the server's port on 127.0.0.1
 * @param dataSourceTo creates the driver's data source for a port: the server's or a proxy's
 * @param sessions queries the server for the number of sessions of pools; fails while it is stopped
 * @param stop stops the server, even with open connections
 * @param startAgain starts the server on the same port with the same data
 * @param close ends the server permanently
 */
public record FaultDatabase(
        int port,
        IntFunction<DataSource> dataSourceTo,
        Callable<Integer> sessions,
        Runnable stop,
        Runnable startAgain,
        Runnable close) {
    private static final String COUNTING = "counting";

    /** PostgreSQL. The driver's timeouts are one second for a connect and a read, two for a login. */
    public static FaultDatabase postgres(PostgresServer server) {
        return new FaultDatabase(
                server.port(),
                port -> driver(server, port),
                () -> sessions(server),
                server::stop,
                server::startAgain,
                server::close);
    }

    /** H2 over TCP. The driver's read timeout is one second; its connect timeout, one or two seconds, cannot be set. */
    public static FaultDatabase h2(H2Server server) {
        return new FaultDatabase(
                server.port(),
                port -> {
                    JdbcDataSource source = new JdbcDataSource();
                    source.setURL(server.jdbcUrl(port) + ";NETWORK_TIMEOUT=1000");
                    source.setUser(server.user());
                    source.setPassword(server.password());
                    return source;
                },
                server::sessions,
                server::stop,
                server::startAgain,
                server::close);
    }

    private static PGSimpleDataSource driver(PostgresServer server, int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(server.user());
        source.setUser(server.user());
        source.setPassword(server.password());
        source.setConnectTimeout(1);
        source.setSocketTimeout(1);
        source.setLoginTimeout(2);
        return source;
    }

    /** Excludes the counting sessions, because the previous one may not have ended yet. */
    private static int sessions(PostgresServer server) throws SQLException {
        PGSimpleDataSource source = driver(server, server.port());
        source.setApplicationName(COUNTING);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from pg_stat_activity where usename = '"
                        + server.user() + "' and application_name <> '" + COUNTING + "'")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
