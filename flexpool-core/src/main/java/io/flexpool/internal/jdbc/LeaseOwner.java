// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Callback by which a connection reports the end of its lease; a connection depends on no other part of the pool. A
 * lease is identified by its place in the table of open leases.
 */
public interface LeaseOwner extends SessionObserver {
    /**
     * The lease ended: the target has been closed, or its close has thrown. Throws only if the stack is exhausted, and
     * is then called once more.
     *
     * @param acquiredNanos when the lease began
     * @param reclaimed whether flexpool or the pool, not the holder, ended the lease
     */
    void ended(long acquiredNanos, int place, boolean reclaimed);

    /** Whether flexpool may end the lease: not while a JTA transaction owns it. */
    default boolean mayBeEnded() {
        return true;
    }

    /**
     * Reports the start of a watched lease's call into the database.
     *
     * @param sql the statement, null without one or if unknown
     */
    default void entered(int place, @Nullable String sql) {}

    /** Reports the end of the call; a commit or a rollback is no statement. */
    default void left(int place, boolean statement) {}

    /**
     * Aborts the pool's connection as the pool requires, with the application's executor.
     *
     * @throws SQLException if the abort throws
     */
    default void abort(Connection target, Executor executor) throws SQLException {
        target.abort(executor);
    }

    /**
     * Returns a marked connection to the pool, or closes it.
     *
     * @param discarded whether the pool is to close it
     * @throws SQLException the exception that the application's close throws then
     */
    default void takeBack(Connection target, boolean discarded) throws SQLException {
        target.close();
    }

    /** Reports that a statement or a commit of the lease has failed. Never throws. */
    default void failed(LeasedConnection lease, Connection target, SQLException thrown) {}

    /** The observer of observed leases' sessions; does nothing by default. */
    default SessionObserver sessions() {
        return this;
    }

    /**
     * Gives an aborted connection back to the pool, so that the pool frees its place.
     *
     * @throws SQLException if the pool's close throws
     */
    void discard(Connection target) throws SQLException;
}
