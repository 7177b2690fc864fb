// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Callback by which a connection reports the end of its lease; the only part of the pool it knows. */
public interface LeaseOwner {
    /**
     * The lease ended: the target has been closed, or its close has thrown. Throws only if it had no stack to run, and
     * is then called once more.
     *
     * @param acquiredNanos when the lease began
     * @param place its place in the table of open leases
     * @param reclaimed whether flexpool ended it
     */
    void ended(long acquiredNanos, int place, boolean reclaimed);

    /**
     * Reclaims the lease through its other handles, because this handle has ended already.
     *
     * @throws SQLException if the abort throws
     */
    default void reclaimFurther() throws SQLException {}

    /**
     * A call of a watched lease into the database begins.
     *
     * @param place its place in the table of open leases
     * @param sql the statement, null if there is none or it is unknown
     */
    default void entered(int place, @Nullable String sql) {}

    /**
     * The call ended.
     *
     * @param place the lease's place in the table of open leases
     */
    default void left(int place) {}

    /**
     * Aborts a connection as the pool requires.
     *
     * @param target the pool's connection
     * @param executor as the application gave it
     * @throws SQLException if the abort throws
     */
    default void abort(Connection target, Executor executor) throws SQLException {
        target.abort(executor);
    }

    /**
     * Gives an aborted connection back to the pool, so that the pool frees its place.
     *
     * @param target the pool's connection
     * @throws SQLException if the pool's close throws
     */
    void discard(Connection target) throws SQLException;
}
