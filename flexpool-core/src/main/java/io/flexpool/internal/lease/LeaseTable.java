// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.jdbc.LeasedConnection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The open leases of one pool: which thread holds a connection, since when and from which call site. Lock-free, and
 * allocation-free once a slot exists.
 *
 * <p>A thread has a stripe, by its id, and takes the stripe's first free slot: one compare-and-set from null to the
 * thread, in an array that few other threads touch. So all leases of a thread are in its stripe, and checking whether
 * it holds one reads eight references on one cache line. A full stripe gets eight more slots, which stay: the table is
 * as large as the highest number of leases ever open at once.
 *
 * <p>A slot's other fields are plain. They are guarded by a word that is even while they belong to one lease and odd in
 * between: only the thread that took the slot, and later the one that ends the lease, write them, and a reader that
 * finds the same even word before and after has read one lease.
 *
 * <p>Ended leases leave nothing behind: their slot's references are cleared. For an open lease whose thread has ended
 * the next scan replaces the thread by its name.
 */
public final class LeaseTable {
    static final int SLOTS = 8;
    /** {@link Slot#untilCapture} of a lease due for capture; less only for a slot's first one. */
    static final int NEXT = -1;

    /** Keeps the threads of two stripes off one cache line: references of four bytes, 64 bytes on either side. */
    private static final int PAD = 16;

    private static final int MOST_STRIPES = 1 << 10;
    /** Leases that a stripe should hold at most, if they spread evenly. */
    private static final int PER_STRIPE = SLOTS / 2;

    private final Chunk[] stripes;
    private final int mask;
    private final int bits;

    /** For about so many leases at once, below 1 if unknown; with a minimum number of stripes, a power of two. */
    LeaseTable(int expected, int atLeast) {
        int wanted = Math.max(1, Math.min(expected, MOST_STRIPES * PER_STRIPE) / PER_STRIPE);
        int power = Math.min(MOST_STRIPES, Math.max(atLeast, Integer.highestOneBit(2 * wanted - 1)));
        this.mask = power - 1;
        this.bits = Integer.numberOfTrailingZeros(power);
        this.stripes = new Chunk[power];
        for (int stripe = 0; stripe < power; stripe++) {
            stripes[stripe] = new Chunk(stripe, bits);
        }
    }

    /** Eight slots of one stripe, and the next eight if there are more. */
    private static final class Chunk {
        private static final AtomicReferenceFieldUpdater<Chunk, @Nullable Chunk> NEXT =
                AtomicReferenceFieldUpdater.newUpdater(Chunk.class, Chunk.class, "next");

        /** Per slot a {@link Thread}, or the {@link ThreadIdentity} of an ended one; null if the slot is free. */
        private final AtomicReferenceArray<@Nullable Object> owners = new AtomicReferenceArray<>(PAD + SLOTS + PAD);

        private final Slot[] slots = new Slot[SLOTS];
        private volatile @Nullable Chunk next;

        Chunk(int firstPlace, int bits) {
            for (int at = 0; at < SLOTS; at++) {
                slots[at] = new Slot(owners, PAD + at, firstPlace + (at << bits));
            }
        }

        Chunk nextOrNew(int bits) {
            if (next == null) {
                NEXT.compareAndSet(this, null, new Chunk(slots[0].place + (SLOTS << bits), bits));
            }
            return Objects.requireNonNull(next);
        }
    }

    /** A place for one lease. */
    public static final class Slot {
        private static final VarHandle WORD;

