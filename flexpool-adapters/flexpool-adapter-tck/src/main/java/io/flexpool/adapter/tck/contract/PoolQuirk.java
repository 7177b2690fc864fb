// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

/**
 * A behaviour of a pool that neither its adapter nor the gate can correct. A pool's test declares its quirks; the
 * contract then asserts the quirk, in place of the usual behaviour. Overriding a test with an empty method would skip
 * it.
 */
public enum PoolQuirk {
    /** A wait inside the pool continues after an interrupt. */
    IGNORES_INTERRUPTS,
    /** The next user gets a connection in the last user's state, including auto-commit. */
    RESETS_NOTHING,
    /** A connection is lent without validation, so that an outage appears in its use. */
    LENDS_DEAD_CONNECTIONS,
    /** An abort frees the place, but a later request may get the dead connection, or the driver's exception on it. */
    KEEPS_ABORTED_CONNECTIONS,
    /** A connection leased when the pool is closed is never closed physically. */
    LEAVES_LEASED_CONNECTIONS_OPEN,
    /** Closing a connection throws after the pool's close, although the connection is closed. */
    CLOSE_THROWS_AFTER_THE_POOLS,
    /** The exception of a request that failed in an outage does not contain the driver's reason. */
    HIDES_WHY_A_CONNECT_FAILED,
    /** The pool never waits, or waits without limit: requests wait only at the gate, and need a timeout. */
    WAITS_AT_THE_GATE_ONLY,
    /** The JVM or the pool's libraries keep its classes loaded; no thread does. */
    ITS_CLASSES_STAY,
    /** Threads that serve all pools of this kind run until the application ends them. */
    ITS_THREADS_STAY,
    /** The pool queries the DriverManager, which permanently registers all drivers of the pool's class loader. */
    REGISTERS_EVERY_DRIVER,
    /** The pool reports max and active, but neither total nor idle. */
    REPORTS_MAX_AND_ACTIVE_ONLY,
    /** The pool reports only its max. */
    REPORTS_MAX_ONLY,
    /** The application must name the pool. */
    REQUIRES_A_NAME,
    /** The pool's timeout exception cannot have an SQLState: its cause has it. */
    ITS_TIMEOUTS_HAVE_NO_STATE,
    /** A request that waits inside the pool during its close continues to wait until its timeout or a return. */
    LEAVES_REQUESTS_WAITING,
    /** The pool has no module: flexpool cannot read its sizes or its close, and uses the configuration. */
    REPORTS_NOTHING,
    /** An interrupt inside the pool loses a connection, which is never lent or closed again. */
    LOSES_A_CONNECTION_TO_AN_INTERRUPT,
    /** With concurrent requests, direct or in a watched pool, it sometimes refuses one although it is not full. */
    REFUSES_ALTHOUGH_THERE_IS_ROOM,
    /** After a driver's {@link Error} in a connect, the pool does not connect again. */
    A_DRIVERS_ERROR_BREAKS_IT,
    /** After a driver's {@link Error} in a connect, the pool may not connect again. */
    A_DRIVERS_ERROR_MAY_BREAK_IT,
    /** A request inside the pool during its close may get a {@link RuntimeException}. */
    THROWS_RUNTIME_EXCEPTIONS_WHILE_IT_CLOSES,
    /** A connection that is returned during the pool's close may stay open physically, also without flexpool. */
    MAY_LEAVE_OPEN_WHAT_COMES_BACK_WHILE_IT_CLOSES,
    /** A connection that threw an exception without SQLState is dropped, but never closed physically. */
    LEAVES_OPEN_WHAT_FAILED,
    /** flexpool cannot open a connection outside the pool, for lack of the pool's settings. */
    OPENS_NOTHING_PAST_ITSELF,
    /** No setting of the pool reclaims a leased connection: it stays leased until its holder closes it. */
    TAKES_NOTHING_BACK,
    /** The pool's own eviction misses a connection that is being lent, and lends it again afterwards. */
    ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING
}
