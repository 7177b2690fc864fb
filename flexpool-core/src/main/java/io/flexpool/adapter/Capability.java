// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

/** What a pool supports. The gate compensates for missing capabilities, or the builder refuses the configuration. */
public enum Capability {
    /** {@link PoolAdapter#resize(int)} changes the max size of a running pool. */
    LIVE_RESIZE,
    /** {@link PoolAdapter#wake(int)} makes the pool open connections for threads that already wait inside it. */
    WAKE,
    /** {@link PoolAdapter#trim(int)} closes exactly the surplus, and only idle connections. */
    EXACT_TRIM,
    /** The physical connections follow the lease limit down; without it up to the ceiling may stay open. */
    PHYSICAL_FOLLOWS_LIMIT,
    /** {@link PoolAdapter#connection(long)} supports a timeout per call. */
    PER_CALL_TIMEOUT,
    /** {@link PoolAdapter#snapshot()} reports how many threads wait inside the pool. */
    PENDING_COUNT,
    /** The adapter reports how long physical connects take. */
    CONNECT_TIME,
    /** The pool lends one connection for all requests of a JTA transaction: {@link PoolAdapter#transactions()}. */
    TRANSACTIONS,
    /** {@link PoolAdapter#evict()} closes the idle connections, and {@link PoolAdapter#discard} a leased one. */
    EVICT,
    /** {@link PoolAdapter#evict()} has the pool close the leased connections too when they come back, however they were borrowed. */
    EVICT_LEASED
}
