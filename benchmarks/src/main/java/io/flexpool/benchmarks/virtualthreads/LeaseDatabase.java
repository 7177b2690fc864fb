// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.StubDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** What the pools connect to, and what a thread does with its connection. */
public enum LeaseDatabase {
    /** A driver that does nothing: the thread sleeps with its connection. */
    STUB {
        @Override
        Running start() {
            return new Running(new StubDatabase().dataSource(), (connection, micros) -> sleep(micros), () -> {});
        }
    },
    /** A real PostgreSQL over TCP, authenticating by SCRAM, in which the session sleeps. */
    POSTGRES {
        @Override
        Running start() {
            PostgresServer server = PostgresServer.start();
            return new Running(server.dataSource(), LeaseDatabase::sleepThere, server::close);
        }

        @Override
        Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    };

    private static final double MICROS_PER_SECOND = 1e6;

    abstract Running start();

    /** Why it cannot run on this machine; empty where it can. */
    Optional<String> unavailable() {
        return Optional.empty();
    }

    private static void sleep(int micros) {
        long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
        long left;
        while ((left = end - System.nanoTime()) > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void sleepThere(Connection connection, int micros) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select pg_sleep(?)")) {
            statement.setDouble(1, micros / MICROS_PER_SECOND);
            statement.execute();
        }
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a thread does with its connection. */
    interface Work {
        /**
         * Keeps a connection busy.
         *
         * @param micros for so long, microseconds
         */
        void on(Connection connection, int micros) throws SQLException;
    }

    /**
     * A database that has been started.
     *
     * @param driver its driver's data source
     * @param work what keeps a connection busy
     * @param stop ends it
     */
    record Running(DataSource driver, Work work, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }
}
