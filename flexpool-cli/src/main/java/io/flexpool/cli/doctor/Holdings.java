// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of threads in a dump that certainly or possibly hold a connection: a stack does not show whether a
 * running method has already returned its connection. A cause is found only if it is the same with and without the
 * possible holders. Immutable.
 *
 * @param executing threads that execute a statement
 * @param idle threads that hold a connection for their transaction, and execute no statement
 * @param nested threads that wait for a second connection in a transaction
 * @param behind threads that hold a connection, and wait for a lock whose owner waits for a connection
 * @param mayIdle threads in a method that takes a connection, which execute no statement
 * @param mayNest threads that wait for a connection, below another method that takes one
 * @param mayBehind threads that wait for a lock whose owner waits for a connection, and perhaps hold one
 */
record Holdings(int executing, int idle, int nested, int behind, int mayIdle, int mayNest, int mayBehind) {
    /** The state of most holders. */
    enum Kind {
        EXECUTING,
        IDLE,
        NESTED,
        BEHIND,
        /** Undecided: the state of most holders depends on threads that only possibly hold a connection. */
        OPEN,
        /** No stack shows a holder. */
        NONE
    }

    /** The share of the holders from which they count as the cause. */
    private static final double HALF = 0.5;

    /**
     * The state of most holders.
     *
     * @param active the number of connections in use; not positive if unknown
     * @param executed whether a thread executed a statement in any dump
     * @param dumps the number of dumps
     */
    Kind most(int active, boolean executed, int dumps) {
        int sure = executing + idle + nested + behind;
        int open = mayIdle + mayNest + mayBehind;
        Kind without = kind(executing, idle, nested, behind);
        if (active > 0 && (executing >= HALF * active || sure >= active)) {
            return without == null ? Kind.NONE : executing >= HALF * active ? Kind.EXECUTING : without;
        }
        Kind with = kind(executing, idle + mayIdle, nested + mayNest, behind + mayBehind);
        if (with == null) {
            return Kind.NONE;
        }
        if (with == without) {
            return with;
        }
        // All connections are in use: if no other thread holds them, the possible holders do.
        boolean others = sure > 0 || executed;
        boolean fits = active <= 0 ? !others : sure + open <= active && sure + open >= HALF * active;
        // A thread that has just returned its first connection has the same stack in one dump, but not in several,
        // unlike a deadlock.
        return fits && (with != Kind.NESTED || dumps > 1) ? with : Kind.OPEN;
    }

    private static @Nullable Kind kind(int executing, int idle, int nested, int behind) {
        int all = executing + idle + nested + behind;
        if (all == 0) {
            return null;
        }
        if (nested >= HALF * all) {
            return Kind.NESTED;
        }
        if (behind >= HALF * all) {
            return Kind.BEHIND;
        }
        return executing >= HALF * all ? Kind.EXECUTING : Kind.IDLE;
    }
}
