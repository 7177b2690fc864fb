// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.context.RequestOwner;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.record.Recorder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots for the leases of one pool, with thread, begin and call site; and the permits that are parked in them.
 * Lock-free, and allocation-free once a slot exists.
 *
 * <p>The slots are in stripes. A thread's id gives its stripe. While the thread has no lease, the stripe's first slot
 * usually has a parked permit, and {@link #take} takes both. If that slot is taken or has no permit, the thread gets a
 * permit from the gate and {@link #claim}s a slot for it: the first free slot of the stripe, or a new one. Slots are
 * never removed: their number is the maximum of simultaneous leases. All leases of a thread are in its stripe, where a
 * nested request finds them. A thread-local would cost a map per virtual thread, and keep a lease that another thread
 * has closed; a counter by the thread's hash would cost two shared additions per lease.
 *
 * <p>A thread that carries an {@linkplain RequestOwner owner} has the stripe of the owner's number instead, so that the
 * owner's leases are found on any thread that carries it. The public methods are for the calling thread and its owner.
 *
 * <p>A slot refers to the thread of its last lease until the next scan, a second at most. The scan replaces the ended
 * thread of an open lease by its name.
 */
public final class LeaseTable implements ParkedPermits {
    /** A handle, because a field updater would load the types of all fields of a slot. */
    private static final VarHandle AFTER;

    static {
        try {
            AFTER = MethodHandles.lookup().findVarHandle(Slot.class, "next", Slot.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int MOST_STRIPES = 1 << 10;
    /** The maximum number of leases of a stripe, if evenly spread. */
    private static final int PER_STRIPE = 4;

    private final @Nullable Gate gate;
    private final Recorder recorder;
    /** The first slot of each stripe, null before its first lease. */
    private final AtomicReferenceArray<@Nullable Slot> stripes;

    private final int classes;
    private final int mask;
    private final int bits;

    /**
     * A table for an expected number of leases, below 1 if unknown, with a minimum number of stripes, a power of two.
     *
     * @param gate the gate with the permits that are parked here; null if the pool is never limited
     */
    LeaseTable(@Nullable Gate gate, Recorder recorder, int expected, int atLeast) {
        int wanted = Math.max(1, Math.min(expected, MOST_STRIPES * PER_STRIPE) / PER_STRIPE);
        int power = Math.min(MOST_STRIPES, Math.max(atLeast, Integer.highestOneBit(2 * wanted - 1)));
        this.gate = gate;
        this.classes = gate == null ? 0 : gate.classes();
        this.recorder = recorder;
        this.mask = power - 1;
        this.bits = Integer.numberOfTrailingZeros(power);
        this.stripes = new AtomicReferenceArray<>(power);
        if (gate != null) {
            gate.setParking(this);
        }
    }

    /** A slot with unused bytes behind it: see {@link io.flexpool.internal.record.SlotRecords}. */
    @SuppressWarnings("unused") // padding is there to be unused
    private static final class PaddedSlot extends Slot {
        private long r0;
        private long r1;
        private long r2;
        private long r3;
        private long r4;
        private long r5;
        private long r6;
        private long r7;

        PaddedSlot(@Nullable Slot first, int place, int classes) {
            super(first, place, classes);
        }
    }

    private static int number(Thread thread, @Nullable RequestOwner carried) {
        return carried == null ? (int) thread.getId() : carried.number();
    }

    private int stripeOf(Thread thread, @Nullable RequestOwner carried) {
        return number(thread, carried) & mask;
    }

    private static Object owner(Thread thread, @Nullable RequestOwner carried) {
        return carried == null ? thread : carried;
    }

    /**
     * Takes a slot with its parked permit for the calling thread, if the thread has no lease and no waiter has
     * precedence. Then the thread must begin a lease in it, and return it later.
     */
    @Nullable
    public Slot take(Thread thread, long nowNanos) {
        RequestOwner carried = RequestOwner.everUsed ? RequestOwner.current() : null;
        int number = number(thread, carried);
        Slot first = stripes.get(number & mask);
        return first != null && (gate == null || gate.admits(nowNanos)) && first.take(owner(thread, carried), number)
                ? first
                : null;
    }

    /**
     * Takes a slot without a permit for the calling thread, which must begin a lease in it, or
     * {@linkplain Slot#vacate vacate} it. If it throws, no slot is taken, or it is abandoned.
     */
    public Slot claim(Thread thread) {
        RequestOwner carried = RequestOwner.everUsed ? RequestOwner.current() : null;
        Object owner = owner(thread, carried);
        int number = number(thread, carried);
        int stripe = number & mask;
        Slot first = stripes.get(stripe);
        if (first == null) {
            stripes.compareAndSet(stripe, null, recorded(new PaddedSlot(null, stripe, classes)));
            first = Objects.requireNonNull(stripes.get(stripe));
        }
        Slot claimed = first.claim(owner, number, gate == null) ? first : claimFurther(first, owner, number);
        boolean known = false;
        try {
            claimed.nested = first.overflowing() && nested(first, owner, claimed);
            known = true;
        } finally {
            if (!known) {
                claimed.abandoned = true;
            }
        }
        return claimed;
    }

    private Slot claimFurther(Slot first, Object owner, int number) {
        first.overflows(1);
        boolean claimed = false;
        try {
            Slot slot = first;
            do {
                Slot next = slot.next;
                slot = next == null ? added(first, slot) : next;
                claimed = slot.claim(owner, number, false);
            } while (!claimed);
            return slot;
        } finally {
            if (!claimed) {
                first.overflows(-1);
            }
        }
    }

    /** Whether a thread or owner has a lease in its stripe beside the lease about to begin. */
    private static boolean nested(Slot first, Object owner, Slot claimed) {
        Slot slot = first;
        while (slot != null && (slot == claimed || !slot.isHeldBy(owner))) {
            slot = slot.next;
        }
        return slot != null;
    }

    /** Prepares a slot before its use. It stays empty if another thread has added a slot first. */
    private Slot recorded(Slot slot) {
        recorder.add(slot);
        return slot;
    }

    private Slot added(Slot first, Slot last) {
        AFTER.compareAndSet(last, null, recorded(new PaddedSlot(first, last.place + (1 << bits), classes)));
        return Objects.requireNonNull(last.next);
    }

    /** The class of the longest lease of a thread; {@link #ANY} without a lease. Exact like {@link #heldBy}. */
    public int classHeldBy(Thread thread) {
        Slot held = longestHeldBy(thread);
        return held == null ? ANY : held.requestClass;
    }

    /** Whether a thread, or the owner that it carries, has a lease. As {@link #heldBy}. */
    public boolean holds(Thread thread) {
        return heldBy(thread) != null;
    }

    /** A slot with a lease of a thread, or of its owner; null without a lease. Exact for the calling thread. */
    @Nullable
    Slot heldBy(Thread thread) {
        RequestOwner carried = RequestOwner.everUsed ? RequestOwner.current() : null;
        Object owner = owner(thread, carried);
        for (Slot slot = stripes.get(stripeOf(thread, carried)); slot != null; slot = slot.next) {
            if (slot.isHeldBy(owner)) {
                return slot;
            }
        }
        return null;
    }

    /** The slot with the longest lease of a thread: a forgotten lease, if there is one; exact like {@link #heldBy}. */
    @Nullable
    Slot longestHeldBy(Thread thread) {
        RequestOwner carried = RequestOwner.everUsed ? RequestOwner.current() : null;
        Object owner = owner(thread, carried);
        Slot longest = null;
        for (Slot slot = stripes.get(stripeOf(thread, carried)); slot != null; slot = slot.next) {
            if (slot.isHeldBy(owner) && (longest == null || slot.acquiredNanos - longest.acquiredNanos < 0)) {
                longest = slot;
            }
        }
        return longest;
    }

    public Slot at(int place) {
        Slot slot = stripes.get(place & mask);
        for (int hops = place >>> bits; hops > 0 && slot != null; hops--) {
            slot = slot.next;
        }
        return Objects.requireNonNull(slot);
    }

    // ---- permits ----

    /** Searches the stripes. With more running threads than permits, a thread does so about once per time slice. */
    @Override
    public int take(int requestClass) {
        int own = stripeOf(Thread.currentThread(), null);
        for (int at = 0; at <= mask; at++) {
            Slot first = stripes.get((own + at) & mask);
            int taken = first == null ? ANY : first.takePermit(requestClass);
            if (taken != ANY) {
                return taken;
            }
        }
        return ANY;
    }

    @Override
    public int count() {
        return count(ANY);
    }

    @Override
    public int count(int requestClass) {
        int count = 0;
        for (int at = 0; at <= mask; at++) {
            Slot first = stripes.get(at);
            boolean its = first != null && (requestClass == ANY || first.requestClass == requestClass);
            count += its && first.hasParked() ? 1 : 0;
        }
        return count;
    }

    // ---- the scan, and readers ----

    /** Visits the abandoned slots, each of which then belongs to the caller, who must return it. */
    public void takeAbandoned(Consumer<Slot> taker) {
        for (int at = 0; at <= mask; at++) {
            for (Slot slot = stripes.get(at); slot != null; slot = slot.next) {
                if (slot.takeAbandoned()) {
                    taker.accept(slot);
                }
            }
        }
    }

    /** Once a second: marks slots that ended threads have left taken, and removes the threads of idle slots. */
    void scan(long nowNanos) {
        boolean outOfReach = false;
        for (int at = 0; at <= mask; at++) {
            Slot first = stripes.get(at);
            int taken = 0;
            for (Slot slot = first; slot != null; slot = slot.next) {
                outOfReach |= slot.scanned(nowNanos);
                taken += slot == first || slot.owner() == null ? 0 : 1;
            }
            if (first != null) {
                first.correctOverflow(taken, nowNanos);
            }
        }
        if (outOfReach && gate != null) {
            gate.afterPark(nowNanos, Long.MAX_VALUE);
        }
    }

    /** For each class two figures: ended leases and their total nanoseconds; not an atomic snapshot. */
    public long[] byClass() {
        long[] sums = new long[2 * classes];
        for (int at = 0; at <= mask; at++) {
            for (Slot slot = stripes.get(at); slot != null; slot = slot.next) {
                if (slot.ended != null) {
                    slot.ended.addTo(sums);
                }
            }
        }
        return sums;
    }

    /** The number of open leases of a class, or of {@link #ANY}, not an atomic snapshot. */
    public int openCount(int requestClass) {
        int[] count = new int[1];
        forEach((slot, generation) -> count[0] += requestClass == ANY || slot.requestClass == requestClass ? 1 : 0);
        return count[0];
    }

    @FunctionalInterface
    interface Visitor {
        void visit(Slot slot, long generation);
    }

    /**
     * Visits all slots with a lease, in no order: their fields may change at any moment, and {@link Slot#unchanged}
     * shows whether the read values belong to the generation.
     */
    void forEach(Visitor visitor) {
        for (int at = 0; at <= mask; at++) {
            for (Slot slot = stripes.get(at); slot != null; slot = slot.next) {
                long generation = slot.generation();
                if (Slot.isLease(generation)) {
                    visitor.visit(slot, generation);
                }
            }
        }
    }
}
