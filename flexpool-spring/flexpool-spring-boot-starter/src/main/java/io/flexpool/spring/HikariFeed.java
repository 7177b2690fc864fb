// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import com.zaxxer.hikari.metrics.PoolStats;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the meters of one HikariCP pool that flexpool limits, or may limit. Its requests wait at flexpool's gate, so
 * HikariCP would count neither pending requests nor waits. So two figures come from flexpool: pending requests include
 * those at the gate, and an acquisition is one request of the application, from its beginning to its connection or
 * timeout. All other figures are HikariCP's. Changes nothing for a pool without a gate. Thread-safe.
 */
final class HikariFeed implements MetricsBinder, MetricsBinder.Binding, LeaseObserver {
    private final HikariDataSource hikari;
    private final Consumer<HikariFeed> ended;
    /** The wrapped pool; null before the wrapping, after its end, and for a pool without a gate. */
    private volatile @Nullable PoolView pool;
    /** The meters; null until HikariCP has requested them. */
    private volatile @Nullable IMetricsTracker meters;

    /**
     * Creates the feed of one pool.
     *
     * @param hikari the raw pool
     * @param ended called when the feed ends
     */
    HikariFeed(HikariDataSource hikari, Consumer<HikariFeed> ended) {
        this.hikari = hikari;
        this.ended = ended;
    }

    /** Whether HikariCP's meters can be changed: not those of a registry, and not those of a running pool. */
    static boolean changeable(HikariDataSource hikari) {
        return hikari.getMetricRegistry() == null && (hikari.getMetricsTrackerFactory() == null || !hikari.isRunning());
    }

    @Override
    public Binding bind(PoolView gated) {
        // A pool with a gate may be only watched at first, and bound later by a change of its mode.
        if (!gated.supports(PoolMetric.GROWTHS)) {
            ended.accept(this);
            return () -> {};
        }
        pool = gated;
        MetricsTrackerFactory configured = hikari.getMetricsTrackerFactory();
        if (configured != null) {
            hikari.setMetricsTrackerFactory(fed(configured));
        }
        return this;
    }

    /** Sets HikariCP's meters, unless it has others by now. */
    void meter(MetricsTrackerFactory factory) {
        if (pool != null && hikari.getMetricRegistry() == null && hikari.getMetricsTrackerFactory() == null) {
            hikari.setMetricsTrackerFactory(fed(factory));
        }
    }

    private MetricsTrackerFactory fed(MetricsTrackerFactory factory) {
        return (name, own) -> {
            IMetricsTracker made = factory.create(name, new Stats(own));
            meters = made;
            return new Tracker(made);
        };
    }

    @Override
    public LeaseObserver observer() {
        return this;
    }

    /** Records also the wait of a request that timed out, like HikariCP. */
    @Override
    public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        IMetricsTracker to = meters;
        if (to == null) {
            return;
        }
        boolean timeout = outcome == AcquisitionOutcome.TIMEOUT || outcome == AcquisitionOutcome.CONNECT_FAILURE;
        if (timeout || outcome == AcquisitionOutcome.OK) {
            to.recordConnectionAcquiredNanos(endedNanos - requestedNanos);
        }
        if (timeout) {
            to.recordConnectionTimeout();
        }
    }

    @Override
    public void released(long acquiredNanos, long releasedNanos) {}

    @Override
    public void unbind() {
        pool = null;
        ended.accept(this);
    }

    /** HikariCP's own figures, plus the requests that wait at the gate. */
    private final class Stats extends PoolStats {
        private final PoolStats own;

        Stats(PoolStats own) {
            // HikariCP stores its figures for a second; this class stores none.
            super(0);
            this.own = own;
        }

        @Override
        protected void update() {
            PoolView bound = pool;
            totalConnections = own.getTotalConnections();
            idleConnections = own.getIdleConnections();
            activeConnections = own.getActiveConnections();
            pendingThreads =
                    own.getPendingThreads() + (bound == null ? 0 : bound.state().waiting());
            maxConnections = own.getMaxConnections();
            minConnections = own.getMinConnections();
        }
    }

    /** Passes on HikariCP's recordings, except acquisitions, which flexpool records. */
    private final class Tracker implements IMetricsTracker {
        private final IMetricsTracker to;

        Tracker(IMetricsTracker to) {
            this.to = to;
        }

        @Override
        public void recordConnectionCreatedMillis(long millis) {
            to.recordConnectionCreatedMillis(millis);
        }

        @Override
        public void recordConnectionAcquiredNanos(long nanos) {
            if (pool == null) {
                to.recordConnectionAcquiredNanos(nanos);
            }
        }

        @Override
        public void recordConnectionUsageMillis(long millis) {
            to.recordConnectionUsageMillis(millis);
        }

        @Override
        public void recordConnectionTimeout() {
            if (pool == null) {
                to.recordConnectionTimeout();
            }
        }

        @Override
        public void close() {
            to.close();
        }
    }
}
