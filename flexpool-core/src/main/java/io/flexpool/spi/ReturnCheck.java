// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Checks leased connections after statements that failed, before they go back to the pool. Called on the threads of requests, so
 * it must return at once, unless it says so. Thread-safe. What it throws is counted and logged; the caller never sees it.
 */
public interface ReturnCheck {
    /**
     * A statement or a commit has failed.
     *
     * @param connection the pool's connection, which the application uses further
     * @param thrown what the application gets
     * @return whether the connection is to be {@linkplain #check checked} when its lease ends
     * @throws SQLException as the connection does
     */
    boolean failed(Connection connection, SQLException thrown) throws SQLException;

    /**
     * The lease has ended, and its connection, which was marked, is about to go back: nothing uses it. May ask the server, within
     * seconds.
     *
     * @param connection the pool's connection; a transaction that is open may be rolled back
     * @throws SQLException as the connection does
     */
    void check(Connection connection) throws SQLException;
}
