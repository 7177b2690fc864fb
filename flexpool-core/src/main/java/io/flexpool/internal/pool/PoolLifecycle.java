// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.BoundedCall;
import io.flexpool.internal.event.PrintableFailure;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.ModeSwitch;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.spi.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the watch over a pool begins, and how it ends: with the pool, or without it. A pool that a request has opened again,
 * which was inside when it was closed, is closed once more. Thread-safe.
 */
final class PoolLifecycle implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /** How long a request that has opened the pool again waits for its close at most. */
    private static final long CLOSE_WAIT_MILLIS = 1_000;

    /** How long a close waits for the pool's: HikariCP's own waits up to ten seconds, twice. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(20);

    private final PoolContext context;
    private final @Nullable Limiter limiter;
    private final LeaseTracker leases;
    private final PoolParts parts;
    /** Each is removed before it is unbound: two threads may end the pool. */
    private final Queue<MetricsBinder.Binding> bindings = new ConcurrentLinkedQueue<>();
    /** Whether the pool stays open after the watch has ended. */
    private volatile boolean released;
    /** How many have found the pool open again since it was last closed. */
    private final AtomicInteger reopened = new AtomicInteger();

    PoolLifecycle(PoolContext context, @Nullable Limiter limiter, LeaseTracker leases, PoolParts parts) {
        this.parts = parts;
        this.context = context;
        this.limiter = limiter;
        this.leases = leases;
    }

    // ---- the begin ----

    /** Begins to watch: the backends are bound, the loop ticks. If that fails, nothing of it is left. */
    void start(PoolControl view, AcquiringPool pool, PoolTick tick) {
        boolean started = false;
        try {
            List<LeaseObserver> observers =
                    new ArrayList<>(List.of(context.config().observer()));
            for (MetricsBinder binder : context.config().metrics()) {
                MetricsBinder.Binding binding = binder.bind(view);
                bindings.add(binding);
                observers.add(binding.observer());
                context.listeners().add(binding);
            }
            pool.observe(context.listeners().guard(observers));
            parts.start(view);
            Housekeeper.SHARED.add(tick);
            started = true;
        } finally {
            if (!started) {
                unbind();
                stop(tick);
                parts.ended(false);
            }
        }
    }

    /** Unbinds the backends: what the registry calls, which holds it weakly, of a pool that was drained. */
    @Override
    public void run() {
        unbind();
    }

    private void unbind() {
        for (MetricsBinder.Binding binding; (binding = bindings.poll()) != null; ) {
            MetricsBinder.Binding bound = binding;
            context.listeners().guard("a metrics backend", bound::unbind);
        }
    }

    /** Nothing of flexpool's own runs for this pool any more. */
    private void stop(PoolTick tick) {
        Housekeeper.SHARED.remove(tick);
        leases.close();
        parts.endLeases();
        parts.close();
        if (limiter != null) {
            limiter.close();
        }
    }

    // ---- the end ----

    /**
     * Ends the watch, once. The pool is given up also if its close throws. Its owner's end unbinds the backends. After an
     * operator's drain they stay bound until that end: an application that can serve nothing must not look as if it had no
     * pool.
     *
     * @param staysOpen whether the pool stays open, with its own sizes
     * @param byOwner false for a drain, after which the owner still has the pool
     * @param resume answers those who wait because the pool is paused
     */
    void end(boolean staysOpen, boolean byOwner, PoolTick tick, ModeSwitch modes, Runnable resume) {
        if (!modes.between(() -> refuse(staysOpen))) {
            if (byOwner) {
                unbind();
            }
            return;
        }
        // Not before: it could be held again in between, and what it lent would be lost with it.
        resume.run();
        stop(tick);
        if (limiter != null) {
            // Those who wait get a permit, and with it the answer that the pool is closed.
            limiter.gate().open(context.nanos());
        }
        try {
            if (!staysOpen) {
                parts.poolCloses();
                closePool();
            } else if (limiter != null && context.mode().limiting()) {
                limiter.resizer().suspend();
                limiter.maintenance().closeSurplus();
            }
        } catch (Exception thrown) {
            context.listeners().guard("the log appender", () -> logClose(thrown));
        } finally {
            parts.ended(!staysOpen);
            context.listeners().raiseClosed();
            context.listeners().settle();
            context.listeners().close();
            // After that, for backends are listeners too.
            if (byOwner) {
                unbind();
            } else {
                PoolRegistry.drained(context.config().target(), context.name(), this);
            }
            PoolRegistry.remove(context.config().target());
        }
    }

    /** By the pool's close, which may wait for the pool's own lock: then it continues, and the rest of the end does not wait. */
    private void closePool() throws Exception {
        boolean returned = BoundedCall.run(
                "flexpool-close-" + context.name(),
                CLOSE_PATIENCE,
                () -> {
                    context.adapter().close();
                    return true;
                },
                () -> {});
        if (!returned) {
            context.listeners()
                    .guard(
                            "the log appender",
                            () -> LOG.warn(
                                    "{}: the pool's close() has not returned for {} ms and continues in the background",
                                    context.name(),
                                    CLOSE_PATIENCE.toMillis()));
        }
    }

    /** False if it is over already. */
    private boolean refuse(boolean staysOpen) {
        if (context.admissionState().closed()) {
            return false;
        }
        // First this: a request that is inside and finds it closed would close the pool again.
        released = staysOpen;
        context.admissionState().close();
        return true;
    }

    private void logClose(Exception thrown) {
        LOG.warn("{}: the pool's close threw", context.name(), PrintableFailure.of(thrown));
    }

    // ---- after the end ----

    /**
     * The pool may have opened again, for a request that was inside while it was closed. A request that finds it open has it
     * closed by a thread that does nothing else, and waits for that thread for a moment: a pool's close may take long, and
     * no request waits for what others leave behind.
     */
    void closeAgain() {
        if (released || context.closedByOwner() || reopened.getAndIncrement() > 0) {
            return;
        }
        boolean closes = false;
        try {
            Thread closer = DaemonThreads.create("flexpool-close-" + context.name(), this::closeUntilClosed);
            closer.start();
            closes = true;
            closer.join(CLOSE_WAIT_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError noThread) {
            // Then this one does it.
            closes = false;
        } finally {
            if (!closes) {
                closeUntilClosed();
            }
        }
    }

    /** A request that asks while this runs need not close the pool itself: it is closed once more for all of them. */
    private void closeUntilClosed() {
        int asked;
        do {
            asked = reopened.get();
            context.listeners().guard("the adapter's close", () -> {
                try {
                    context.adapter().close();
                } catch (Exception thrown) {
                    logClose(thrown);
                }
            });
        } while (!reopened.compareAndSet(asked, 0));
    }
}
