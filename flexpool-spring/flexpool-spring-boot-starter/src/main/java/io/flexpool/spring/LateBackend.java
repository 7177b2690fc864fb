// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backend whose bean is requested only after the application's start: an earlier request would be a circular
 * dependency if the registry needs the database. Polled figures cover the whole time since the pool was wrapped;
 * recording of single calls begins after the start.
 */
final class LateBackend implements MetricsBinder {
    private final AfterStart start;
    private final Supplier<Optional<MetricsBinder>> backend;
    private final boolean perCall;

    /**
     * Creates the backend.
     *
     * @param start runs actions after the start
     * @param backend creates the real backend; empty without a registry
     * @param perCall whether it observes each call, at a cost
     */
    LateBackend(AfterStart start, Supplier<Optional<MetricsBinder>> backend, boolean perCall) {
        this.start = start;
        this.backend = backend;
        this.perCall = perCall;
    }

    @Override
    public Binding bind(PoolView pool) {
        LateBinding binding = new LateBinding(perCall);
        start.run(() -> binding.begin(backend, pool));
        return binding;
    }

    private static final class LateBinding implements Binding, LeaseObserver, PoolListener {
        private static final Binding ENDED = () -> {};

        private final boolean perCall;
        private final AtomicReference<@Nullable Binding> real = new AtomicReference<>();
        private volatile LeaseObserver observer = LeaseObserver.NONE;
        private volatile @Nullable PoolListener listener;

        LateBinding(boolean perCall) {
            this.perCall = perCall;
        }

        void begin(Supplier<Optional<MetricsBinder>> backend, PoolView pool) {
            if (real.get() != ENDED) {
                backend.get().ifPresent(binder -> begin(binder.bind(pool)));
            }
        }

        private void begin(Binding fresh) {
            if (real.compareAndSet(null, fresh)) {
                listener = fresh.listener();
                observer = fresh.observer();
            } else {
                fresh.unbind();
            }
        }

        @Override
        public LeaseObserver observer() {
            return perCall ? this : LeaseObserver.NONE;
        }

        @Override
        public PoolListener listener() {
            return this;
        }

        @Override
        public void onEvent(PoolEvent event) {
            PoolListener bound = listener;
            if (bound != null) {
                bound.onEvent(event);
            }
        }

        @Override
        public void onClosed(String pool) {
            PoolListener bound = listener;
            if (bound != null) {
                bound.onClosed(pool);
            }
        }

        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            observer.acquired(requestedNanos, endedNanos, outcome);
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            observer.released(acquiredNanos, releasedNanos);
        }

        @Override
        public @Nullable String traceId() {
            Binding bound = real.get();
            return bound == null ? null : bound.traceId();
        }

        @Override
        public void unbind() {
            Binding bound = real.getAndSet(ENDED);
            if (bound != null) {
                bound.unbind();
            }
        }
    }
}
