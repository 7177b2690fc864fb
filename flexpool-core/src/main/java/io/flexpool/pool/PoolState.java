// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/**
 * One pool at one moment, as flexpool sees it: the gate's permits beside the pool's own figures. Immutable.
 *
 * <p>Two limits are told apart. The <em>lease limit</em> ({@link #limit()}) says how many connections may be out at
 * once; the <em>physical limit</em> ({@code pool().max()}) says how many the pool may have open. A pool that is only
 * watched has no lease limit.
 *
 * @param limit the lease limit in force, or {@link PoolSnapshot#UNKNOWN} if the pool is only watched
 * @param base the lease limit to return to after calm, or {@code UNKNOWN} if only watched
 * @param ceiling the lease limit that growth never passes, or {@code UNKNOWN} if only watched
 * @param leased connections that are out, through flexpool
 * @param entering requests that are inside the pool's {@code getConnection()}
 * @param waiting requests that wait for a permit
 * @param foreign connections that are out past flexpool, as far as the pool tells
 * @param oldestWaitNanos how long the oldest waiting request has waited, 0 if none waits
 * @param pool the pool's own figures
 */
public record PoolState(
        int limit,
        int base,
        int ceiling,
        int leased,
        int entering,
        int waiting,
        int foreign,
        long oldestWaitNanos,
        PoolSnapshot pool) {

    /**
     * Requests that have asked and not yet been answered: entering and waiting.
     *
     * @return never negative
     */
    public int pending() {
        return entering + waiting;
    }

    /**
     * Whether a gate limits this pool.
     *
     * @return false if the pool is only watched
     */
    public boolean bound() {
        return limit != PoolSnapshot.UNKNOWN;
    }

    /**
     * Whether every permit is out as a lease and the pool really has that many connections: the only state in which
     * a larger pool surely could serve a waiting request. In an outage permits are entering, not leased, and this is false.
     *
     * @return true if leased (and foreign) connections reach the limit
     */
    public boolean exhausted() {
        return bound() && leased + foreign >= limit && (pool.total() == PoolSnapshot.UNKNOWN || pool.total() >= limit);
    }

    /**
     * The state in one line, as timeout reports and logs show it.
     *
     * @return for example {@code limit 10 (base 10, ceiling 25), max 10, active 10, idle 0, pending 7, oldest waits 312 ms}
     */
    public String describe() {
        StringBuilder line = new StringBuilder(96);
        if (bound()) {
            line.append("limit ").append(limit).append(" (base ").append(base);
            line.append(", ceiling ").append(ceiling).append("), ");
        }
        append(line, "max ", pool.max());
        line.append("active ").append(leased);
        if (foreign > 0) {
            line.append(" and ").append(foreign).append(" past flexpool");
        }
        line.append(", ");
        append(line, "idle ", pool.idle());
        line.append("pending ").append(pending());
        if (waiting > 0) {
            line.append(", oldest waits ").append(oldestWaitNanos / 1_000_000).append(" ms");
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String word, int figure) {
        if (figure != PoolSnapshot.UNKNOWN) {
            line.append(word).append(figure).append(", ");
        }
    }
}
