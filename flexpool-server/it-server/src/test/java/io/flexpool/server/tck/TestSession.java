// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.tck;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A client of the server: a connection, and statements that wait on threads of their own. Used by one thread. Closing
 * ends what it runs, also in the server, which might not notice for minutes that the client is gone.
 */
public final class TestSession implements AutoCloseable {
    private final Connection connection;
    private final long id;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<SQLException> failures = new CopyOnWriteArrayList<>();
    private volatile @Nullable Statement running;

    /**
     * Takes the connection over.
     *
     * @param connection open, in autocommit mode
     * @param idQuery asks the server for the session's id
     * @throws SQLException if the server does not answer it
     */
    public TestSession(Connection connection, String idQuery) throws SQLException {
        this.connection = connection;
        this.id = Long.parseLong(answer(idQuery));
    }

    /** {@return the session's id, as the server said it} */
    public long id() {
        return id;
    }

    /** {@return the connection, open} */
    public Connection connection() {
        return connection;
    }

    /**
     * Opens a transaction.
     *
     * @return this session
     * @throws SQLException if that fails
     */
    public TestSession begin() throws SQLException {
        connection.setAutoCommit(false);
        return this;
    }

    /**
     * Runs statements to their end.
     *
     * @param statements one after the other
     * @return this session
     * @throws SQLException if one fails
     */
    public TestSession run(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            running = statement;
            for (String text : statements) {
                statement.execute(text);
            }
        }
        return this;
    }

    /**
     * Runs statements that wait, on a thread of their own.
     *
     * @param statements one after the other
     * @return this session
     */
    public TestSession start(String... statements) {
        Thread thread = new Thread(
                () -> {
                    try {
                        run(statements);
                    } catch (SQLException ended) {
                        failures.add(ended);
                    }
                },
                "session-" + id);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return this;
    }

    /** {@return what the statements that were started threw, so far; a session that is closed has one} */
    public List<SQLException> failures() {
        return List.copyOf(failures);
    }

    /**
     * The first column of a query's first row.
     *
     * @param query any
     * @return as text
     * @throws SQLException if it fails
     */
    public String answer(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    @Override
    public void close() throws SQLException {
        Statement last = running;
        if (last != null && threads.stream().anyMatch(Thread::isAlive)) {
            cancel(last);
        }
        connection.abort(Runnable::run);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException ended) {
            // It has come to its end meanwhile.
        }
    }
}
