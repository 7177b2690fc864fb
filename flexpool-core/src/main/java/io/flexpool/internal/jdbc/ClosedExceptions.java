// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions for calls on objects of an ended lease. Only exceptions of a connection have a connection's SQLState:
 * frameworks read the class 08 as a lost connection, and discard or repeat accordingly.
 *
 * <p>A statement or a result set that the pool or the application has closed throws its own exception, as without
 * flexpool. A getter provokes this exception, never the late call. A closed statement of SQLite still executes, and a
 * statement cache may reopen a statement for the next borrower.
 */
final class ClosedExceptions {
    private ClosedExceptions() {}

    /**
     * The exception of a late call on this object of the pool or the driver.
     *
     * @param reason why flexpool has ended the lease; null if flexpool has not
     */
    static SQLException of(Object target, @Nullable String reason) {
        String why = reason == null ? "" : ": " + reason;
        if (target instanceof Connection || target instanceof DatabaseMetaData) {
            return new SQLNonTransientConnectionException("Connection is closed" + why, "08003");
        }
        SQLException theirs = reason == null ? thrownBy(target) : null;
        if (theirs != null) {
            return theirs;
        }
        if (target instanceof ResultSet) {
            // Invalid cursor state.
            return new SQLNonTransientException("ResultSet is closed: its connection is closed" + why, "24000");
        }
        // Function sequence error: the call is not allowed in this state of the object.
        String closed =
                target instanceof Statement ? "Statement is closed: its connection is closed" : "Connection is closed";
        return new SQLNonTransientException(closed + why, "HY010");
    }

    private static @Nullable SQLException thrownBy(Object target) {
        try {
            if (!closed(target)) {
                return null;
            }
        } catch (SQLException | RuntimeException unknown) {
            return null;
        }
        try {
            if (target instanceof ResultSet results) {
                results.getFetchSize();
            } else if (target instanceof Statement statement) {
                statement.getMaxRows();
            }
        } catch (SQLException theirs) {
            return theirs;
        } catch (RuntimeException notOfJdbc) {
            // The caller expects an SQLException.
        }
        return null;
    }

    private static boolean closed(Object target) throws SQLException {
        if (target instanceof ResultSet results) {
            return results.isClosed();
        }
        return target instanceof Statement statement && statement.isClosed();
    }
}
