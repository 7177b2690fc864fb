// SPDX-License-Identifier: Apache-2.0
/**
 * The gate: how many requests may be inside the pool at once, and in what order waiting ones enter. It knows permits
 * and waiters only; {@code resize} decides when a limit moves, and the caller what a waiter does meanwhile.
 *
 * <p><b>The fields of {@code Gate} and of its waiters, access by access.</b> Parked permits are in the words of slots, whose
 * table is in the package {@code lease}.
 *
 * <table>
 * <caption>Gate</caption>
 * <tr><th>access<th>mode<th>why that is enough<th>pairs with
 * <tr><td>{@code counts} by {@code countWaiters}, {@code putBack}, {@code removeSurplus}, {@code reserve} <td>getAndAdd <td>Permits and waiters are one word: of a release and a waiter that
 * joins the second sees the first. <td>itself
 * <tr><td>{@code counts} by {@code take} <td>volatile read, CAS <td>A permit is taken
 * only from the word that was read. <td>itself
 * <tr><td>{@code counts} by {@code admits}, {@code canPark}, {@code tryEnter}, {@code inUse}, {@code waitingCount}
 * <td>volatile <td>Read once for both numbers. Whether a waiter goes first is a matter of order, not of safety.
 * <td>getAndAdd
 * <tr><td>{@code counts} by {@code afterPark} <td>volatile, without a fence before it <td>It follows the release that
 * parked the permit, which may still be on its way: a waiter can be missed. The first one of a queue sleeps for 50
 * &micro;s only and looks again; the tick looks too. <td>getAndAdd of {@code countWaiters}; search of {@code await}
 * <tr><td>{@code Waiter.woken} by {@code serve} in {@code afterPark} <td>full fence, then volatile read <td>The
 * permit is parked before the flag is read. If the flag is set, the waiter has yet to search. <td>full fence of
 * {@code await}
 * <tr><td>{@code Waiter.woken} by {@code await} <td>volatile store, then full fence <td>The flag is cleared before
 * the slots are searched. Their words are read with acquire, which no volatile store waits for. <td>full fence of
 * {@code parked}
 * <tr><td>{@code Waiter.woken} by {@code wake} <td>volatile store, then unpark <td>A second wake-up
 * in vain does no harm. <td>{@code await}
 * <tr><td>{@code limit}, {@code foreign}, {@code open}, {@code writtenOff}, {@code held} <td>volatile; written under the
 * lock <td>Two writers would leave a wrong sum. Readers want the last value of each. <td>lock {@code writing}
 * <tr><td>{@code permitsIfResumed}, {@code permits} <td>volatile; written under the lock <td>A waiter is in the queue before it reads them; who changes them reads the queue next: one
 * of the two sees the other. <td>the queue
 * <tr><td>{@code mostWaiting} <td>volatile, CAS, getAndSet <td>A maximum of several threads, taken by the tick.
 * <td>itself
 * <tr><td>{@code parked} <td>plain <td>Set before the pool is used, and published with it. <td>publication of the
 * pool
 * <tr><td>{@code Waiter.claim} <td>CAS, volatile read <td>Permit, timeout, interrupt and expiry: one of them has
 * the waiter. <td>itself
 * <tr><td>{@code Waiter.counted} <td>volatile store of the waiting thread, once it is counted; CAS; volatile store back <td>Who
 * ends it lowers the count, once. A server that grants before it is set finds it new, and the waiting thread reads {@code claim} after
 * it: one of the two lowers. <td>itself; {@code claim}
 * <tr><td>{@code Waiter.left}, {@code wakeRequested} <td>volatile <td>Set by a thread that has no stack to leave, or
 * that recalls all; checked before each grant and each sleep. <td>unpark; next check
 * <tr><td>{@code Waiter.passedUntilNanos} <td>volatile <td>Of two that set it any may win: both are from the same
 * moment. <td>itself
 * <tr><td>{@code Waiter.thread} <td>plain <td>Set before the queue publishes the waiter. It is cleared by the one
 * that won the claim; who reads null unparks nobody, and nobody has to be. <td>the queue; {@code claim}
 * <tr><td>{@code Waiter.ahead} <td>plain <td>Of the waiting thread. <td>none
 * <tr><td>{@code Waiter.unsettledChecks} <td>plain <td>Of the tick. <td>none
 * <tr><td>{@code ClassGate.pendingRuns}, {@code serving}, {@code forceNext} <td>incrementAndGet; CAS, volatile store;
 * volatile <td>Who finds another thread serving has counted before, and the other compares after it has let go:
 * one of the two serves again. <td>each other
 * <tr><td>{@code usedByClass} <td>getAndAdd, CAS <td>A class with a most is raised only from the number that was
 * read. <td>itself
 * </table>
 */
@NullMarked
package io.flexpool.internal.gate;

import org.jspecify.annotations.NullMarked;
