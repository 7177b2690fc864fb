// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records of one pool's requests since the last tick, for advice on its size. Leases are in the rings of the
 * {@linkplain SlotLog slots}; a request without a connection has no slot and is queued here. Off until a sink reads it.
 */
public final class LeaseLog {
    /** The initial capacity of a ring, leases. */
    static final int FEWEST = 16;
    /** The maximum longs of all rings of a pool: 2 MiB, or 260,000 leases a second at four ticks a second. */
    private static final int MOST_WORDS = 1 << 18;
    /** Failed requests that wait for the tick, each about 40 bytes. */
    private static final int MOST_FAILED = 10_000;

    private final List<SlotRecords> slots;
    private final AtomicInteger words = new AtomicInteger();
    private final Queue<FailedRequest> failed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failedCount = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    /** The names of the call sites by number. Not an array, because most pools have few sites. */
    private final Map<Integer, String> sites = new ConcurrentHashMap<>();

    /** Null before the first drain. Of the tick. */
    private @Nullable DrainedLeases block;

    private List<String> classes = List.of();
    /** Null without call sites. */
    private volatile @Nullable IntSupplier currentSite;

    /** Longs for one lease in a ring. */
    int wordsEach = 2;

    private volatile boolean on;
    /** Null if all requests are wanted. Read at the end of each lease. */
    private volatile @Nullable WantedArrivals wanted;

    private long lostBefore;

    /** A request that got no connection. */
    record FailedRequest(long begin, long durations, AcquisitionOutcome outcome) {}

    LeaseLog(List<SlotRecords> slots) {
        this.slots = slots;
    }

    /** Also stores the shares of leases. Called before the first lease. */
    public void keepShares() {
        wordsEach = 4;
    }

    /** Makes new slots record their leases. Called before the pool is used. */
    public void open() {
        on = true;
    }

    /** Whether a sink reads the records. */
    public boolean isOpen() {
        return on;
    }

    /** Sets the requests wanted from now on; null for all. Called by the tick. */
    public void want(@Nullable WantedArrivals arrivals) {
        wanted = arrivals;
    }

    /** Whether a request with this arrival and total time is recorded. */
    boolean wants(long arrivalNanos, long tookNanos) {
        WantedArrivals range = wanted;
        // Compares differences, because the clock may overflow.
        return range == null
                || tookNanos >= WantedArrivals.LONG_NANOS
                || (arrivalNanos - range.fromNanos() >= 0 && arrivalNanos - range.untilNanos() < 0);
    }

    /** Sets the function for the number of the calling thread's call site. */
    public void callSites(IntSupplier here) {
        currentSite = here;
    }

    /** The name of a call site; its number is from 1 to {@link LeaseWords#MOST_SITES}. */
    public void name(int site, String name) {
        sites.put(site, name);
    }

    /** The names of the classes, by number. Called before the pool is used; not called without classes. */
    public void classes(List<String> names) {
        classes = names;
    }

    /** Records a request of the calling thread that got no connection; its class is 0 without classes. */
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
        } catch (VirtualMachineError unrecorded) {
            lost.getAndIncrement();
        }
    }

    private void queue(long requestedNanos, long waitedNanos, AcquisitionOutcome outcome, int requestClass) {
        // Only for timeouts: other requests may fail thousands of times a second, too often for a walk of the stack.
        IntSupplier here = outcome == AcquisitionOutcome.TIMEOUT ? currentSite : null;
        int site = here == null ? 0 : here.getAsInt();
        int thread = (int) Thread.currentThread().getId();
        failedCount.getAndIncrement();
        failed.add(new FailedRequest(
                LeaseWords.begin(requestedNanos, site, false, thread, requestClass),
                LeaseWords.durations(waitedNanos, 0),
                outcome));
    }

    /** Reserves longs for a ring; false if all rings would have too many. */
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

    /** The number of longs that all rings have now. */
    int words() {
        return words.get();
    }

    /** The requests that have ended since the last call. Called by the tick only; valid until its next call. */
    public DrainedLeases drain(long nowNanos, int demand) {
        DrainedLeases drained = block;
        if (drained == null) {
            drained = new DrainedLeases(sites, classes);
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
