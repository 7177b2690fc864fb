// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A database server of this demo's own, which can be stopped and started again. */
interface DemoDatabase extends AutoCloseable {
    /** What it is, in one line. */
    String description();

    String jdbcUrl();

    String user();

    String password();

    /** Connects anew for each connection. */
    DataSource unpooled();

    /** A statement that takes as long as a slow query. */
    String slowQuery(int millis);

    /** Whether flexpool can ask the server what it does with the connections. */
    boolean hasServerView();

    /** How many sessions the server itself counts, the one that asks left out. */
    int sessions() throws SQLException;

    /** The same without flexpool's own, which sees what the server does. */
    default int sessionsOfPools() throws SQLException {
        return sessions();
    }

    /** Stops the server; open connections break. */
    void stop();

    /** Starts the server on the same port. */
    void startAgain() throws SQLException;

    @Override
    void close() throws SQLException;

    /** A HikariCP pool as any application configures it; starts with its first connection. */
    default HikariDataSource hikari(String name, int size, int timeoutSeconds) {
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName(name);
        pool.setJdbcUrl(jdbcUrl());
        pool.setUsername(user());
        pool.setPassword(password());
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(timeoutSeconds * 1_000L);
        return pool;
    }
}
