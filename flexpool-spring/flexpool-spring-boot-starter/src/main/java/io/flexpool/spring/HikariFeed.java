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
 * Feeds the meters of one HikariCP that flexpool limits, or may limit. Its requests wait at flexpool's gate, so HikariCP would count no request as
 * pending and no wait as acquisition time; both come from flexpool instead: requests at the gate are pending too, and an
 * acquisition is one request of the application, from its beginning to its connection or its timeout. The rest is
 * HikariCP's own. Of a pool without a gate nothing is changed. Thread-safe.
 */
final class HikariFeed implements MetricsBinder, MetricsBinder.Binding, LeaseObserver {
    private final HikariDataSource hikari;
    private final Consumer<HikariFeed> ended;
    /** Null before the pool is wrapped, afterwards, and for a pool without a gate. */
    private volatile @Nullable PoolView pool;
    /** Null until HikariCP has asked for its meters. */
    private volatile @Nullable IMetricsTracker meters;

    /**
     * For one pool.
     *
     * @param hikari the raw pool
     * @param ended called when nothing is fed any more
     */
    HikariFeed(HikariDataSource hikari, Consumer<HikariFeed> ended) {
        this.hikari = hikari;
        this.ended = ended;
    }

    /** Whether HikariCP accepts other meters than it has: not a registry's, and none once it runs with some. */
    static boolean changeable(HikariDataSource hikari) {
        return hikari.getMetricRegistry() == null && (hikari.getMetricsTrackerFactory() == null || !hikari.isRunning());
    }

    @Override
    public Binding bind(PoolView gated) {
        // A pool with a gate may be only watched now, and bound later, by a change of its mode.
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

    /** Gives HikariCP these meters, unless it has got others meanwhile. */
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

    /** HikariCP records the wait of a request that timed out, too. */
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

    /** HikariCP's own figures, with those who wait at the gate. */
    private final class Stats extends PoolStats {
        private final PoolStats own;

        Stats(PoolStats own) {
            // HikariCP's are kept for a second; nothing is kept here.
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

    /** What HikariCP reports, without the acquisitions that flexpool reports. */
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
