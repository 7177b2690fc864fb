// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Whom a connection tells that its lease has ended. All a connection knows of the pool. */
public interface Lease {
    /**
     * The lease ended: the target has been closed, or its close has thrown.
     *
     * @param acquiredNanos when the lease began
     */
    void ended(long acquiredNanos);

    /**
     * Gives an aborted connection back to the pool, so that the pool frees its place.
     *
     * @param target the pool's connection
     * @throws SQLException if the pool's close throws
     */
    void discard(Connection target) throws SQLException;
}
