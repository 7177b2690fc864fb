// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Whom a connection tells that its lease has ended. All a connection knows of the pool. */
public interface LeaseOwner {
    /**
     * The lease ended: the target has been closed, or its close has thrown. Throws only where it could not even begin, and is
     * called once more then.
     *
     * @param acquiredNanos when the lease began
     * @param place its place in the table of open leases
     */
    void ended(long acquiredNanos, int place);

    /**
     * As {@link #ended}, but it was flexpool that ended it.
     *
     * @param acquiredNanos when the lease began
     * @param place its place in the table of open leases
     */
    default void reclaimed(long acquiredNanos, int place) {
        ended(acquiredNanos, place);
    }

    /**
     * The connection is to be taken away, and this handle has ended already: others of the same lease go.
     *
     * @throws SQLException if the abort throws
     */
    default void reclaimFurther() throws SQLException {}

    /**
     * A call into the database begins, of a lease that is watched.
     *
     * @param place its place in the table of open leases
     * @param sql the statement, null if there is none or nobody knows
     */
    default void entered(int place, @Nullable String sql) {}

    /**
     * That call has ended.
     *
     * @param place the lease's place in the table of open leases
     */
    default void left(int place) {}

    /**
     * Aborts a connection, in the pool's way.
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
