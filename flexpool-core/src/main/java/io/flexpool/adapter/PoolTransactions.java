// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What the transactions of an application (JTA) do with the connections of a pool that takes part in them: it lends one
 * physical connection for all requests of a transaction, and keeps it until the transaction ends, whatever handles are
 * closed before. So permit and lease belong to the physical connection's time out of the pool, not to a handle's.
 *
 * <p>Of a pool with {@link Capability#TRANSACTIONS}. Everything here is called on the way of an acquisition, by the
 * thread that asks; it must not connect or wait. Thread-safe. What throws is logged and ignored: the handle then has a
 * lease of its own, which ends with its close.
 *
 * <p>Transactions and physical connections are any objects that are equal to themselves only, and the same each time.
 */
public interface PoolTransactions {
    /**
     * The transaction of the calling thread.
     *
     * @return null if it has none
     */
    @Nullable
    Object current();

    /**
     * The physical connection that the pool would lend the calling thread once more, because its transaction has it.
     * Asked before each acquisition: if flexpool knows it, the request needs no permit and does not wait.
     *
     * @return null if the pool would lend another one
     */
    @Nullable
    Object kept();

    /**
     * The physical connection behind a handle that the pool has just given to the calling thread.
     *
     * @param handle the pool's connection
     * @return null if the pool takes it back with the handle's close, as without transactions
     */
    @Nullable
    Object behind(Connection handle);

    /**
     * Tells when the pool takes a physical connection back that it has just lent. Called once for each time that a
     * connection is out.
     *
     * @param connection from {@link #behind}
     * @param lease is told; may be called at any time from now on, also by other threads and before this returns
     */
    void watch(Object connection, Kept lease);

    /** A lease of a connection that a transaction may keep. What is called on a lease that has ended does nothing. */
    interface Kept {
        /** The pool has taken the connection back. Handles that are still open are of no use any more. */
        void returned();

        /** No transaction keeps the connection any more: the pool takes it back with the last of its handles. */
        void released();
    }
}
