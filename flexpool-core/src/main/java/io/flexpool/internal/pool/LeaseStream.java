// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Passes the recorded requests to the parts' sinks, once a tick and a last time at the end. */
final class LeaseStream {
    /**
     * Up to this number of requests a tick, 10,000 a second, all requests are recorded for the peaks, regardless of the
     * sinks' filters. Above it the filters apply: sorting all requests would take over a hundredth of a processor.
     */
    static final int MOST_SAMPLED = 2_500;

    private static final long[] NONE = {};

    private final ReentrantLock lock = new ReentrantLock();
    private final PoolContext context;
    private final ListenerGuard listeners;
    private final List<LeaseSink> sinks;
    private final LeaseTracker leases;
    private final PoolWatch watch;
    private final LeasePeaks peaks = new LeasePeaks();
    /** The class of a sink's exception for the last block; null if all sinks took it. */
    private volatile @Nullable Class<?> threw;

    private int limitBefore;
    private boolean closed;

    /** Opens the log. Called before the pool is used. */
    LeaseStream(PoolContext context, List<LeaseSink> sinks, LeaseTracker leases, PoolWatch watch) {
        this.context = context;
        this.listeners = context.listeners();
        this.leases = leases;
        this.watch = watch;
        this.sinks = List.copyOf(sinks);
        context.recorder().log().open();
        leases.records();
    }

    void tick(long nowNanos, PoolState state) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed) {
                pass(nowNanos, state);
            }
        } finally {
            lock.unlock();
        }
    }

    private void pass(long nowNanos, PoolState state) {
        // Before the block is taken.
        long[] open = state.leased() == 0 ? NONE : leases.begins();
        LeaseBlock block = pass(nowNanos, state.leased() + state.pending());
        boolean sampled = block.size() + block.unwanted() + block.lost() <= MOST_SAMPLED;
        if (!sampled || block.unwanted() + block.lost() > 0) {
            peaks.missed();
        } else if (peaks.take(block, open, state.pending())) {
            // A connection may be returned and lent again a moment before the end of its lease is recorded.
            int most = Math.max(state.leased(), Math.max(limit(state), limitBefore));
            watch.parts().history().peaked(nowNanos, Math.min(peaks.active(), most), peaks.pending());
        }
        limitBefore = limit(state);
        if (sampled) {
            context.recorder().log().want(null);
        }
    }

    private static int limit(PoolState state) {
        int limit = state.bound() ? state.limit() : state.pool().max();
        return limit == PoolSnapshot.UNKNOWN ? Integer.MAX_VALUE : limit;
    }

    private LeaseBlock pass(long nowNanos, int demand) {
        LeaseBlock block = context.recorder().log().drain(nowNanos, demand);
        Class<?> thrownNow = null;
        for (LeaseSink sink : sinks) {
            Class<?> thrown = listeners.threw("the recorder of leases", () -> sink.take(block));
            thrownNow = thrown == null ? thrownNow : thrown;
        }
        threw = thrownNow;
        context.recorder().log().want(wanted(nowNanos));
        return block;
    }

    /** The problem of the recording; null if there is none. Thread-safe. */
    @Nullable
    String trouble() {
        Class<?> thrown = threw;
        if (thrown != null) {
            return "the recording of leases threw " + thrown.getName() + "; some leases are not recorded";
        }
        for (LeaseSink sink : sinks) {
            String trouble = listeners.ask("the recorder of leases", sink::trouble, null);
            if (trouble != null) {
                return PlainText.line(trouble);
            }
        }
        return null;
    }

    /** The arrivals that the sinks want, and the arrivals between them. */
    private @Nullable WantedArrivals wanted(long nowNanos) {
        WantedArrivals all = null;
        for (LeaseSink sink : sinks) {
            WantedArrivals one = wanted(sink, nowNanos);
            if (one == null) {
                return null;
            }
            all = all == null ? one : around(all, one);
        }
        return all;
    }

    private @Nullable WantedArrivals wanted(LeaseSink sink, long nowNanos) {
        return listeners.ask("the recorder of leases", () -> sink.wanted(nowNanos), null);
    }

    private static WantedArrivals around(WantedArrivals one, WantedArrivals other) {
        // By differences, because the clock may overflow.
        long from = one.fromNanos() - other.fromNanos() <= 0 ? one.fromNanos() : other.fromNanos();
        long until = one.untilNanos() - other.untilNanos() >= 0 ? one.untilNanos() : other.untilNanos();
        return new WantedArrivals(from, until);
    }

    /** Passes the last block and the leases that are still open, and ends the sinks. */
    void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                long now = context.nanos();
                pass(now, 0);
                List<OpenLease> open = leases.open(now);
                for (LeaseSink sink : sinks) {
                    listeners.guard("the recorder of leases", () -> sink.takeOpen(open, now));
                    listeners.guard("the recorder of leases", sink::close);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
