// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lifecycle;

import io.flexpool.internal.jdbc.LeasedConnection;
import java.sql.Connection;
import java.sql.SQLException;

/** Checks leased connections after statements that failed, before they go back to the pool. Thread-safe. */
public interface ReturnCheck {
    /** Checks nothing. */
    ReturnCheck NONE = new ReturnCheck() {
        @Override
        public void failed(LeasedConnection lease, Connection connection, SQLException thrown) {}

        @Override
        public void check(Connection connection) {}
    };

    /** A statement or a commit of a lease has failed, on the thread that made the call. Never throws. */
    void failed(LeasedConnection lease, Connection connection, SQLException thrown);

    /** The lease has ended, and its connection, which was marked, is about to go back. Never throws. */
    void check(Connection connection);
}