        static {
            try {
                WORD = MethodHandles.lookup().findVarHandle(Slot.class, "word", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        /** Not the word of a slot without a lease: those are odd. */
        private static final int SHOWN = 0;

        private final AtomicReferenceArray<@Nullable Object> owners;
        private final int at;
        /** The slot's number: {@link LeaseTable#at}. */
        public final int place;
        /** Even while the fields belong to one lease; incremented by its begin and its end. */
        private int word = 1;
        /** The odd word with which the scan last saw the slot claimed; else {@link #SHOWN}. Written by the scan. */
        private int lastSeen = SHOWN;
        /**
         * The odd word with which the slot is left over. Written by the scan; cleared by the thread that frees the
         * slot.
         */
        private int leftOver = SHOWN;
        /** Leases of this slot until a call site is captured. Written by the slot's owner. */
        int untilCapture = NEXT;
        /** Time of the last capture; undefined before the first. */
        long capturedNanos;

        long acquiredNanos;
        long waitedNanos;
        long inDatabaseNanos;
        /** Start of the current call into the database; 0 if none runs. */
        long busySinceNanos;

        CallSites.@Nullable CallSite site;

        @Nullable
        String statement;

        @Nullable
        LeasedConnection lease;
        /** Written by the scan only, and cleared with the lease. */
        LeakDetector.@Nullable Suspect suspect;

        private Slot(AtomicReferenceArray<@Nullable Object> owners, int at, int place) {
            this.owners = owners;
            this.at = at;
            this.place = place;
        }

        /** Begins a lease in a claimed slot. */
        void begin(long acquired, long waited, CallSites.@Nullable CallSite captured) {
            acquiredNanos = acquired;
            waitedNanos = waited;
            inDatabaseNanos = 0;
            busySinceNanos = 0;
            if (captured != null) {
                site = captured;
            }
            WORD.setRelease(this, word + 1);
        }

        /** Ends the lease and frees the slot; also one claimed without a lease. */
        void end() {
            if ((word & 1) == 0) {
                WORD.setOpaque(this, word + 1);
                VarHandle.releaseFence();
            }
            // Storing null costs a store without a collector's barrier; the check avoids even that.
            if (site != null) {
                site = null;
            }
            if (statement != null) {
                statement = null;
            }
            if (lease != null) {
                lease = null;
            }
            if (suspect != null) {
                suspect = null;
            }
            owners.setRelease(at, null);
        }

        /** Identifies the lease in the slot; odd if there is none. */
        int generation() {
            return (int) WORD.getAcquire(this);
        }

        /** Whether all reads since {@link #generation()} belong to that lease. */
        boolean still(int generation) {
            VarHandle.acquireFence();
            return (int) WORD.getOpaque(this) == generation;
        }

        /** Leaves a mark for the thread that ends the suspected lease, unless it has ended. */
        void mark(LeakDetector.Suspect mark) {
            suspect = mark;
            VarHandle.fullFence();
            if (!mark.isOf(generation())) {
                suspect = null;
            }
        }

        /** A {@link Thread} or {@link ThreadIdentity}; null if the slot is free. */
        @Nullable
        Object owner() {
            return owners.getAcquire(at);
        }

        /** Called by the scan: whether the slot is claimed without a lease, now and at the last scan. */
        private boolean seenLeftOver() {
            int seen = generation();
            boolean shows = (seen & 1) == 0 || owner() == null;
            boolean again = !shows && lastSeen == seen;
            lastSeen = shows ? SHOWN : seen;
            leftOver = again ? seen : SHOWN;
            return again;
        }

        /**
         * Called by the owning thread while it does not begin a lease, or after that thread has ended. A lease's end
         * takes far less than the second between two scans.
         */
        private void freeIfLeftOver() {
            if (leftOver == generation()) {
                leftOver = SHOWN;
                end();
            }
        }

        /** Replaces an ended thread by its identity. */
        void forgetEndedThread() {
            if (owner() instanceof Thread thread && !thread.isAlive()) {
                // If the lease has ended meanwhile, the slot is free or another thread's: an ended thread takes none.
                owners.compareAndSet(at, thread, ThreadIdentity.of(thread));
            }
        }
    }

    /** Takes a slot for the calling thread, which must call {@link Slot#begin} or {@link Slot#end} next. */
    Slot claim(Thread thread) {
        Chunk chunk = stripes[(int) thread.getId() & mask];
        while (true) {
            for (int at = 0; at < SLOTS; at++) {
                if (chunk.owners.getPlain(PAD + at) == null && chunk.owners.compareAndSet(PAD + at, null, thread)) {
                    return chunk.slots[at];
                }
            }
            chunk = chunk.nextOrNew(bits);
        }
    }

    /** A slot with a lease of a thread; null if it has none. Exact for the calling thread. */
    @Nullable
    Slot heldBy(Thread thread) {
        for (Chunk chunk = stripes[(int) thread.getId() & mask]; chunk != null; chunk = chunk.next) {
            for (int at = 0; at < SLOTS; at++) {
                if (chunk.owners.getPlain(PAD + at) == thread) {
                    Slot slot = chunk.slots[at];
                    if ((slot.word & 1) == 0) {
                        return slot;
                    }
                    slot.freeIfLeftOver();
                }
            }
        }
        return null;
    }

    /** The slot with a number. */
    Slot at(int place) {
        Chunk chunk = stripes[place & mask];
        int number = place >>> bits;
        for (int hops = number / SLOTS; hops > 0; hops--) {
            chunk = Objects.requireNonNull(chunk.next);
        }
        return chunk.slots[number % SLOTS];
    }

    /**
     * Frees leftover slots: claimed, and without a lease at two scans, because a stack overflow cut the begin or end of
     * the lease short. A living thread's slots are freed with its next request.
     */
    void freeLeftovers() {
        forEachSlot(slot -> {
            if (slot.seenLeftOver() && !(slot.owner() instanceof Thread thread && thread.isAlive())) {
                slot.freeIfLeftOver();
            }
        });
    }

    /** The number of open leases, not an atomic snapshot. */
    int count() {
        int[] count = new int[1];
        forEach((slot, generation) -> count[0]++);
        return count[0];
    }

    /**
     * Visits all slots with a lease, in no order: their fields may change at any moment, and {@link Slot#still} says whether
     * those that were read belong to the generation.
     */
    void forEach(ObjIntConsumer<Slot> visitor) {
        forEachSlot(slot -> {
            int generation = slot.generation();
            if ((generation & 1) == 0) {
                visitor.accept(slot, generation);
            }
        });
    }

    private void forEachSlot(Consumer<Slot> visitor) {
        for (Chunk first : stripes) {
            for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
                for (Slot slot : chunk.slots) {
                    visitor.accept(slot);
                }
            }
        }
    }
}
