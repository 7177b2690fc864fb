// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Callback by which a connection reports the end of its lease; the only part of the pool it knows. A lease is known by
 * its place in the table of open leases.
 */
public interface LeaseOwner extends SessionObserver {
    /**
     * The lease ended: the target has been closed, or its close has thrown. Throws only if it had no stack to run, and
     * is then called once more.
     *
     * @param acquiredNanos when the lease began
     * @param reclaimed whether flexpool or the pool ended it, and not the holder
     */
    void ended(long acquiredNanos, int place, boolean reclaimed);

    /** Whether flexpool may end the lease: not while a JTA transaction owns it. */
    default boolean mayBeEnded() {
        return true;
    }

    /**
     * A call of a watched lease into the database begins.
     *
     * @param sql the statement, null if there is none or it is unknown
     */
    default void entered(int place, @Nullable String sql) {}

    /** The call ended; a commit or a rollback is no statement. */
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
     * Gives back a connection that the owner has marked.
     *
     * @param discarded whether the pool is to close it
     * @throws SQLException what the application's close throws
     */
    default void takeBack(Connection target, boolean discarded) throws SQLException {
        target.close();
    }

    /** A statement or a commit of the lease has failed. Never throws. */
    default void failed(LeasedConnection lease, Connection target, SQLException thrown) {}

    /** What sees the sessions of observed leases: nothing does by default. */
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
