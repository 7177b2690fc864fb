// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens budgets in one kind of store. Found by {@link java.util.ServiceLoader}; needs a public no-argument constructor.
 */
public interface ConnectionBudgetProvider {
    /** {@return the words of the key {@code flexpool.fleet} that this provider serves, for example {@code redis}} */
    Set<String> stores();

    /**
     * Opens a budget. Must not connect: the store may be down when the pool is built.
     *
     * @param setup what is configured
     * @return a new budget
     * @throws IllegalArgumentException if something that this store needs is missing; the message names the key and never
     *     its value
     */
    ConnectionBudget open(Setup setup);

    /**
     * What a store may need.
     *
     * @param store which of {@link ConnectionBudgetProvider#stores()}
     * @param fleet the fleet's name: 1 to {@value Renewal#LONGEST_NAME} characters on one line
     * @param uri where the store is, from the key {@code flexpool.fleet.uri}; null if none was given; may contain a password
     *     and is never logged
     * @param mayCreate whether tables that are missing may be created
     * @param connections for stores in the database itself
     */
    record Setup(String store, String fleet, @Nullable String uri, boolean mayCreate, Connections connections) {
        /** Without the URI, which may contain a password. */
        @Override
        public String toString() {
            return store + ", fleet " + fleet;
        }
    }

    /** Connections to the pool's own database. Thread-safe. */
    @FunctionalInterface
    interface Connections {
        /**
         * One connection, for one renewal: from the pool where it has one idle or has room for one, else past the pool.
         * Waits for no lease to end.
         *
         * @return a connection, which the caller closes; in the state that the pool gives its connections
         * @throws SQLException if there is none
         */
        Connection get() throws SQLException;
    }
}
