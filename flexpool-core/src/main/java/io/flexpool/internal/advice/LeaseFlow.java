// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.advice;

import io.flexpool.advice.LeaseBlock;
import io.flexpool.advice.LeaseSink;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.pool.PoolState;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes what the requests did to those that asked for it, once a tick and a last time at the end. Without any of them nothing
 * is recorded.
 */
public final class LeaseFlow {
    /** A sink that does not return must not keep the pool's close waiting for longer. */
    private static final long PATIENCE_MILLIS = 2_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final PoolContext context;
    private final List<LeaseSink> sinks;
    private boolean closed;

    /** Opens the log if there is a sink. Called before the pool is used. */
    public LeaseFlow(PoolContext context, List<LeaseSink> sinks) {
        this.context = context;
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
                pass(nowNanos, state.leased() + state.pending());
            }
        } finally {
            lock.unlock();
        }
    }

    private void pass(long nowNanos, int demand) {
        LeaseBlock block = context.recorder().log().drain(nowNanos, demand);
        for (LeaseSink sink : sinks) {
            try {
                sink.take(block);
            } catch (Throwable thrown) {
                context.listeners().failed("what records leases", thrown);
            }
        }
    }

    /** Passes the last block, and ends the sinks. */
    public void close() {
        if (sinks.isEmpty()) {
            return;
        }
        boolean locked = false;
        try {
            locked = lock.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            if (locked && !closed) {
                closed = true;
                pass(context.nanos(), 0);
                sinks.forEach(sink -> context.listeners().guard("what records leases", sink::close));
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
