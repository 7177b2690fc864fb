// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.context.RequestOwner;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.record.LeaseWords;
import io.flexpool.internal.record.SlotLog;
import io.flexpool.internal.record.SlotRecords;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place for one lease: its thread, begin and call site; and the {@linkplain SlotRecords figures} of all leases that
 * had this place. A permit is parked in a stripe's first slot: one compare-and-set takes the slot and the permit.
 *
 * <p>One word has the status and a number, which grows whenever the slot is taken. The other fields are plain: only the
 * thread that has taken the slot, and later the thread that ends the lease, write them. A reader that finds the same
 * word before and after has read one lease. The package has a table of all accesses, with their reasons.
 */
public class Slot extends SlotLog {
    private static final int STATUS = 7;
    /** Free, and without a permit. */
    private static final int EMPTY = 0;
    /** Free after a lease, with its permit; a pool without a gate has no permits. */
    private static final int PARKED = 1;
    /** Taken with its permit by a request that is inside the pool. */
    private static final int ENTERING = 2;
    /** Taken, for a lease that begins or ends in this moment. */
    private static final int CLAIMED = 3;

    private static final int LEASED = 4;
    /**
     * Grows from one taking to the next, also without a lease: a move of a parked permit reads its class between the
     * word and the compare-and-set.
     */
    private static final long GENERATION = STATUS + 1;

    /** {@link #untilCapture} if the next lease captures its call site; smaller only before a slot's first lease. */
    static final int NEXT = -1;
    /** The time after which an equal word means no change in between. A begin or an end takes far less. */
    private static final long STILL_NANOS = 500_000_000;
    /** A value that no word of a slot has, because no status has it. */
    private static final long NONE = STATUS;

    /** {@link #step}: the lease is open, or its end has not been reported at its call site. */
    static final int OPEN = 0;
    /** {@link #step}: the end is reported at its call site, and not yet logged. */
    static final int REPORTED = 1;
    /** {@link #step}: the end is logged, and not yet counted. */
    private static final int LOGGED = 2;
    /** {@link #step}: there is no lease, or its end has been counted; the slot has its permit. */
    public static final int COUNTED = 3;
    /** {@link #step}: the permit was returned, or did not exist; the slot was not. */
    public static final int WITHOUT_PERMIT = 4;

    /** A placeholder for a request that claims a slot only with its connection. In no table. */
    public static final Slot UNPLACED = new Slot(null, -1, 0);

    private static final VarHandle WORD = field("word", long.class);
    private static final VarHandle OWNER = field("owner", Object.class);
    private static final VarHandle OVERFLOW = field("overflow", int.class);
    private static final VarHandle ABANDONED = field("abandoned", boolean.class);

    /** The slot's number: {@link LeaseTable#at}. */
    public final int place;
    /** Whether it is its stripe's first slot, where a permit can be parked. */
    public final boolean parks;

    private final Slot first;

    @Nullable
    volatile Slot next;

    /** Status and number of the lease. Written here only; read elsewhere by the thread that has the slot. */
    public long word = EMPTY;
    /**
     * A {@link Thread}, the {@link ThreadIdentity} of an ended one, or the {@link RequestOwner} that a thread carried.
     * In a free slot, the last owner. A thread's number would be cheaper to store, but does not name a virtual thread.
     */
    private @Nullable Object owner;
    /** The number of the last owner. */
    int threadId;
    /** Whether the owner had another lease when it claimed the slot. */
    boolean nested;
    /**
     * The class of the lease's request, and of the permit that is parked here afterwards. Changed only by the thread
     * that has taken the slot.
     */
    public int requestClass;
    /** Null without classes. */
    final @Nullable EndedByClass ended;
    /** The place of the lease's tenant, in a pool with classes. Written like {@link #requestClass}. */
    public int tenant;
    /** In a first slot: the number of further taken slots. If 0, one read shows that its thread has no lease. */
    private int overflow;
    /** The number at the scan that first found no further slot taken. Written by the scan. */
    private int overflowSeen;

