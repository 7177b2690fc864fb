// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * How JTA transactions use the connections of a pool that takes part in them: the pool lends one physical connection
 * for all requests of a transaction, and keeps it until the transaction ends, even if its handles are closed earlier.
 * So permit and lease follow the physical connection, not a handle.
 *
 * <p>For pools with {@link Capability#TRANSACTIONS}. All methods are called during an acquisition, by the requesting
 * thread; they must not connect or wait. Thread-safe. Exceptions are logged and ignored: the handle then has a separate
 * lease, which ends with its close.
 *
 * <p>Transactions and physical connections are any objects with identity equality, the same each time.
 */
public interface PoolTransactions {
    /** {@return the transaction of the calling thread; null if it has none} */
    @Nullable
    Object current();

    /**
     * The physical connection that the pool would lend the calling thread again, because its transaction has it. Called
     * before each acquisition: if flexpool knows it, the request needs no permit and does not wait.
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
     * Registers a callback for the return of a physical connection that the pool has just lent. Called once for each
     * loan.
     *
     * @param connection from {@link #behind}
     * @param lease the callback; may be called at any time, also by other threads and before this method returns
     */
    void watch(Object connection, Kept lease);

    /** A lease of a connection that a transaction may keep. Calls on an ended lease have no effect. */
    interface Kept {
        /** The pool has taken the connection back. Open handles are no longer usable. */
        void returned();

        /** No transaction keeps the connection any longer: the pool takes it back when its last handle is closed. */
        void released();
    }
}
