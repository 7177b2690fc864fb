// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

/**
 * What a pool does differently from the others, and neither its adapter nor the gate can correct. A pool's test says
 * which it has; the contract then asserts that it is so, instead of what it asserts elsewhere. Overriding a test to do
 * nothing would be a skipped test.
 */
public enum PoolQuirk {
    /** A wait inside the pool goes on after an interrupt. */
    IGNORES_INTERRUPTS,
    /** The next user gets a connection as the last one left it, auto-commit and all. */
    RESETS_NOTHING,
    /** A connection is lent without a test whether it is still alive, so that an outage shows when it is used. */
    LENDS_DEAD_CONNECTIONS,
    /** An abort frees the place, but a request after it may get the dead connection, or the driver's word on it. */
    KEEPS_ABORTED_CONNECTIONS,
    /** A connection leased when the pool is closed is never closed physically. */
    LEAVES_LEASED_CONNECTIONS_OPEN,
    /** Closing a connection throws once the pool is closed, although it is closed. */
    CLOSE_THROWS_AFTER_THE_POOLS,
    /** The exception of a request that failed in an outage does not contain the driver's reason. */
    HIDES_WHY_A_CONNECT_FAILED,
    /** It never waits, or never ends to: requests wait at the gate only, and must be given an acquisition timeout. */
    WAITS_AT_THE_GATE_ONLY,
    /** Something in the JVM or the pool's libraries holds its classes; no thread does. */
    ITS_CLASSES_STAY,
    /** Threads that serve all pools of its kind stay until the application ends them. */
    ITS_THREADS_STAY,
    /** It asks the DriverManager for its drivers, which registers all that the pool's class loader knows, for good. */
    REGISTERS_EVERY_DRIVER,
    /** It reports max and active, but neither total nor idle. */
    REPORTS_MAX_AND_ACTIVE_ONLY,
    /** It reports its max only. */
    REPORTS_MAX_ONLY,
    /** Its exception of a timeout cannot have an SQLState: the cause has it. */
    ITS_TIMEOUTS_HAVE_NO_STATE,
    /** A request that waits inside the pool when it is closed waits on until its timeout or a return. */
    LEAVES_REQUESTS_WAITING,
    /** Of a pool without a module: flexpool knows neither its sizes nor its end and uses what is configured. */
    REPORTS_NOTHING,
    /** An interrupt inside the pool costs it a connection, which is never lent or closed again. */
    LOSES_A_CONNECTION_TO_AN_INTERRUPT,
    /** Where several ask it at once, past flexpool or only watched, it refuses one now and then although it has room. */
    REFUSES_ALTHOUGH_THERE_IS_ROOM,
    /** After a driver threw an {@link Error} while it connected, it does not connect again. */
    A_DRIVERS_ERROR_BREAKS_IT,
    /** The same, but not each time. */
    A_DRIVERS_ERROR_MAY_BREAK_IT,
    /** A request that is inside it in the moment of its close may get a {@link RuntimeException}. */
    THROWS_RUNTIME_EXCEPTIONS_WHILE_IT_CLOSES,
    /** A connection that is given back in the moment of its close may stay open physically, also without flexpool. */
    MAY_LEAVE_OPEN_WHAT_COMES_BACK_WHILE_IT_CLOSES,
    /** A connection that threw an exception without SQLState is dropped, and never closed physically. */
    LEAVES_OPEN_WHAT_FAILED,
    /** It does not give what flexpool needs to open a connection past it. */
    OPENS_NOTHING_PAST_ITSELF,
    /** A leased connection stays its holder's until the holder closes it, whatever the pool's settings. */
    TAKES_NOTHING_BACK,
    /** Its own eviction misses a connection that it is lending in that moment, and lends it again afterwards. */
    ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING
}
