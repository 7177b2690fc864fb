// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import java.sql.SQLException;
import java.util.Set;

/** The detail of a query. flexpool uses the first that the server does not refuse for missing rights. */
enum Detail {
    /** Everything. Needs {@code PROCESS}, on MySQL also {@code SELECT} on the table of lock waits. */
    LOCK_WAITS,
    /** Without row locks. Needs {@code PROCESS}. */
    TRANSACTIONS,
    /** Only the user's sessions. Needs no rights. */
    PROCESSES;

    /** The error codes for a missing global right, a missing right on a table, and (two codes) a missing table. */
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
