// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import org.jspecify.annotations.Nullable;

/**
 * Counts the threads of a dump that certainly or possibly hold a connection. A stack does not show whether a running method has already
 * returned its connection. So a cause is found only if it is the same with and without the possible holders. Immutable.
 *
 * @param executing run a statement
 * @param idle hold a connection for their transaction, and do something else
 * @param nested wait for a second connection in a transaction
 * @param behind hold a connection, and wait for a lock whose owner waits for one
 * @param mayIdle are in a method that takes a connection, and do something else
 * @param mayNest wait for a connection, below another method that takes one
 * @param mayBehind wait for a lock whose owner waits for a connection, and perhaps hold one
 */
record Holdings(int executing, int idle, int nested, int behind, int mayIdle, int mayNest, int mayBehind) {
    /** The state of most holders. */
    enum Kind {
        EXECUTING,
        IDLE,
        NESTED,
        BEHIND,
        /** There are such threads, but what most of them do depends on those of which it is unknown whether they hold one. */
        OPEN,
        /** No stack shows one. */
        NONE
    }

    /** From this share of the holders on they are the cause. */
    private static final double HALF = 0.5;

    /**
     * The state of most holders.
     *
     * @param active the connections in use; not positive if that is unknown
     * @param executed whether a thread ran a statement in any of the dumps
     * @param dumps how many there are
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
        // All connections are in use: if no other thread has them, these have.
        boolean others = sure > 0 || executed;
        boolean fits = active <= 0 ? !others : sure + open <= active && sure + open >= HALF * active;
        // A thread that has just returned its first connection looks the same once, but not as long as a deadlock.
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
