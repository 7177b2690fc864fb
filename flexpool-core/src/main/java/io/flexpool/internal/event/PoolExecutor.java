// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.internal.shared.Words;
import io.flexpool.pool.Ticker;
import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.PartContext.BlockingCalls;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs pool calls that may block (opening, closing and aborting connections), one at a time, on a thread that exists
 * only while there is work. A second call during a running call is dropped: the next tick tries again.
 *
 * <p>A call that has not returned after {@value #PATIENCE_SECONDS} s hangs: it is logged, and the next call runs on
 * another thread, up to a maximum number of threads.
 */
public final class PoolExecutor implements BlockingCalls {
    static final int PATIENCE_SECONDS = 5;
    private static final long PATIENCE_NANOS = PATIENCE_SECONDS * 1_000_000_000L;
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final String pool;
    private final ListenerGuard guard;
    private final Ticker ticker;
    private final int max;
    private final List<Call> running = new CopyOnWriteArrayList<>();
    private final ThreadPoolExecutor executor;

    private static final class Call {
        private final String what;
        private final long sinceNanos;
        private boolean reported;

        Call(String what, long sinceNanos) {
            this.what = what;
            this.sinceNanos = sinceNanos;
        }

        boolean hangs(long nowNanos) {
            return nowNanos - sinceNanos >= PATIENCE_NANOS;
        }

        String describe(long nowNanos) {
            return what + " has not returned for " + Words.millis(nowNanos - sinceNanos);
        }
    }

    /** Runs calls of a pool on at most {@code max} threads, if calls hang. */
    public PoolExecutor(String pool, int max, ListenerGuard guard, Ticker ticker) {
        this.pool = pool;
        this.guard = guard;
        this.ticker = ticker;
        this.max = max;
        this.executor = new ThreadPoolExecutor(
                0, max, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), DaemonThreads.named("flexpool-helper-" + pool));
    }

    /**
     * Runs a call, unless another call runs and does not hang, or the maximum number hang.
     *
     * @return false if the call was dropped, also if no thread could be started
     */
    @Override
    public boolean run(String what, Runnable work) {
        long now = ticker.nanos();
        if (running.size() >= max || running.stream().anyMatch(call -> !call.hangs(now))) {
            return false;
        }
        Call call = new Call(what, now);
        running.add(call);
        try {
            executor.execute(() -> {
                try {
                    guard.guard(what, work);
                } finally {
                    running.remove(call);
                }
            });
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError closedOrNoThread) {
            running.remove(call);
            return false;
        }
    }

    public boolean busy() {
        return !running.isEmpty();
    }

    /** Describes the hanging calls; null without one. */
    @Override
    public @Nullable String hanging(long nowNanos) {
        List<Call> hanging =
                running.stream().filter(call -> call.hangs(nowNanos)).toList();
        if (hanging.isEmpty()) {
            return null;
        }
        return hanging.get(0).describe(nowNanos)
                + (hanging.size() == 1 ? "" : ", and " + (hanging.size() - 1) + " more calls hang")
                + (hanging.size() < max ? "" : "; flexpool makes no further call until one of them returns");
    }

    /** Logs each hanging call, once. Used by the tick's thread only. */
    public void reportHanging(long nowNanos) {
        for (Call call : running) {
            if (!call.reported && call.hangs(nowNanos)) {
                call.reported = true;
                guard.guard("the log appender", () -> LOG.warn("{}: {}", pool, call.describe(nowNanos)));
            }
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
