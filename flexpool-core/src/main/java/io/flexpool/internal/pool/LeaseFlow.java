// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.LeaseBlock;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.WantedArrivals;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Passes what the requests did to those that asked for it, once a tick and a last time at the end. Without any of them nothing
 * is recorded.
 */
public final class LeaseFlow {
    /** A sink that does not return must not keep the pool's close waiting for longer. */
    private static final long PATIENCE_MILLIS = 2_000;

    /**
     * Up to so many requests a tick, 10,000 a second, all are recorded for the peaks, whatever the sinks want. Of more the
     * sinks' part is enough: the sort of all would take a hundredth of a processor from there on.
     */
    static final int MOST_SWEPT = 2_500;

    private static final long[] NONE = {};

    private final ReentrantLock lock = new ReentrantLock();
    private final PoolContext context;
    private final List<LeaseSink> sinks;
    private final @Nullable Peaked peaked;
    private final LeaseSweep sweep = new LeaseSweep();
    /** The class of what a sink threw last; null if all took the last block. */
    private volatile @Nullable Class<?> threw;

    private int limitBefore;
    private boolean closed;

    /** What reads the open leases, and takes the peaks. */
    public interface Peaked {
        /** Of each open lease its begin and its wait, by the pool's clock. */
        long[] open();

        /** So many leases were open at once, and so many requests pending, since the last tick. */
        void peaked(long nowNanos, int leased, int pending);
    }

    /** Without peaks. */
    public LeaseFlow(PoolContext context, List<LeaseSink> sinks) {
        this(context, sinks, null);
    }

    /** Opens the log if there is a sink. Called before the pool is used. */
    public LeaseFlow(PoolContext context, List<LeaseSink> sinks, @Nullable Peaked peaked) {
        this.context = context;
        this.peaked = peaked;
        this.sinks = List.copyOf(sinks);
        if (!sinks.isEmpty()) {
            context.recorder().log().open();
        }
    }

    /** One tick. */
    public void tick(long nowNanos, PoolState state) {
        if (sinks.isEmpty() || !lock.tryLock()) {
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
        long[] open = peaked == null || state.leased() == 0 ? NONE : peaked.open();
        LeaseBlock block = pass(nowNanos, state.leased() + state.pending());
        if (peaked == null) {
            return;
        }
        boolean sweeps = block.size() + block.unwanted() + block.lost() <= MOST_SWEPT;
        if (!sweeps || block.unwanted() + block.lost() > 0) {
            sweep.missed();
        } else if (sweep.take(block, open, state.pending())) {
            // A connection may be back in its pool, and lent again, a moment before its lease is recorded as ended.
            int most = Math.max(state.leased(), Math.max(limit(state), limitBefore));
            peaked.peaked(nowNanos, Math.min(sweep.active(), most), sweep.pending());
        }
        limitBefore = limit(state);
        if (sweeps) {
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
            try {
                sink.take(block);
            } catch (Throwable thrown) {
                thrownNow = thrown.getClass();
                context.listeners().failed("what records leases", thrown);
            }
        }
        threw = thrownNow;
        context.recorder().log().want(wanted(nowNanos));
        return block;
    }

    /** What does not work of the recording; null if all does. Thread-safe. */
    public @Nullable String trouble() {
        Class<?> thrown = threw;
        if (thrown != null) {
            return "the recording of leases threw " + thrown.getName() + "; a part of them is not recorded";
        }
        for (LeaseSink sink : sinks) {
            String trouble = context.listeners().ask("what records leases", sink::trouble, null);
            if (trouble != null) {
                return PlainText.line(trouble);
            }
        }
        return null;
    }

    /** What any sink wants, and perhaps more between. */
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
        return context.listeners().ask("what records leases", () -> sink.wanted(nowNanos), null);
    }

    private static WantedArrivals around(WantedArrivals one, WantedArrivals other) {
        // By differences, for the clock may overflow.
        long from = one.fromNanos() - other.fromNanos() <= 0 ? one.fromNanos() : other.fromNanos();
        long until = one.untilNanos() - other.untilNanos() >= 0 ? one.untilNanos() : other.untilNanos();
        return new WantedArrivals(from, until);
    }

    /**
     * Passes the last block and what is still open, and ends the sinks.
     *
     * @param openLeases reads the open leases at a time of the pool's clock; not called without a sink
     */
    public void close(LongFunction<List<OpenLease>> openLeases) {
        if (sinks.isEmpty()) {
            return;
        }
        boolean locked = false;
        try {
            locked = lock.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            if (locked && !closed) {
                closed = true;
                long now = context.nanos();
                pass(now, 0);
                List<OpenLease> open = openLeases.apply(now);
                for (LeaseSink sink : sinks) {
                    context.listeners().guard("what records leases", () -> sink.takeOpen(open, now));
                    context.listeners().guard("what records leases", sink::close);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            if (locked) {
                lock.unlock();
            }
        }
    }
}
