// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** PostgreSQL as a broker needs it: what is committed is on the disk. */
public final class DurablePostgres {
    /** The tests' server has both off. */
    private static final Map<String, String> SETTINGS =
            Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

    private DurablePostgres() {}

    /**
     * Starts a server.
     *
     * @return the server, which has been asked whether it is durable
     * @throws SQLException if it cannot be asked
     * @throws IllegalStateException if it does not start, or is not durable
     */
    public static PostgresServer start() throws SQLException {
        PostgresServer server = PostgresServer.start(SETTINGS);
        try {
            Map<String, String> found = shown(server);
            if (!found.equals(SETTINGS)) {
                throw new IllegalStateException("PostgreSQL runs with " + new TreeMap<>(found));
            }
            return server;
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static Map<String, String> shown(PostgresServer server) throws SQLException {
        Map<String, String> found = new TreeMap<>();
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String name : SETTINGS.keySet()) {
                try (ResultSet shown = statement.executeQuery("show " + name)) {
                    shown.next();
                    found.put(name, shown.getString(1));
                }
            }
        }
        return found;
    }
}
