// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import io.agroal.api.transaction.TransactionIntegration;
import io.agroal.pool.ConnectionHandler;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Supports JTA transactions of Agroal, whose {@code transactionIntegration} returns one connection for all requests of
 * a transaction. The {@link TransactionSynchronizationRegistry} notifies flexpool of the transaction's end, like
 * Agroal. It is a field of the integration (of Narayana's, which Quarkus and WildFly use, and of similar ones).
 *
 * <p>A connection whose cursors are held over the commit stays leased until its handles are closed (Agroal 3).
 */
final class AgroalTransactions implements PoolTransactions {
    private static final @Nullable MethodHandle HELD_OVER_COMMIT = heldOverCommit();

    private final TransactionIntegration integration;
    private final TransactionSynchronizationRegistry registry;

    private AgroalTransactions(TransactionIntegration integration, TransactionSynchronizationRegistry registry) {
        this.integration = integration;
        this.registry = registry;
    }

    /** Null for a pool without transactions, or if their end cannot be observed. */
    static @Nullable AgroalTransactions of(TransactionIntegration integration) {
        try {
            TransactionSynchronizationRegistry registry = registry(integration);
            return registry == null ? null : new AgroalTransactions(integration, registry);
        } catch (IllegalAccessException | LinkageError | RuntimeException notToBeRead) {
            return null;
        }
    }

    private static @Nullable TransactionSynchronizationRegistry registry(TransactionIntegration integration)
            throws IllegalAccessException {
        for (Class<?> type = integration.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (TransactionSynchronizationRegistry.class.isAssignableFrom(field.getType())) {
                    field.setAccessible(true);
                    return (TransactionSynchronizationRegistry) field.get(integration);
                }
            }
        }
        return null;
    }

    private static @Nullable MethodHandle heldOverCommit() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(ConnectionHandler.class, "isHeldOverCommit", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException | LinkageError olderThan3) {
            return null;
        }
    }

    @Override
    public @Nullable Object current() {
        return registry.getTransactionKey();
    }

    @Override
    public @Nullable Object enlistedConnection() {
        try {
            return integration.getTransactionAware();
        } catch (SQLException rolledBack) {
            // The pool itself reports the rollback to the caller.
            return null;
        }
    }

    /** The connection of the current transaction, if any: Agroal has enlisted it by now. */
    @Override
    public @Nullable Object physicalConnection(Connection handle) {
        return enlistedConnection();
    }

    @Override
    public void onReturn(Object connection, ReturnListener lease) {
        registry.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
                if (isHeldOverCommit(connection)) {
                    lease.released();
                } else {
                    lease.returned();
                }
            }
        });
    }

    /**
     * Whether the connection stays leased after the commit. Agroal decides this before it notifies synchronizations.
     */
    private static boolean isHeldOverCommit(Object connection) {
        try {
            return HELD_OVER_COMMIT != null
                    && connection instanceof ConnectionHandler handler
                    && (boolean) HELD_OVER_COMMIT.invokeExact(handler);
        } catch (Throwable notToBeCalled) {
            return false;
        }
    }
}
