// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backend whose library's bean is not asked for before the application has started. What is read since the pool was
 * wrapped is shown whole; what must hear each call hears those after the start.
 */
final class LateBackend implements MetricsBinder {
    private final AfterStart start;
    private final Supplier<Optional<MetricsBinder>> backend;
    private final boolean hears;

    /**
     * Of one pool.
     *
     * @param start when
     * @param backend makes the real one, if there is something that it can show the pool in
     * @param hears whether it has to hear each call, which costs
     */
    LateBackend(AfterStart start, Supplier<Optional<MetricsBinder>> backend, boolean hears) {
        this.start = start;
        this.backend = backend;
        this.hears = hears;
    }

    @Override
    public Binding bind(PoolView pool) {
        LateBinding binding = new LateBinding(hears);
        start.run(() -> binding.begin(backend, pool));
        return binding;
    }

    private static final class LateBinding implements Binding, LeaseObserver {
        private static final Binding ENDED = () -> {};

        private final boolean hears;
        private final AtomicReference<@Nullable Binding> real = new AtomicReference<>();
        private volatile LeaseObserver observer = LeaseObserver.NONE;

        LateBinding(boolean hears) {
            this.hears = hears;
        }

        void begin(Supplier<Optional<MetricsBinder>> backend, PoolView pool) {
            if (real.get() != ENDED) {
                backend.get().ifPresent(binder -> begin(binder.bind(pool)));
            }
        }

        private void begin(Binding fresh) {
            if (real.compareAndSet(null, fresh)) {
                observer = fresh.observer();
            } else {
                fresh.unbind();
            }
        }

        @Override
        public LeaseObserver observer() {
            return hears ? this : LeaseObserver.NONE;
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
