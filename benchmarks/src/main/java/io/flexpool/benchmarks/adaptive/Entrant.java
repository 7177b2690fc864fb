// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.diagnostics.Decision;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A competitor with its own pool. Thread-safe. */
interface Entrant extends AutoCloseable {
    /**
     * A leased connection.
     *
     * @param connection it
     * @param sinceNanos since when
     * @param atOnce how many were active then, itself included
     */
    record Lease(Connection connection, long sinceNanos, int atOnce) {}

    Competitor competitor();

    /** Waits for a connection as a request does. */
    Lease acquire() throws SQLException;

    /**
     * Gives it back.
     *
     * @param failed whether its connection broke
     */
    void release(Lease lease, boolean failed) throws SQLException;

    /** How many connections may be out. */
    int limit();

    /** Physical connections, as the pool counts them. */
    int held();

    /** Active connections. */
    int leased();

    /** Requests that wait for one. */
    int pending();

    /** The decisions, if the entrant reports them. */
    default List<Decision> decisions() {
        return List.of();
    }

    @Override
    void close() throws SQLException;
}
