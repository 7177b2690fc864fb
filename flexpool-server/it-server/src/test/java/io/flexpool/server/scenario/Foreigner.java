// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Another application on the same server. Used by one thread. */
final class Foreigner implements AutoCloseable {
    private final String application;
    private final Callable<Connection> connecting;
    private final List<Connection> connections = new ArrayList<>();
    private final long id;
    private @Nullable Thread working;

    Foreigner(String application, Callable<Connection> connecting) throws SQLException {
        this.application = application;
        this.connecting = connecting;
        connect();
        this.id = count("select pg_backend_pid()");
    }

    private void connect() throws SQLException {
        try {
            connections.add(connecting.call());
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException(e);
        }
    }

    private Connection first() {
        return connections.get(0);
    }

    /** The number of its first session. */
    long id() {
        return id;
    }

    /** Opens a transaction. */
    void begin() throws SQLException {
        first().setAutoCommit(false);
    }

    /** Runs a statement to its end. */
    void run(String text) throws SQLException {
        try (Statement statement = first().createStatement()) {
            statement.execute(text);
        }
    }

    /** Runs a statement that waits. */
    void start(String text) {
        Thread thread = new Thread(
                () -> {
                    try {
                        run(text);
                    } catch (SQLException ended) {
                        // By the end of the run.
                    }
                },
                application);
        thread.setDaemon(true);
        working = thread;
        thread.start();
    }

    /** Connects until the server refuses. */
    void takeAllSlots() throws SQLException {
        try {
            while (true) {
                connect();
            }
        } catch (SQLException full) {
            if (!"53300".equals(full.getSQLState())) {
                throw full;
            }
        }
    }

    /** The value of a query with one row and column. */
    int count(String query) throws SQLException {
        try (Statement statement = first().createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Ends its sessions; one that waits for a lock ends with those that it waits for. */
    @Override
    public void close() throws SQLException {
        for (Connection connection : connections) {
            connection.abort(Runnable::run);
        }
        Thread thread = working;
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
