// SPDX-License-Identifier: Apache-2.0
/**
 * The gate: the number of requests that may be inside the pool at once, and the order in which waiting requests enter.
 * The gate has only permits and waiters; {@code resize} changes the limit, and the caller decides how a waiter waits.
 *
 * <p><b>The fields of {@code Gate} and of its waiters, access by access.</b> Parked permits are in slots' words, which
 * have a table in the package {@code lease}.
 *
 * <table>
 * <caption>Gate</caption>
 * <tr><th>access<th>mode<th>why that is enough<th>pairs with
 * <tr><td>{@code counts} by {@code countWaiters}, {@code putBack}, {@code removeSurplus}, {@code reserve}
 * <td>getAndAdd <td>One word has permits and waiters: of a release and a join, the later sees the earlier. <td>itself
 * <tr><td>{@code counts} by {@code take} <td>volatile read, CAS <td>A permit is taken
 * only from the word that was read. <td>itself
 * <tr><td>{@code counts} by {@code admits}, {@code canPark}, {@code tryEnter}, {@code inUse}, {@code waitingCount}
 * <td>volatile <td>Read once for both numbers. Whether a waiter goes first is a matter of order, not of safety.
 * <td>getAndAdd
 * <tr><td>{@code counts} by {@code afterPark} <td>volatile, without a fence before it <td>It follows the release that
 * parked the permit, which may still be on its way: a waiter can be missed. The first waiter of a queue sleeps for 50
 * &micro;s only and checks again; the tick checks too. <td>getAndAdd of {@code countWaiters}; search of {@code await}
 * <tr><td>{@code Waiter.woken} by {@code serve} in {@code afterPark} <td>full fence, then volatile read <td>The
 * permit is parked before the flag is read. If the flag is set, the waiter has yet to search. <td>full fence of
 * {@code await}
 * <tr><td>{@code Waiter.woken} by {@code await} <td>volatile store, then full fence <td>The flag is cleared before
 * the slots are searched. An acquire read of a slot's word may overtake a volatile store. <td>full fence of
 * {@code afterPark}
 * <tr><td>{@code Waiter.woken} by {@code wake} <td>volatile store, then unpark <td>A superfluous
 * wake-up does no harm. <td>{@code await}
 * <tr><td>{@code limit}, {@code foreign}, {@code open}, {@code writtenOff}, {@code paused} <td>volatile; written under the
 * lock <td>Two writers would leave a wrong sum. Readers need the latest value of each. <td>lock {@code writing}
 * <tr><td>{@code permitsIfResumed}, {@code permits} <td>volatile; written under the lock <td>A waiter joins the queue
 * before it reads them; a writer reads the queue after the change: one of the two sees the other. <td>the queue
 * <tr><td>{@code mostWaiting} <td>volatile, CAS, getAndSet <td>A maximum of several threads, taken by the tick.
 * <td>itself
 * <tr><td>{@code parked} <td>plain <td>Set before the pool is used, and published with it. <td>publication of the
 * pool
 * <tr><td>{@code Waiter.claim} <td>CAS, volatile read <td>Permit, timeout, interrupt and expiry: exactly one
 * claims the waiter. <td>itself
 * <tr><td>{@code Waiter.counted} <td>volatile store of the waiting thread, once it is counted; CAS;
 * volatile store back <td>The thread that ends the wait lowers the count, once. If a grant comes before the first
 * store, it finds the waiter new, and the waiting thread reads {@code claim} after the store: one of the two lowers.
 * <td>itself; {@code claim}
 * <tr><td>{@code Waiter.left}, {@code wakeRequested} <td>volatile <td>Set by a thread without stack to leave,
 * or by {@code wakeAll}; checked before each grant and each sleep. <td>unpark; next check
 * <tr><td>{@code Waiter.passedUntilNanos} <td>volatile <td>Of two concurrent writes either may win: both have the
 * same time. <td>itself
 * <tr><td>{@code Waiter.thread} <td>plain <td>Set before the queue publishes the waiter. The thread that
 * won the claim clears it; a thread that reads null need not unpark. <td>the queue; {@code claim}
 * <tr><td>{@code Waiter.ahead} <td>plain <td>Used by the waiting thread only. <td>none
 * <tr><td>{@code Waiter.unsettledChecks} <td>plain <td>Used by the tick only. <td>none
 * <tr><td>{@code ClassGate.pendingRuns}, {@code serving}, {@code forceNext} <td>incrementAndGet; CAS, volatile store;
 * volatile <td>A thread that finds another one assigning has incremented before; the other compares after it has
 * cleared {@code serving}: one of the two assigns again. <td>each other
 * <tr><td>{@code usedByClass} <td>getAndAdd, CAS <td>The count of a class with a maximum is raised only from the
 * value that was read. <td>itself
 * </table>
 */
@NullMarked
package io.flexpool.internal.gate;

import org.jspecify.annotations.NullMarked;
