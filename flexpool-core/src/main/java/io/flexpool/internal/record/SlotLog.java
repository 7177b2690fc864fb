// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The record of each lease of one slot until the tick reads it: two longs in a ring, or three and a free one. Written
 * by the thread that has the slot, read by the tick; unread records are never overwritten. The writer doubles a full
 * ring, as far as the {@link LeaseLog} allows; further records are counted as lost. An idle slot releases its ring.
 *
 * <table>
 * <caption>The fields, access by access</caption>
 * <tr><th>access<th>mode<th>why that is enough<th>pairs with
 * <tr><td>{@code log} <td>plain <td>Set before the slot is published. <td>{@code Slot.next}, the stripe
 * <tr><td>{@code ring} by {@code log}, {@code larger}, {@code idle} <td>volatile <td>Stored after its content
 * was copied, and before the count of the lease that is written into it. Only the holder of the slot stores it; for an
 * idle slot, the scan is the holder. <td>{@code drainTo}
 * <tr><td>{@code ring} by {@code drainTo} <td>volatile, after {@code written} <td>In the other order a lease would
 * be read from the old ring, at the place of an older lease. A later ring has all unread records.
 * <td>{@code larger}
 * <tr><td>words of the ring <td>plain <td>Written before {@code written}, and not overwritten before {@code
 * drained} shows that they were read. <td>{@code written}, {@code drained}
 * <tr><td>{@code written} <td>plain read, release store; acquire by {@code drainTo} <td>One holder at a time
 * writes it. <td>each other
 * <tr><td>{@code drained} <td>plain read, release store; acquire by {@code log} <td>The tick writes it after it
 * has read the words. <td>each other
 * <tr><td>{@code written} and {@code drained} by {@code idle} <td>plain <td>The scan holds the slot, and runs in
 * the tick. <td>CAS of the slot's word
 * <tr><td>{@code lost}, {@code unwanted} <td>plain read, opaque store; opaque by {@code drainTo} <td>Independent
 * longs, which must not be read in halves. A late increment is in the next block. <td>none
 * <tr><td>{@code lostBefore}, {@code unwantedBefore} <td>plain <td>Used by the tick only. <td>none
 * </table>
 */
public abstract class SlotLog extends SlotRecords {
    private static final VarHandle WRITTEN = field("written");
    private static final VarHandle DRAINED = field("drained");
    private static final VarHandle LOST = field("lost");
    private static final VarHandle UNWANTED = field("unwanted");
    private static final AtomicLongArray NONE = new AtomicLongArray(0);

    /** Null if nothing reads it. Set before the slot is used. */
    private @Nullable LeaseLog log;

    /** Its length is 0 or a power of two. */
    private volatile AtomicLongArray ring = NONE;
    /** The number of leases written into the ring, ever. */
    private long written;
    /** The number of these leases that were read. */
    private long drained;
    /** The number of leases without a place in the ring. Written without a fence: a too fast pool loses many. */
    private long lost;

    private long lostBefore;
    /** The number of unwanted records. Written like {@link #lost}. */
    private long unwanted;

    private long unwantedBefore;

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(SlotLog.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    void logTo(@Nullable LeaseLog leases) {
        log = leases;
    }

    /**
     * Records a lease that ends. Called by the slot's owner only; never throws, because the lease must end even without
     * a record.
     *
     * @param site the number of its call site, 0 if that was not captured
     * @param requestClass the number of its request's class, 0 without classes
     * @param shares the result of {@link LeaseWords#share}; 0 if unknown
     */
    public final void log(
            long arrivalNanos,
            long waitNanos,
            long leaseNanos,
            int site,
            boolean nested,
            int threadId,
            int requestClass,
            long shares) {
        LeaseLog to = log;
        if (to == null) {
            return;
        }
        if (!to.wants(arrivalNanos, waitNanos + leaseNanos)) {
            UNWANTED.setOpaque(this, unwanted + 1);
            return;
        }
        try {
            AtomicLongArray now = ring;
            long at = written;
            int words = to.wordsEach;
            if (words * (at - (long) DRAINED.getAcquire(this)) >= now.length()) {
                now = larger(to, now);
                if (now == NONE) {
                    return;
                }
            }
            int place = place(words * at, now);
            now.setPlain(place, LeaseWords.begin(arrivalNanos, site, nested, threadId, requestClass));
            now.setPlain(place + 1, LeaseWords.durations(waitNanos, leaseNanos));
            if (words > 2) {
                now.setPlain(place + 2, shares);
            }
            WRITTEN.setRelease(this, at + 1);
        } catch (VirtualMachineError unrecorded) {
            return;
        }
    }

    private static int place(long word, AtomicLongArray in) {
        return (int) word & (in.length() - 1);
    }

    /** A ring of twice the size with the unread records; {@link #NONE} without memory: then a lease is lost. */
    private AtomicLongArray larger(LeaseLog leases, AtomicLongArray full) {
        int length = Math.max(leases.wordsEach * LeaseLog.FEWEST, 2 * full.length());
        if (!leases.take(length - full.length())) {
            LOST.setOpaque(this, lost + 1);
            return NONE;
        }
        AtomicLongArray twice;
        try {
            twice = new AtomicLongArray(length);
        } catch (OutOfMemoryError noMemory) {
            leases.giveBack(length - full.length());
            throw noMemory;
        }
        long end = leases.wordsEach * written;
        for (long word = end - full.length(); word < end; word++) {
            twice.setPlain(place(word, twice), full.getPlain(place(word, full)));
        }
        ring = twice;
        return twice;
    }

    /** Passes on the records since the last call. Called by the tick only. */
    final void drainTo(DrainedLeases block) {
        long to = (long) WRITTEN.getAcquire(this);
        AtomicLongArray now = ring;
        int words = log == null ? 2 : log.wordsEach;
        for (long at = drained; at < to; at++) {
            int place = place(words * at, now);
            block.add(now.getPlain(place), now.getPlain(place + 1), words > 2 ? now.getPlain(place + 2) : 0);
        }
        DRAINED.setRelease(this, to);
        long lostNow = (long) LOST.getOpaque(this);
        block.lose(lostNow - lostBefore);
        lostBefore = lostNow;
        long unwantedNow = (long) UNWANTED.getOpaque(this);
        block.passOver(unwantedNow - unwantedBefore);
        unwantedBefore = unwantedNow;
    }

    /** Called for an idle slot that no other thread has: drops a large ring; the next lease begins a small one. */
    protected final void idle() {
        AtomicLongArray now = ring;
        if (log != null && now.length() > log.wordsEach * LeaseLog.FEWEST && written == drained) {
            ring = NONE;
            log.giveBack(now.length());
        }
    }
}
