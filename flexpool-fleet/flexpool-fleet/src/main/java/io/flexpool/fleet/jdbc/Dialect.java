// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/** The differences between the databases. */
@SuppressWarnings("ImmutableEnumChecker") // a pattern is immutable
enum Dialect {
    /**
     * The settings end the session of a member that stops within its transaction, so that no member waits long behind
     * it. A commit does not wait for the disk, because a crashed server loses all sessions too. The casts select the
     * server's operators: otherwise PostgreSQL might call an operator of another schema in the search path, in which
     * others may write.
     */
    POSTGRESQL(
            "postgresql.sql",
            "PostgreSQL",
            "42P01",
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = 500;"
                    + " SET LOCAL statement_timeout = 1000; SET LOCAL idle_in_transaction_session_timeout = 1500;"
                    + " SET LOCAL synchronous_commit = off",
            "fleet operator(pg_catalog.=) ?",
            "member_name operator(pg_catalog.=) ?",
            "(extract(epoch from pg_catalog.clock_timestamp())::double precision * 1000::double precision)::bigint",
            "pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) || ' '::text"
                    + " || extract(epoch from pg_catalog.pg_postmaster_start_time())::text",
            "INSERT INTO flexpool_fleet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"),
    MYSQL(
            "mysql.sql",
            "MySQL|MariaDB",
            "42S02",
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "fleet = ?",
            "member_name = ?",
            "floor(unix_timestamp(now(3)) * 1000)",
            "''",
            "INSERT IGNORE INTO flexpool_fleet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    private final String script;
    /** Finds the products of this kind. */
    final Pattern products;
    /** The SQLState of a missing table. */
    final String missing;
    /** The statement that begins a transaction. */
    final String begin;
    /** A condition. */
    final String ofFleet;

    /** A condition. */
    final String ofMember;
    /** The server's clock, milliseconds since the epoch. */
    final String clock;

    /**
     * The query for the server's identity: its timeline, which a promoted standby changes, and its start. A constant
     * for MySQL, because its clusters may have a table on several servers at once.
     */
    final String server;

    final String insert;

    Dialect(
            String script,
            String products,
            String missing,
            String begin,
            String ofFleet,
            String ofMember,
            String clock,
            String server,
            String insert) {
        this.script = script;
        this.products = Pattern.compile(products);
        this.missing = missing;
        this.begin = begin;
        this.ofFleet = ofFleet;
        this.ofMember = ofMember;
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
