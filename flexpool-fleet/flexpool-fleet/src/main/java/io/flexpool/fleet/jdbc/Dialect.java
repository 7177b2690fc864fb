// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The differences between the databases. */
enum Dialect {
    /**
     * The server ends the session of a member that stops in the middle of its transaction, so no member waits long
     * behind it. A commit need not reach the disk, because a crashed server loses all sessions too.
     */
    POSTGRESQL(
            "postgresql.sql",
            "42P01",
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = 500;"
                    + " SET LOCAL statement_timeout = 1000; SET LOCAL idle_in_transaction_session_timeout = 1500;"
                    + " SET LOCAL synchronous_commit = off",
            "(extract(epoch from clock_timestamp()) * 1000)::bigint",
            "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' || extract(epoch from"
                    + " pg_postmaster_start_time())",
            "INSERT INTO flexpool_fleet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"),
    MYSQL(
            "mysql.sql",
            "42S02",
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "floor(unix_timestamp(now(3)) * 1000)",
            "''",
            "INSERT IGNORE INTO flexpool_fleet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    private final String script;
    /** The SQLState of a missing table. */
    final String missing;
    /** The first statement of a transaction. */
    final String begin;
    /** The server's clock, milliseconds since the epoch. */
    final String clock;

    /**
     * The query for the server's identity: its timeline, which a promoted standby changes, and its start. A constant
     * for MySQL, because its clusters may have a table on several servers at once.
     */
    final String server;

    final String insert;

    Dialect(String script, String missing, String begin, String clock, String server, String insert) {
        this.script = script;
        this.missing = missing;
        this.begin = begin;
        this.clock = clock;
        this.server = server;
        this.insert = insert;
    }

    /** The statement that creates the table. */
    String create() {
        try (InputStream text = Dialect.class.getResourceAsStream(script)) {
            return new String(Objects.requireNonNull(text, script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