    private long overflowSeenNanos;
    /** The slot's word at the last scan, and the time of the first scan with this word. Written by the scan. */
    private long lastSeen = NONE;

    private long lastSeenNanos;
    /**
     * How far the end of the lease has progressed. After an Error the end continues at this step. Written by the thread
     * that has the slot, by a plain store: a call could overflow the stack.
     */
    public int step = WITHOUT_PERMIT;
    /** When the end of the lease began. */
    public long endedNanos;
    /**
     * Whether the slot's thread could not return it, because its stack or the memory was exhausted. That thread sets
     * the mark as its last access; the slot then belongs to the thread that {@linkplain #takeAbandoned takes the mark}.
     */
    public volatile boolean abandoned;
    /** Leases of this slot until a call site is captured. Written by the slot's owner. */
    int untilCapture = NEXT;
    /** Time of the last capture; undefined before the first. */
    long capturedNanos;

    long acquiredNanos;
    long waitedNanos;
    long inDatabaseNanos;
    /** Start of the current call into the database; 0 if none runs. */
    long busySinceNanos;
    /** End of the last call; meaningless while {@link #inDatabaseNanos} is 0. */
    long leftNanos;
    /** Start of the first statement; 0 if none has ended. */
    private long firstNanos;
    /** End of the last statement, and the time in the database until then. */
    private long lastNanos;

    private long inUntilLastNanos;

    CallSites.@Nullable CallSite site;

    @Nullable
    String statement;

    @Nullable
    LeasedConnection lease;
    /** Written by the scan only, and cleared with the lease. */
    LeakDetector.@Nullable Suspect suspect;

    /**
     * Whether the end of the lease may need a {@linkplain LeaseTracker#ending report}: it has a call site, or was
     * suspected. False for most leases. Written by {@link #begin}, and by the scan before the suspect.
     */
    public boolean reports;

