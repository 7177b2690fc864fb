// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.WatchState;

/**
 * One reading of a pool, and the value of each {@link PoolMetric} in it: the only place that defines where a value
 * comes from, so that all backends show the same. Immutable.
 *
 * @param state the pool at that moment
 * @param statistics the statistics up to then
 * @param watch the state of the monitoring
 */
public record PoolReading(PoolState state, PoolStatistics statistics, WatchState watch) {
    /**
     * Reads a pool.
     *
     * @param pool which
     * @return a fresh reading
     */
    public static PoolReading of(PoolView pool) {
        return new PoolReading(pool.state(), pool.statistics(), pool.watch());
    }

    /**
     * A gauge.
     *
     * @param metric of the kind {@link PoolMetric.Kind#GAUGE}
     * @return in the metric's unit; NaN if the pool does not report it
     * @throws IllegalArgumentException if the metric is no gauge
     */
    public double gauge(PoolMetric metric) {
        return switch (metric) {
            case ACTIVE -> state.leased();
            case ACTIVE_MEAN -> statistics.recent().active().mean();
            case IDLE -> orNaN(state.pool().idle());
            case PENDING -> state.pending();
            case OLDEST_WAIT -> state.oldestWait().toNanos();
            case LIMIT -> orNaN(state.bound() ? state.limit() : state.pool().max());
            case MAX -> orNaN(state.pool().max());
            case MIN_IDLE -> orNaN(state.pool().minIdle());
            // Without the pool's own count, 0 would claim that no connection is borrowed past flexpool.
            case FOREIGN -> state.pool().active() == PoolSnapshot.UNKNOWN ? Double.NaN : state.foreign();
            case TICK_AGE -> watch.tickAgeNanos();
            default -> throw wrongKind(metric, "gauge");
        };
    }

    private static double orNaN(int figure) {
        return figure == PoolSnapshot.UNKNOWN ? Double.NaN : figure;
    }

    /**
     * A counter, since the pool was wrapped.
     *
     * @param metric of the kind {@link PoolMetric.Kind#COUNTER}
     * @return never negative
     * @throws IllegalArgumentException if the metric is no counter
     */
    public long counter(PoolMetric metric) {
        Figures total = statistics.total();
        return switch (metric) {
            case TIMEOUTS -> total.acquisition(AcquisitionOutcome.TIMEOUT).count();
            case GROWTHS -> total.growths();
            case SHRINKS -> total.shrinks();
            case REFUSED_GROWTHS -> total.refusedGrowths();
            case CONNECT_FAILURES -> total.connectFailures();
            case LEAKS_SUSPECTED -> total.leaksSuspected();
            case NESTED_ACQUISITIONS -> total.nestedAcquisitions();
            case LISTENER_ERRORS -> total.listenerErrors();
            case EVENTS_DROPPED -> watch.droppedEvents();
            default -> throw wrongKind(metric, "counter");
        };
    }

    /**
     * Durations of one span.
     *
     * @param metric of the kind {@link PoolMetric.Kind#TIMER}
     * @param outcome of {@link PoolMetric#ACQUISITION}, which has a timer per outcome; else ignored
     * @param figures {@link PoolStatistics#total()} or {@link PoolStatistics#recent()}
     * @return never null
     * @throws IllegalArgumentException if the metric is no timer
     */
    public static HistogramSnapshot durations(PoolMetric metric, AcquisitionOutcome outcome, Figures figures) {
        return switch (metric) {
            case ACQUISITION -> figures.acquisition(outcome);
            case ATTEMPT -> figures.attempts();
            case LEASE -> figures.leases();
            case CONNECT -> figures.connects();
            default -> throw wrongKind(metric, "timer");
        };
    }

    /**
     * Numbers of one span.
     *
     * @param metric of the kind {@link PoolMetric.Kind#DISTRIBUTION}
     * @param figures {@link PoolStatistics#total()} or {@link PoolStatistics#recent()}
     * @return never null
     * @throws IllegalArgumentException if the metric is no distribution
     */
    public static CountDistribution numbers(PoolMetric metric, Figures figures) {
        return switch (metric) {
            case ACTIVE_SAMPLED -> figures.active();
            case PENDING_SAMPLED -> figures.pending();
            case LIMIT_SAMPLED -> figures.limit();
            case GROWN_BY_SAMPLED -> figures.grownBy();
            case RETRIES -> figures.retries();
            default -> throw wrongKind(metric, "distribution");
        };
    }

    private static IllegalArgumentException wrongKind(PoolMetric metric, String wanted) {
        return new IllegalArgumentException(metric + ": is a " + metric.kind() + ", must be a " + wanted);
    }
}
