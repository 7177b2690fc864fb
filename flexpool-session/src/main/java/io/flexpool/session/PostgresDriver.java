// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Calls methods of PostgreSQL's driver beyond JDBC by reflection, because the application supplies the driver. With
 * another driver all results are unknown. Thread-safe.
 */
final class PostgresDriver {
    private static final DriverType CONNECTION = new DriverType("org.postgresql.PGConnection");
    /** The driver's internal type, which holds the transaction's state: the server reports it with each response. */
    private static final DriverType INTERNAL = new DriverType("org.postgresql.core.BaseConnection");

    private PostgresDriver() {}

    /** The driver's connection, a separate object for each session of the server; null for another driver. */
    static @Nullable Object physical(Connection connection) {
        return CONNECTION.unwrapped(connection);
    }

    /**
     * Whether a transaction is open in the server. Waits while a statement runs.
     *
     * @return null if unknown
     */
    static @Nullable Boolean inTransaction(Connection connection) {
        String state = transaction(connection);
        return state.isEmpty() ? null : !state.equals("IDLE");
    }

    /** Whether an open transaction can only be rolled back. Waits while a statement runs. */
    static boolean inFailedTransaction(Connection connection) {
        return transaction(connection).equals("FAILED");
    }

    /** The state of the transaction; empty if unknown. */
    private static String transaction(Connection connection) {
        Object driver = INTERNAL.unwrapped(connection);
        Object state = driver == null ? null : call(driver, INTERNAL, "getTransactionState");
        return state == null ? "" : state.toString();
    }

    /** Whether the driver prepares repeated statements in the server, as by default after five executions. */
    static boolean prepares(Connection connection) {
        Object driver = physical(connection);
        Object threshold = driver == null ? null : call(driver, CONNECTION, "getPrepareThreshold");
        Object mode = driver == null ? null : call(driver, CONNECTION, "getPreferQueryMode");
        return threshold instanceof Integer executions && executions != 0 && !"SIMPLE".equals(String.valueOf(mode));
    }

    /** Cancels a running statement, because a server that executes one does not detect a closed connection. */
    static void cancel(Connection connection) {
        Object driver = physical(connection);
        if (driver != null) {
            call(driver, CONNECTION, "cancelQuery");
        }
    }

    private static @Nullable Object call(Object driver, DriverType type, String name) {
        try {
            return type.call(driver, name);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError failed) {
            // The driver's version lacks the method, or the server refuses the connection of the cancel. An abort
            // follows anyway.
            return null;
        }
    }
}
