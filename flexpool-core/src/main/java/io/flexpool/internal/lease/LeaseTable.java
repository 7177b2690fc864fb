// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.record.Stripes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The open leases of one pool: who has a connection, since when and from where. Without a lock, and without an
 * allocation once a slot is there.
 *
 * <p>A thread has a stripe, found by its number, and takes the first free slot of it: one compare-and-set from null to
 * the thread, in an array that few other threads touch. So the leases of one thread all lie in its stripe, and whether it
 * holds one is a look at eight references on one cache line. A stripe that is full gets eight slots more, which stay:
 * the table is as large as the largest number of leases that were ever open at once.
 *
 * <p>A slot's other fields are plain. They are guarded by a word that is even while they belong to one lease and odd in
 * between: only the thread that took the slot, and later the one that ends the lease, write them, and a reader who finds
 * the same even word before and after has read one lease and not two.
 *
 * <p>Ended leases leave nothing behind: their slot's references are cleared. Of an open lease whose thread has ended only
 * the thread's name is kept, as soon as the sweep has seen it.
 */
public final class LeaseTable {
    static final int SLOTS = 8;
    /** {@link Slot#untilCapture} of a lease whose turn it is; less only for the first one of a slot. */
    static final int NEXT = -1;

    /** Keeps the threads of two stripes off one cache line: references of four bytes, 64 bytes on either side. */
    private static final int PAD = 16;

    private static final int MOST_STRIPES = 1 << 10;
    /** Leases that a stripe should hold at most, if they spread evenly. */
    private static final int PER_STRIPE = SLOTS / 2;

    private final Chunk[] stripes;
    private final int mask;
    private final int bits;

    /**
     * For a pool of a size.
     *
     * @param expected about how many leases may be open at once; anything below 1 if nobody knows
     */
    LeaseTable(int expected) {
        this(expected, Stripes.count());
    }

    /** With at least so many stripes, a power of two. */
    LeaseTable(int expected, int atLeast) {
        int wanted = Math.max(1, Math.min(expected, MOST_STRIPES * PER_STRIPE) / PER_STRIPE);
        int power = Math.min(MOST_STRIPES, Math.max(atLeast, Integer.highestOneBit(2 * wanted - 1)));
        this.mask = power - 1;
        this.bits = Integer.numberOfTrailingZeros(power);
        this.stripes = new Chunk[power];
        for (int stripe = 0; stripe < power; stripe++) {
            stripes[stripe] = new Chunk(0, stripe, bits);
        }
    }