    /** A slot of a stripe. {@code first} is null for the first slot; {@code classes} is 0 in a pool without classes. */
    Slot(@Nullable Slot first, int place, int classes) {
        this.ended = classes == 0 ? null : new EndedByClass(classes);
        this.parks = first == null;
        this.first = first == null ? this : first;
        this.place = place;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Slot.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ---- taking and giving back ----

    /**
     * Takes the slot with its parked permit for a thread or owner, if no other slot of the stripe is taken: so it has
     * no lease. The step stays as parking left it.
     */
    boolean take(Object its, int number) {
        if (overflow != 0 || !transition(PARKED, ENTERING)) {
            return false;
        }
        // No call from here on: a stack overflow would lose the slot.
        requests++;
        nested = false;
        // Usually the same owner again, which saves the collector's barrier.
        if (owner != its) {
            owner = its;
            threadId = number;
        }
        return true;
    }

    /** Whether further slots of the stripe are taken, or are about to be. Of a first slot. */
    boolean overflowing() {
        return overflow != 0;
    }

    /** Takes the slot without a permit; a parked slot only if permits do not matter. */
    boolean claim(Object its, int number, boolean parkedToo) {
        if (!transition(EMPTY, CLAIMED) && (!parkedToo || !transition(PARKED, CLAIMED))) {
            return false;
        }
        step = WITHOUT_PERMIT;
        if (owner != its) {
            owner = its;
            threadId = number;
        }
        return true;
    }

    /**
     * Takes the parked permit, not the slot, if it is of a class, or of any. Returns its class, or
     * {@link ParkedPermits#ANY}.
     */
    int takePermit(int wanted) {
        long seen = generation();
        int its = requestClass;
        boolean taken = (seen & STATUS) == PARKED
                && (wanted == ParkedPermits.ANY || wanted == its)
                && WORD.compareAndSet(this, seen, seen - PARKED + EMPTY);
        return taken ? its : ParkedPermits.ANY;
    }

    private boolean transition(int from, int to) {
        long seen = word;
        // Reads first: a read costs nothing, a failed compare-and-set as much as a successful one.
        return (seen & STATUS) == from && WORD.compareAndSet(this, seen, seen - from + to + GENERATION);
    }

    /** Sets the call site of the lease that will begin. */
    public void requestedAt(CallSites.CallSite trace) {
        site = trace;
    }

    /**
     * Begins a lease in a taken slot. If the method throws, nothing was counted, and the lease must be
     * {@linkplain #withdraw withdrawn}.
     *
     * @param counts whether the slot counts the acquisition: the recorder counts a later attempt's
     */
    void begin(long acquired, long waited, CallSites.@Nullable CallSite captured, boolean counts) {
        acquiredNanos = acquired;
        waitedNanos = waited;
        inDatabaseNanos = 0;
        busySinceNanos = 0;
        if (captured != null) {
            site = captured;
        }
        reports = captured != null;
        step = OPEN;
        WORD.setRelease(this, numbered(LEASED));
        if (counts) {
            acquired(waited);
        }
    }

    /** Adds a statement that began then and has just ended. */
    void ran(long since) {
        firstNanos = firstNanos == 0 ? since : firstNanos;
        lastNanos = leftNanos;
        inUntilLastNanos = inDatabaseNanos;
    }

    /** Logs, counts and ends the lease, if one began. The slot stays taken. */
    public void end(long heldNanos) {
        if (step < COUNTED) {
            if (step != LOGGED) {
                // Set first, because an interrupted log entry is not repeated.
                step = LOGGED;
                log(heldNanos);
            }
            released(heldNanos);
            step = COUNTED;
        }
        end();
    }

    private void log(long heldNanos) {
        if (ended != null) {
            ended.ended(requestClass, heldNanos);
        }
        int number = site == null ? 0 : site.number;
        long shares = 0;
        if (firstNanos != 0) {
            long after = acquiredNanos + heldNanos - lastNanos - (inDatabaseNanos - inUntilLastNanos);
            shares = LeaseWords.share(-1, firstNanos - acquiredNanos, heldNanos);
            shares = LeaseWords.share(shares, lastNanos - firstNanos - inUntilLastNanos, heldNanos);
            shares = LeaseWords.share(shares, after, heldNanos);
            firstNanos = 0;
        }
        log(acquiredNanos - waitedNanos, waitedNanos, heldNanos, number, nested, threadId, requestClass, shares);
    }

    private void end() {
        WORD.setOpaque(this, numbered(CLAIMED));
        VarHandle.releaseFence();
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
    }

    /** Ends a lease without counting it. Its slot and its permit must still be returned. */
    public void withdraw() {
        if (step < COUNTED) {
            step = COUNTED;
        }
        end();
    }

    /** Ends the lease, if one began, and returns the slot without a permit. Throws only if it was not returned. */
    public void vacate() {
        end();
        WORD.setRelease(this, numbered(EMPTY));
        try {
            if (!parks) {
                OVERFLOW.getAndAdd(first, -1);
            }
        } catch (StackOverflowError outOfStack) {
            // The slot is free. The scan corrects the number of further slots.
            return;
        }
    }

    public long acquiredNanos() {
        return acquiredNanos;
    }

    /** When the end of its lease began, or a given time if it has not been recorded. */
    public long endedNanos(long otherwise) {
        return endedNanos - acquiredNanos < 0 ? otherwise : endedNanos;
    }

    /** Takes an abandoned slot; false if the slot is not abandoned, or another thread was faster. */
    boolean takeAbandoned() {
        return abandoned && ABANDONED.compareAndSet(this, true, false);
    }

    /**
     * Counts and ends the lease, and returns the slot with its permit, if the pool has permits: the next request of the
     * thread takes both.
     */
    public void park(long heldNanos) {
        end(heldNanos);
        // Without a fence, although this thread checks for waiters next: a waiter searches again, as Gate explains.
        WORD.setRelease(this, numbered(PARKED));
    }

    private long numbered(int status) {
        return ((long) WORD.getAcquire(this) & ~STATUS) | status;
    }

    /** Changes the number of further slots: one is about to be taken, or could not be taken. */
    void overflows(int more) {
        OVERFLOW.getAndAdd(first, more);
    }

    // ---- readers and the scan ----

    /** Identifies the lease in the slot, if the slot {@linkplain #isLease has} one. */
    long generation() {
        return (long) WORD.getAcquire(this);
    }

    /** Whether there is a lease in a slot with this generation. */
    static boolean isLease(long generation) {
        return (generation & STATUS) == LEASED;
    }

    /** Whether all reads since {@link #generation()} belong to that lease. */
    boolean unchanged(long generation) {
        VarHandle.acquireFence();
        return (long) WORD.getOpaque(this) == generation;
    }

    /** Leaves a mark for the thread that ends the suspected lease, unless it has ended. */
    void mark(LeakDetector.Suspect mark) {
        reports = true;
        suspect = mark;
        VarHandle.fullFence();
        if (!mark.isOf(generation())) {
            suspect = null;
        }
    }

    /** A {@link Thread}, {@link ThreadIdentity} or {@link RequestOwner}; null if the slot is free. */
    @Nullable
    Object owner() {
        int status = (int) generation() & STATUS;
        return status == EMPTY || status == PARKED ? null : OWNER.getAcquire(this);
    }

    boolean hasParked() {
        return ((int) generation() & STATUS) == PARKED;
    }

    /** Whether a thread or owner has a lease here. Exact for the calling thread and the owner that it carries. */
    boolean isHeldBy(Object its) {
        long seen = generation();
        int status = (int) seen & STATUS;
        // Reads the word before and after: otherwise the last owner could read its name, but the next lease's status.
        if (status == EMPTY || status == PARKED || owner != its || !unchanged(seen)) {
            return false;
        }
        return status == LEASED && !abandoned;
    }

    /**
     * Called by the scan, once a second. A slot in a begin or end since the last scan is abandoned if its thread has
     * ended. A slot that was idle since the last scan drops its thread.
     *
     * <p>By time, not by two scans in a row: between two close scans, the same lease may be ending.
     *
     * @return whether a parked permit could not be taken for a moment, so that the caller must check for waiters
     */
    boolean scanned(long nowNanos) {
        long seen = generation();
        if (seen != lastSeen) {
            lastSeen = seen;
            lastSeenNanos = nowNanos;
            return false;
        }
        if (nowNanos - lastSeenNanos < STILL_NANOS) {
            return false;
        }
        int status = (int) seen & STATUS;
        if (status == EMPTY || status == PARKED) {
            return owner != null && forgetOwner(seen) && status == PARKED;
        }
        if (status != LEASED && ownerEnded()) {
            abandoned = true;
        }
        return false;
    }

    private boolean ownerEnded() {
        Object its = OWNER.getAcquire(this);
        // A request that is inside the pool is on the thread that carries its owner.
        return its instanceof RequestOwner carried
                ? !carried.isCarried()
                : !(its instanceof Thread thread) || !thread.isAlive();
    }

    private boolean forgetOwner(long seen) {
        if (!WORD.compareAndSet(this, seen, (seen & ~STATUS) | CLAIMED)) {
            return false;
        }
        owner = null;
        idle();
        WORD.setVolatile(this, seen);
        return true;
    }

    /**
     * Called by the scan for a first slot: corrects the number of further taken slots, if none is taken now and at the
     * last scan, and it is unchanged. A stack overflow may have cut off a change of it; it only makes requests slower.
     */
    void correctOverflow(int taken, long nowNanos) {
        int wrong = taken == 0 ? overflow : 0;
        if (wrong != overflowSeen) {
            overflowSeen = wrong;
            overflowSeenNanos = nowNanos;
        } else if (wrong != 0 && nowNanos - overflowSeenNanos >= STILL_NANOS) {
            OVERFLOW.compareAndSet(this, wrong, 0);
        }
    }

    /** Replaces an ended thread by its identity. */
    void forgetEndedThread() {
        if (owner() instanceof Thread thread && !thread.isAlive()) {
            // If the lease has ended meanwhile, the slot is free or another thread's: an ended thread takes none.
            OWNER.compareAndSet(this, thread, ThreadIdentity.of(thread));
        }
    }
}
