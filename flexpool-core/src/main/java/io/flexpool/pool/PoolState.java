// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.time.Duration;

/**
 * One pool at one moment: the gate's permits and the pool's own figures. Immutable.
 *
 * <p>There are two limits. The <em>lease limit</em> ({@link #limit()}) is how many connections may be leased at once;
 * the <em>physical limit</em> ({@code pool().max()}) is how many the pool may have open. A pool that is only watched
 * has no lease limit.
 *
 * <p>Made by flexpool alone; minor releases add methods.
 */
public interface PoolState {
    /** {@return the lease limit in force; {@link PoolSnapshot#UNKNOWN} if the pool is only watched} */
    int limit();

    /** {@return the lease limit at low load; {@code UNKNOWN} if the pool is only watched} */
    int base();

    /** {@return the highest lease limit of any growth; {@code UNKNOWN} if the pool is only watched} */
    int ceiling();

    /** {@return connections that are leased through flexpool} */
    int leased();

    /** {@return requests that have entered the pool's {@code getConnection()} and have no connection yet} */
    int entering();

    /** {@return requests that wait for a permit, or for the end of a pause} */
    int waiting();

    /** {@return connections that were borrowed without flexpool, if the pool reports them} */
    int foreign();

    /** {@return how long the oldest waiting request has waited; zero if no request waits} */
    Duration oldestWait();

    /** {@return the pool's own figures} */
    PoolSnapshot pool();

    /** {@return requests without an outcome yet: entering and waiting} */
    default int pending() {
        return entering() + waiting();
    }

    /** {@return whether a gate limits this pool: false if it is only watched} */
    default boolean bound() {
        return limit() != PoolSnapshot.UNKNOWN;
    }

    /**
     * The state in one line, as timeout reports and logs show it.
     *
     * @return for example {@code limit 10 (base 10, ceiling 25), max 10, active 10, idle 0, pending 7, oldest waits 312
     *     ms}
     */
    default String describe() {
        StringBuilder line = new StringBuilder(96);
        if (bound()) {
            line.append("limit ").append(limit()).append(" (base ").append(base());
            line.append(", ceiling ").append(ceiling()).append("), ");
        }
        append(line, "max ", pool().max());
        line.append("active ").append(leased());
        if (foreign() > 0) {
            line.append(" and ").append(foreign()).append(" not through flexpool");
        }
        line.append(", ");
        append(line, "idle ", pool().idle());
        line.append("pending ").append(pending());
        if (waiting() > 0) {
            line.append(", oldest waits ").append(oldestWait().toMillis()).append(" ms");
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String word, int figure) {
        if (figure != PoolSnapshot.UNKNOWN) {
            line.append(word).append(figure).append(", ");
        }
    }
}
