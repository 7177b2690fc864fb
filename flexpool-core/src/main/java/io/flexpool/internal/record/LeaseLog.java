// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of one pool did since the last tick, for who asks how many connections it needs. Leases are in the rings of
 * the {@linkplain SlotLog slots}; a request that got no connection has no slot and is queued here. Off until something reads it.
 */
public final class LeaseLog {
    /** A ring has room for so many leases at first. */
    static final int FEWEST = 16;
    /** All rings of a pool together have so many longs at most: 2 MiB, or 260,000 leases a second at four ticks a second. */
    private static final int MOST_WORDS = 1 << 18;
    /** Failed requests that wait for the tick, each about 40 bytes. */
    private static final int MOST_FAILED = 10_000;

    private final List<SlotRecords> slots;
    private final AtomicInteger words = new AtomicInteger();
    private final Queue<FailedRequest> failed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failedCount = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    /** By number; the first one is not used. */
    private final AtomicReferenceArray<String> sites = new AtomicReferenceArray<>(LeaseWords.MOST_SITES + 1);

    /** Null before the first drain. Of the tick. */
    private @Nullable DrainedLeases block;

    private List<String> classes = List.of();
    /** Null if no call sites are known. */
    private volatile @Nullable IntSupplier currentSite;

    /** Longs for one lease in a ring. */
    int wordsEach = 2;

    private volatile boolean on;
    /** Null if all are wanted. Read with the end of each lease. */
    private volatile @Nullable WantedArrivals wanted;

    private long lostBefore;

    /** A request that got no connection. */
    record FailedRequest(long begin, long durations, AcquisitionOutcome outcome) {}

    LeaseLog(List<SlotRecords> slots) {
        this.slots = slots;
    }

    /** Also keeps the shares of leases. Called before the first one. */
    public void keepShares() {
        wordsEach = 4;
    }

    /** From now on new slots record their leases. Called before the pool is used. */
    public void open() {
        on = true;
    }

    /** Whether anything reads what is recorded. */
    public boolean isOpen() {
        return on;
    }

    /** Which requests are wanted from now on; null for all. Called by the tick. */
    public void want(@Nullable WantedArrivals arrivals) {
        wanted = arrivals;
    }

    /** Whether a request is recorded that asked at this time and took so long in all. */
    boolean wants(long arrivalNanos, long tookNanos) {
        WantedArrivals range = wanted;
        // By differences, for the clock may overflow.
        return range == null
                || tookNanos >= WantedArrivals.LONG_NANOS
                || (arrivalNanos - range.fromNanos() >= 0 && arrivalNanos - range.untilNanos() < 0);
    }

    /** What finds the number of the calling thread's call site. */
    public void callSites(IntSupplier here) {
        currentSite = here;
    }

    /** The name of a call site; its number is from 1 to {@link LeaseWords#MOST_SITES}. */
    public void name(int site, String name) {
        sites.set(site, name);
    }

    /** The names of the classes, by number. Called before the pool is used; not called without classes. */
    public void classes(List<String> names) {
        classes = names;
    }

    /** A request of a class, 0 without classes, got no connection, on the calling thread. */
    public void failed(long requestedNanos, long waitedNanos, AcquisitionOutcome outcome, int requestClass) {
        if (!on) {
            return;
        }
        if (failedCount.get() >= MOST_FAILED) {
            lost.getAndIncrement();
            return;
        }
        try {
            queue(requestedNanos, waitedNanos, outcome, requestClass);
        } catch (VirtualMachineError noRoom) {
            lost.getAndIncrement();
        }
    }

    private void queue(long requestedNanos, long waitedNanos, AcquisitionOutcome outcome, int requestClass) {
        // Others are turned away at once, perhaps thousands a second; a walk of the stack is nothing to one that timed
        // out.
        IntSupplier here = outcome == AcquisitionOutcome.TIMEOUT ? currentSite : null;
        int site = here == null ? 0 : here.getAsInt();
        int thread = (int) Thread.currentThread().getId();
        failedCount.getAndIncrement();
        failed.add(new FailedRequest(
                LeaseWords.begin(requestedNanos, site, false, thread, requestClass),
                LeaseWords.durations(waitedNanos, 0),
                outcome));
    }

    /** Takes longs for a ring; false if there are too many. */
    boolean take(int more) {
        int seen = words.get();
        while (seen + more <= MOST_WORDS) {
            if (words.compareAndSet(seen, seen + more)) {
                return true;
            }
            seen = words.get();
        }
        return false;
    }

    void giveBack(int less) {
        words.getAndAdd(-less);
    }

    /** How many longs the rings have now. */
    int words() {
        return words.get();
    }

    /** What has ended since the last call. Called by the tick only; valid until its next call. */
    public DrainedLeases drain(long nowNanos, int demand) {
        DrainedLeases drained = block;
        if (drained == null) {
            drained = new DrainedLeases(sites);
            drained.classes(classes);
            block = drained;
        }
        drained.begin(nowNanos, demand);
        for (SlotRecords slot : slots) {
            if (slot instanceof SlotLog logged) {
                logged.drainTo(drained);
            }
        }
        FailedRequest request;
        while ((request = failed.poll()) != null) {
            failedCount.getAndDecrement();
            drained.add(request);
        }
        long lostNow = lost.get();
        drained.lose(lostNow - lostBefore);
        lostBefore = lostNow;
        return drained;
    }
}
