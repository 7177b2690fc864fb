// SPDX-License-Identifier: Apache-2.0
/**
 * Open leases: which thread holds a connection, since when and from which call site; nested acquisitions; leaks. The
 * leased connection is in {@code jdbc}; statistics of ended leases are in {@code record}.
 *
 * <p><b>The fields of {@code Slot}, access by access.</b> The holder is the thread that has taken the slot, until the
 * slot is parked, free or vacated; each release of the word and the next compare-and-set of it order two holders.
 *
 * <table>
 * <caption>Slot</caption>
 * <tr><th>access<th>mode<th>why that is enough<th>pairs with
 * <tr><td>{@code word} by {@code transition} (take, claim) <td>plain read, then CAS <td>A read that is too
 * old makes the CAS fail or the caller search on. The CAS orders the last holder's writes before this holder's.
 * <td>release of {@code park}, {@code vacate}
 * <tr><td>{@code word} by {@code takePermit} <td>acquire, then CAS <td>The class is read between the two. It
 * changes only while the slot is taken, and each taking changes the number, so the CAS fails. <td>{@code park}
 * <tr><td>{@code word} by {@code begin} <td>release <td>Readers that see the lease see its fields. <td>acquire of
 * {@code generation}
 * <tr><td>{@code word} by {@code end} <td>opaque, then a release fence <td>The fields are cleared after it. A
 * reader that sees a cleared field sees that the lease has ended. A plain store could be reordered after them.
 * <td>acquire fence and opaque read of {@code unchanged}
 * <tr><td>{@code word} by {@code park}, {@code vacate} <td>release <td>The records and fields of the
 * lease come before the next holder. No fence after it: a waiter may miss a parked permit, and checks again (see
 * {@code Gate}). <td>CAS of the next holder; acquire of {@code hasParked}
 * <tr><td>{@code word} by {@code forgetOwner} <td>CAS, then volatile store <td>The slot is taken for the moment,
 * so the store needs no comparison. Volatile, because the count of waiters is read next, and no waiter checks again for
 * this permit. <td>addition of {@code Gate.join}
 * <tr><td>{@code word} by {@code numbered} <td>acquire <td>Only the holder calls it. A plain read is enough for
 * the thread that took the slot, but another thread may end the lease. <td>release of {@code begin}
 * <tr><td>{@code word} by {@code generation}, {@code owner}, {@code hasParked}, {@code isHeldBy} <td>acquire
 * <td>Later reads are not older than the word. <td>release of {@code begin} and {@code park}
 * <tr><td>{@code word} by {@code unchanged} <td>acquire fence, opaque <td>The fields are read before it. A lease's
 * number is never reused. <td>release fence of {@code end}
 * <tr><td>{@code owner} by {@code take}, {@code claim} <td>plain read and store <td>By the holder. Readers check the
 * word before and after. <td>CAS of {@code transition}
 * <tr><td>{@code owner} by {@code isHeldBy} <td>plain <td>Exact for the caller, which has written it, or the
 * thread that carried the owner before. {@code unchanged} detects other writes. <td>own store; {@code unchanged}
 * <tr><td>{@code owner} by {@code owner}, {@code ownerEnded}, {@code forgetEndedThread} <td>acquire; CAS <td>The
 * scan replaces an ended thread by its identity, whose fields readers use. An ended thread writes no owner. If a new
 * holder stores its owner, the CAS fails, or comes first and is overwritten. <td>each other
 * <tr><td>{@code owner} by {@code forgetOwner} <td>plain <td>The scan holds the slot. <td>volatile store of the
 * word
 * <tr><td>{@code abandoned} <td>volatile; CAS to take it <td>The last store of a thread without stack for a
 * call, or of the scan for an ended thread: all earlier stores come before other threads' accesses to the slot. One
 * thread takes the mark, and then has the slot. Accessed in rare cases only. <td>itself
 * <tr><td>{@code step}, {@code endedNanos} <td>plain <td>Written by the holder; read by the thread that takes
 * the mark. <td>{@code abandoned}
 * <tr><td>{@code requests} <td>plain; acquire by readers <td>Written by the holder, before the acquisition is
 * counted. <td>release of {@code acquired}
 * <tr><td>{@code overflow} by {@code overflows}, {@code vacate} <td>getAndAdd <td>Several threads add at once.
 * <td>itself
 * <tr><td>{@code overflow} by {@code take}, {@code overflowing} <td>plain <td>Only the caller's leases in further
 * slots matter, and the caller has counted them itself. A number that is too high costs the slow path.
 * <td>own getAndAdd
 * <tr><td>{@code overflow} by {@code correctOverflow} <td>plain read, then CAS <td>The number must be the same as
 * half a second ago. A thread that stood still that long between count and slot is uncounted: its next request is not
 * detected as nested, and the number is corrected after its end. <td>getAndAdd of {@code overflows}
 * <tr><td>{@code next} <td>volatile, CAS <td>A new slot is complete, with its log, before it is visible. <td>itself
 * <tr><td>{@code requestClass}, {@code tenant}, {@code nested}, {@code threadId}, {@code untilCapture}, {@code
 * capturedNanos} <td>plain <td>Written by the holder. Figures that are read without a check ({@code count}, {@code
 * openCount}) may be off by a lease that begins or ends. <td>word: CAS, release
 * <tr><td>{@code acquiredNanos}, {@code waitedNanos}, {@code site}, {@code lease} <td>plain <td>Written by the
 * holder before {@code begin}. <td>release of {@code begin}; {@code unchanged}
 * <tr><td>{@code inDatabaseNanos}, {@code busySinceNanos}, {@code firstNanos} and so on, {@code statement} <td>plain <td>Written during the
 * lease by the thread that calls the database. Views may show the call before; a call that another thread begins
 * while the lease ends may be shown for the next one until its first call. <td>none; {@code unchanged}
 * <tr><td>{@code suspect} by {@code mark} <td>plain store, full fence, acquire of the word <td>If the lease has
 * ended, the mark is removed. The thread that ends it has no fence between its word and its check, so both may miss
 * each other: then the mark stays with the old number, matches no other lease, and the next scan resolves it.
 * <td>check of {@code end}
 * <tr><td>{@code reports} <td>plain <td>Written by the holder in {@code begin}, and by the scan before the suspect: if
 * a thread reads the suspect without the flag, or neither, the next scan resolves the suspect. <td>{@code mark}
 * <tr><td>{@code suspect} by {@code LeaseTracker.ending}, {@code end} <td>plain <td>As above. A suspect is a
 * record: its fields are final. <td>{@code mark}
 * <tr><td>{@code lastSeen}, {@code lastSeenNanos}, {@code overflowSeen}, {@code overflowSeenNanos} <td>plain
 * <td>Used by the scan only, which one thread runs at a time; the lock of the rounds orders two scans. <td>none
 * <tr><td>{@code place}, {@code first}, {@code parks}, {@code ended} <td>final <td> <td>none
 * </table>
 */
@NullMarked
package io.flexpool.internal.lease;

import org.jspecify.annotations.NullMarked;
