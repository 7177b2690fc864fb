// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import java.sql.Connection;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * Observes the sessions of {@linkplain LeasedConnection#OBSERVED observed} leases. No method throws; the defaults do
 * nothing. The last four are only for connections to be {@linkplain LeasedConnection#checkOnReturn checked}.
 */
public interface SessionObserver {
    /** Whether executions of a statement are to be shown. */
    default boolean observes(String sql) {
        return false;
    }

    /** A statement is about to be executed by the lease at a place. */
    default void executes(LeasedConnection lease, int place, Connection target, String sql) {}

    /** A property of the connection is about to be changed. */
    default void changes(LeasedConnection lease, Connection target, SessionProperty property) {}

    /** A transaction has been committed. */
    default void committed(Connection target) {}

    /** A savepoint has been set. */
    default void savepoint(Connection target, Savepoint savepoint) {}

    /** A transaction has been rolled back, to a savepoint if there is one. */
    default void rolledBack(Connection target, @Nullable Savepoint to) {}

    /** The pool does not get the connection back. */
    default void dropped(Connection target) {}
}