    /** Eight slots of one stripe, and the next eight if there are more. */
    private static final class Chunk {
        private static final VarHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup().findVarHandle(Chunk.class, "next", Chunk.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        /** Of each slot a {@link Thread}, or the {@link ThreadIdentity} that remains of it; null if the slot is free. */
        private final AtomicReferenceArray<@Nullable Object> owners = new AtomicReferenceArray<>(PAD + SLOTS + PAD);

        private final Slot[] slots = new Slot[SLOTS];
        private final int number;
        private volatile @Nullable Chunk next;

        Chunk(int number, int stripe, int bits) {
            this.number = number;
            for (int at = 0; at < SLOTS; at++) {
                slots[at] = new Slot(owners, PAD + at, (((number * SLOTS) + at) << bits) | stripe);
            }
        }

        Chunk nextOrNew(int stripe, int bits) {
            Chunk after = next;
            if (after != null) {
                return after;
            }
            Chunk fresh = new Chunk(number + 1, stripe, bits);
            Chunk witness = (Chunk) NEXT.compareAndExchange(this, null, fresh);
            return witness == null ? fresh : witness;
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

        /** No word of a slot without a lease, for those are odd. */
        private static final int SHOWN = 0;

        private final AtomicReferenceArray<@Nullable Object> owners;
        private final int at;
        /** Leads back here: {@link LeaseTable#at}. */
        public final int place;
        /** Even while the fields belong to one lease; moved on by its begin and its end. */
        private int word = 1;
        /** The odd word under which the sweep last saw the slot claimed; {@link #SHOWN} if it did not. Written by the sweep. */
        private int lastSeen = SHOWN;
        /** The odd word under which the slot is left over. Written by the sweep; cleared by whoever frees the slot. */
        private int leftOver = SHOWN;
        /** How many leases of this slot go by before a call site is captured; of whoever holds the slot. */
        int untilCapture = NEXT;
        /** When that was; without meaning before the first. */
        long capturedNanos;

        long acquiredNanos;
        long waitedNanos;
        long inDatabaseNanos;
        /** Since when a call into the database runs; 0 if none does. */
        long busySinceNanos;

        CallSites.@Nullable CallSite site;

        @Nullable
        String statement;

        @Nullable
        LeasedConnection lease;
        /** Written by the sweep only, and cleared with the lease. */
        LeakDetector.@Nullable Suspect suspect;

        private Slot(AtomicReferenceArray<@Nullable Object> owners, int at, int place) {
            this.owners = owners;
            this.at = at;
            this.place = place;
        }

        /** Shows a lease in a slot that has been claimed. */
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

        /** Forgets the lease and frees the slot; also one that was claimed and never began. */
        void end() {
            if ((word & 1) == 0) {
                WORD.setOpaque(this, word + 1);
                VarHandle.releaseFence();
            }
            // Null costs a store and no barrier of the collector; nothing costs neither.
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

        /** Whether a lease is shown in the slot; exact for the thread that claimed it, until the lease ends. */
        boolean begun() {
            return (word & 1) == 0;
        }

        /** Which lease is in the slot, as long as it is; odd if none is. */
        int generation() {
            return (int) WORD.getAcquire(this);
        }

        /** Whether what was read since {@link #generation()} belongs to that lease alone. */
        boolean still(int generation) {
            VarHandle.acquireFence();
            return (int) WORD.getOpaque(this) == generation;
        }

        /** Leaves a mark for whoever ends the suspected lease, unless it has ended. */
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

        /** By the sweep: whether the slot is claimed and shows no lease, and did so when the sweep last came by. */
        private boolean seenLeftOver() {
            int seen = generation();
            boolean shows = (seen & 1) == 0 || owner() == null;
            boolean again = !shows && lastSeen == seen;
            lastSeen = shows ? SHOWN : seen;
            leftOver = again ? seen : SHOWN;
            return again;
        }

        /**
         * By the thread that owns it, which is not about to begin a lease, or after that thread has ended. Between its last
         * word and its last breath a lease's end needs no second, which is what passes between two looks of the sweep.
         */
        private void freeIfLeftOver() {
            if (leftOver == generation()) {
                leftOver = SHOWN;
                end();
            }
        }

        /** Keeps the name of a thread that has ended, instead of the thread. */
        void forgetEndedThread() {
            if (owner() instanceof Thread thread && !thread.isAlive()) {
                // If the lease has ended meanwhile the slot is free, or another thread's: a thread that has ended takes
                // none.
                owners.compareAndSet(at, thread, ThreadIdentity.of(thread));
            }
        }
    }

    /** Takes a slot for the calling thread. To be followed by {@link Slot#begin} or {@link Slot#end}. */
    Slot claim(Thread thread) {
        int stripe = (int) thread.getId() & mask;
        Chunk chunk = stripes[stripe];
        while (true) {
            for (int at = 0; at < SLOTS; at++) {
                if (chunk.owners.getPlain(PAD + at) == null && chunk.owners.compareAndSet(PAD + at, null, thread)) {
                    return chunk.slots[at];
                }
            }
            chunk = chunk.nextOrNew(stripe, bits);
        }
    }

    /** A slot with a lease of a thread in it; null if there is none. Exact for the calling thread. */
    @Nullable
    Slot heldBy(Thread thread) {
        for (Chunk chunk = stripes[(int) thread.getId() & mask]; chunk != null; chunk = chunk.next) {
            for (int at = 0; at < SLOTS; at++) {
                if (chunk.owners.getPlain(PAD + at) == thread) {
                    Slot slot = chunk.slots[at];
                    if (slot.begun()) {
                        return slot;
                    }
                    slot.freeIfLeftOver();
                }
            }
        }
        return null;
    }

    /** The slot of a place that was given out. */
    Slot at(int place) {
        Chunk chunk = stripes[place & mask];
        int number = place >>> bits;
        for (int hops = number / SLOTS; hops > 0; hops--) {
            Chunk after = chunk.next;
            if (after == null) {
                throw new IllegalStateException("no slot " + place);
            }
            chunk = after;
        }
        return chunk.slots[number % SLOTS];
    }

    /**
     * Frees the slots that are left over: claimed, and without a lease in them at two walks. Beginning or ending the lease
     * was cut short, by a stack that had no room for more. Of a living thread they are freed with its next request.
     */
    void freeLeftovers() {
        for (Chunk first : stripes) {
            for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
                for (Slot slot : chunk.slots) {
                    if (slot.seenLeftOver() && !(slot.owner() instanceof Thread thread && thread.isAlive())) {
                        slot.freeIfLeftOver();
                    }
                }
            }
        }
    }

    /** How many leases are open, counted one after the other. */
    int count() {
        int count = 0;
        for (Chunk first : stripes) {
            for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
                for (Slot slot : chunk.slots) {
                    count += 1 - (slot.generation() & 1);
                }
            }
        }
        return count;
    }

    /** Looks at a slot. */
    interface Visitor {
        /**
         * A slot with a lease in it.
         *
         * @param slot whose fields may change any moment
         * @param generation to be compared, {@link Slot#still}, after the fields have been read
         */
        void visit(Slot slot, int generation);
    }

    /** Shows all slots in which a lease is, in no order. */
    void forEach(Visitor visitor) {
        for (Chunk first : stripes) {
            for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
                for (Slot slot : chunk.slots) {
                    int generation = slot.generation();
                    if ((generation & 1) == 0) {
                        visitor.visit(slot, generation);
                    }
                }
            }
        }
    }
}
