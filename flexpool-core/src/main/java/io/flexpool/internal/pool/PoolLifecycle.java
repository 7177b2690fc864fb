// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.ListenerGuard;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and ends the monitoring of a pool, with or without closing the pool. If a request that was inside during the
 * close has opened the pool again, the pool is closed once more. Thread-safe.
 */
final class PoolLifecycle implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /** The longest time that a request waits for the close of a pool that it has opened again. */
    private static final long CLOSE_WAIT_MILLIS = 1_000;

    /** How long a close waits for the pool's close: HikariCP waits up to ten seconds, twice. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(20);

    private final PoolContext context;
    private final ListenerGuard listeners;
    private final @Nullable Limiter limiter;
    private final LeaseTracker leases;
    private final PoolParts parts;
    /** Each binding is removed before it is unbound, because two threads may end the pool. */
    private final Queue<MetricsBinder.Binding> bindings = new ConcurrentLinkedQueue<>();
    /** Whether the pool stays open after its monitoring has ended. */
    private volatile boolean released;
    /** The number of requests that may have opened the pool again since it was last closed. */
    private final AtomicInteger reopened = new AtomicInteger();

    PoolLifecycle(PoolContext context, @Nullable Limiter limiter, LeaseTracker leases, PoolParts parts) {
        this.parts = parts;
        this.context = context;
        this.listeners = context.listeners();
        this.limiter = limiter;
        this.leases = leases;
    }

    // ---- the start ----

    /** Binds the backends and starts the ticks. If this fails, both are undone. */
    void start(PoolControl view, AcquiringPool pool, PoolTick tick) {
        boolean started = false;
        try {
            List<LeaseObserver> observers =
                    new ArrayList<>(List.of(context.config().observer()));
            for (MetricsBinder binder : context.config().metrics()) {
                MetricsBinder.Binding binding = binder.bind(view);
                bindings.add(binding);
                observers.add(binding.observer());
                listeners.add(binding);
            }
            pool.observe(listeners.guard(observers));
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

    /** Unbinds the backends of a drained pool. Called by the registry, which has a weak reference to this object. */
    @Override
    public void run() {
        unbind();
    }

    private void unbind() {
        for (MetricsBinder.Binding binding; (binding = bindings.poll()) != null; ) {
            MetricsBinder.Binding bound = binding;
            listeners.last("a metrics backend", bound::unbind);
        }
    }

    /** Stops the tick, the leases and the parts of this pool. */
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
     * Ends the monitoring, once, even if the pool's close throws. If the application ends it, the backends are unbound.
     * After an operator's drain they stay bound until then: an application that cannot serve requests must not look
     * like an application without a pool.
     *
     * @param staysOpen whether the pool stays open, with its own sizes
     * @param byApplication false for an operator's drain, after which the application still has the pool
     * @param resume serves the requests that wait because the pool is paused
     */
    void end(boolean staysOpen, boolean byApplication, PoolTick tick, ModeSwitch modes, Runnable resume) {
        if (!modes.between(() -> refuse(staysOpen))) {
            if (byApplication) {
                unbind();
            }
            return;
        }
        // Not before: the pool could be paused again in between.
        resume.run();
        stop(tick);
        if (limiter != null) {
            // Waiting requests get a permit, and then fail because the pool is closed.
            limiter.gate().open(context.nanos());
        }
        try {
            if (!staysOpen) {
                parts.poolCloses();
                // May wait for a lock of the pool: then it continues in the background.
                Callable<?> close = () -> {
                    context.adapter().close();
                    return true;
                };
                listeners.bounded("close", "the pool's close()", CLOSE_PATIENCE, close, () -> {});
            } else if (limiter != null && context.mode().limiting()) {
                limiter.resizer().suspend();
                limiter.maintenance().closeSurplus();
            }
        } catch (Exception thrown) {
            listeners.guard("the log appender", () -> logClose(thrown));
        } finally {
            parts.ended(!staysOpen);
            listeners.raiseClosed();
            listeners.settle();
            listeners.close();
            // After that, because backends are listeners too.
            if (byApplication) {
                unbind();
            } else {
                PoolRegistry.drained(context.config().target(), context.name(), this);
            }
            PoolRegistry.remove(context.config().target());
        }
    }

    /** Refuses requests from now on; false if monitoring has ended already. */
    private boolean refuse(boolean staysOpen) {
        if (context.admissionState().closed()) {
            return false;
        }
        // First: a request inside the pool that finds it closed would close the pool again.
        released = staysOpen;
        context.admissionState().close();
        return true;
    }

    private void logClose(Exception thrown) {
        LOG.warn("{}: the pool's close threw", context.name(), PrintableFailure.of(thrown));
    }

    // ---- after the end ----

    /**
     * Closes the pool again if a request that was inside during the close may have opened it. A separate thread closes
     * the pool, and the request waits for it for a limited time only, because a pool's close may take long.
     */
    void closeAgain() {
        if (released || context.closedByApplication() || reopened.getAndIncrement() > 0) {
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
            // Then the calling thread closes the pool.
            closes = false;
        } finally {
            if (!closes) {
                closeUntilClosed();
            }
        }
    }

    /** If requests call {@link #closeAgain} meanwhile, the pool is closed once more for all of them. */
    private void closeUntilClosed() {
        int requests;
        do {
            requests = reopened.get();
            listeners.guard("the adapter's close", () -> {
                try {
                    context.adapter().close();
                } catch (Exception thrown) {
                    logClose(thrown);
                }
            });
        } while (!reopened.compareAndSet(requests, 0));
    }
}
