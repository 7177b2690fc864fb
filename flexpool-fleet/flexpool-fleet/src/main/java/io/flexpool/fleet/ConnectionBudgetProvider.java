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
     * @throws IllegalArgumentException if a value that this store needs is missing; the message names the key and never
     *     its value
     */
    ConnectionBudget open(Setup setup);

    /**
     * The configuration of a store.
     *
     * @param store one of {@link ConnectionBudgetProvider#stores()}
     * @param fleet the fleet's name: 1 to {@value Renewal#LONGEST_NAME} characters on one line
     * @param uri the store's address, from the key {@code flexpool.fleet.uri}; null if not given; may contain a
     *     password and is never logged
     * @param mayCreate whether missing tables may be created
     * @param connections the connections for stores in the database itself
     */
    record Setup(String store, String fleet, @Nullable String uri, boolean mayCreate, Connections connections) {
        /** Omits the URI, which may contain a password. */
        @Override
        public String toString() {
            return store + ", fleet " + fleet;
        }
    }

    /** Connections to the pool's own database. Thread-safe. */
    @FunctionalInterface
    interface Connections {
        /**
         * Returns a connection for one renewal: from the pool if it has an idle one or is not full, otherwise outside
         * the pool. Does not wait until leases end.
         *
         * @return a connection, which the caller closes; in the state of the pool's new connections
         * @throws SQLException if no connection can be opened
         */
        Connection get() throws SQLException;
    }
}
