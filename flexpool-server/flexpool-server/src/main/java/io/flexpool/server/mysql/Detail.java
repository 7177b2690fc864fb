// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import java.sql.SQLException;
import java.util.Set;

/** How much the user may see. The first one that the server does not refuse is used. */
enum Detail {
    /** All: with {@code PROCESS}, on MySQL also with {@code SELECT} on the table of lock waits. */
    LOCK_WAITS,
    /** With {@code PROCESS} alone, on MySQL. */
    TRANSACTIONS,
    /** The user's own sessions. */
    PROCESSES;

    /** Access denied for a global right, for a table; no such table, in either way to say it. */
    private static final Set<Integer> REFUSED = Set.of(1227, 1142, 1146, 1109);

    boolean lockWaits() {
        return this == LOCK_WAITS;
    }

    boolean transactions() {
        return this != PROCESSES;
    }

    static boolean refused(SQLException thrown) {
        return REFUSED.contains(thrown.getErrorCode());
    }
}
