// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.PrintableFailure;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.ModeSwitch;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolControl;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the watch over a pool begins, and how it ends: with the pool, or without it. */
final class PoolLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final PoolContext context;
    private final AcquiringPool pool;
    private final PoolTick tick;
    private final ModeSwitch modes;
    private final @Nullable Limiter limiter;
    private final LeaseTracker leases;
    private final PoolCloser closer;
    private final List<MetricsBinder.Binding> bindings = new ArrayList<>();

    PoolLifecycle(
            PoolContext context,
            AcquiringPool pool,
            PoolTick tick,
            ModeSwitch modes,
            @Nullable Limiter limiter,
            LeaseTracker leases,
            PoolCloser closer) {
        this.context = context;
        this.pool = pool;
        this.tick = tick;
        this.modes = modes;
        this.limiter = limiter;
        this.leases = leases;
        this.closer = closer;
    }

    /** Begins to watch: the backends are bound, the loop ticks. If that fails, nothing of it is left. */
    void start(PoolControl view) {
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
            Housekeeper.shared().add(tick);
        } catch (Throwable failed) {
            unbind();
            stop();
            throw failed;
        }
    }

    private void unbind() {
        for (MetricsBinder.Binding binding : bindings) {
            context.listeners().guard("a metrics backend", binding::unbind);
        }
    }

    /** Nothing of flexpool's own runs for this pool any more. */
    private void stop() {
        Housekeeper.shared().remove(tick);
        leases.close();
        if (limiter != null) {
            limiter.close();
        }
    }

    boolean close() {
        return end(false, context.adapter()::close);
    }

    /** As close, but the pool stays open, with its own sizes. */
    boolean release() {
        return end(true, () -> {
            if (limiter != null && context.mode().limiting()) {
                limiter.resizer().suspend(context.adapter()::restore);
            }
        });
    }

    @FunctionalInterface
    private interface Ending {
        void run() throws Exception;
    }

    private boolean end(boolean staysOpen, Ending ofThePool) {
        if (!modes.between(() -> refuse(staysOpen))) {
            return false;
        }
        stop();
        if (limiter != null) {
            // Those who wait get a permit, and with it the answer that the pool is closed.
            limiter.gate().open(context.nanos());
        }
        try {
            ofThePool.run();
        } catch (Exception thrown) {
            context.listeners()
                    .guard(
                            "the log",
                            () -> LOG.warn("{}: the pool's close threw", context.name(), PrintableFailure.of(thrown)));
        } finally {
            context.listeners().raiseClosed();
            context.listeners().settle();
            context.listeners().close();
            // After that, for backends are listeners too.
            unbind();
        }
        return true;
    }

    /** False if it is over already. */
    private boolean refuse(boolean staysOpen) {
        if (context.admission().closed()) {
            return false;
        }
        // First this: a request that is inside and finds it closed would close the pool again.
        closer.released(staysOpen);
        context.admission().close();
        return true;
    }
}
