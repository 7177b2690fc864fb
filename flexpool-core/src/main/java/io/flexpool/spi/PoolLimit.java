// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.pool.PoolState;

/**
 * The limit that flexpool keeps for one pool, for a part that caps it because several pools share one number of connections. One
 * part of a pool caps. Thread-safe, apart from {@link #cap} and {@link #room}, which are for the part's tick. Made by flexpool alone;
 * minor releases add methods.
 */
public interface PoolLimit {
    /** {@return the limit now: how many connections may be leased} */
    int now();

    /** {@return how many requests wait for a connection} */
    int waiting();

    /** {@return the limit at rest that is configured, whatever the cap} */
    int base();

    /** {@return the highest limit that is configured, whatever the cap} */
    int ceiling();

    /** {@return whether flexpool keeps the limit in the pool's mode now} */
    boolean acts();

    /** {@return whether the limit may be raised above its base: by the sizing controller, or by a strategy} */
    boolean grows();

    /** {@return the cap; {@link Integer#MAX_VALUE} without one} */
    int cap();

    /**
     * Names what caps the pool, for the sentences of decisions and explanations. Called once, before the first tick.
     *
     * @param by a noun, for example {@code the fleet 'orders'}; "allows no more" follows
     * @param relief what would give the pool more, a clause that follows "flexpool"
     */
    void cappedBy(String by, String relief);

    /**
     * Caps the limit: no limit is above it, and a pool that was at its base follows the base up. A higher cap is not taken while the
     * database refuses connections. If the limit moves, that is a decision.
     *
     * @param connections at least 1
     * @param why for the decision; follows the limit before and after
     * @param state the pool's state, as the tick has it
     */
    void cap(int connections, String why, PoolState state);

    /**
     * How many pools share the number, for the sizing controller.
     *
     * @param pools with this one, at least 1
     */
    void sharedBy(int pools);

    /**
     * A connection past the pool is about to be opened: under a cap only if it fits beside the pool's own.
     *
     * @param asks whether room is made for it if it does not fit. That is kept while it is used
     * @return whether it may be opened: then {@link #pastEnds} follows
     */
    boolean pastBegins(boolean asks);

    /** The same where it is opened whether it fits or not: {@link #pastEnds} follows. */
    void pastBeginsAnyway();

    /** A connection past the pool is closed. */
    void pastEnds();

    /** {@return how many connections past the pool are open} */
    int past();

    /** {@return for how many of them the pool leaves room; called once a tick} */
    int pastNeeded();

    /**
     * How many more of them may be opened.
     *
     * @param connections until this is called again; negative if some that are open must be closed
     */
    void room(int connections);
}
