// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.CountDistribution;
import io.flexpool.pool.HistogramSnapshot;
import io.flexpool.pool.PoolMetric;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.PoolStatistics.Figures;
import io.flexpool.pool.PoolStatistics.Rates;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Every {@link PoolMetric} as a Dropwizard metric that reads. */
final class PoolMetrics {
    private final PoolReadings readings;
    private final Map<String, Metric> byShortName = new LinkedHashMap<>();

    private PoolMetrics(PoolReadings readings) {
        this.readings = readings;
    }

    /** All metrics of a pool, by the name behind the pool's name. */
    static Map<String, Metric> of(PoolReadings readings) {
        PoolMetrics metrics = new PoolMetrics(readings);
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric == PoolMetric.ACQUISITION) {
                metrics.addAcquisitions();
            } else {
                metrics.byShortName.put(metric.shortName(), metrics.metric(metric));
            }
        }
        return metrics.byShortName;
    }

    private void addAcquisitions() {
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            String name = MetricRegistry.name(PoolMetric.ACQUISITION.shortName(), outcome.label());
            byShortName.put(name, acquisition(outcome));
        }
    }

    private Metric acquisition(AcquisitionOutcome outcome) {
        return timer(figures -> figures.acquisition(outcome), reading -> reading.acquisitionRates(outcome));
    }

    private Metric metric(PoolMetric metric) {
        return switch (metric) {
            case ACQUISITION -> acquisition(AcquisitionOutcome.OK);
            case ATTEMPT ->
                timer(Figures::attempts, reading -> reading.statistics().acquisitionRates());
            case LEASE -> timer(Figures::leases, reading -> reading.statistics().leaseRates());
            case ACTIVE_SAMPLED -> histogram(Figures::active);
            case PENDING_SAMPLED -> histogram(Figures::pending);
            case LIMIT_SAMPLED -> histogram(Figures::limit);
            case GROWN_BY_SAMPLED -> histogram(Figures::grownBy);
            case RETRIES -> histogram(Figures::retries);
            case ACTIVE -> gauge(PoolState::leased);
            case IDLE -> gauge(state -> state.pool().idle());
            case PENDING -> gauge(PoolState::pending);
            case OLDEST_WAIT -> (Gauge<Long>) () -> readings.get().state().oldestWaitNanos();
            case LIMIT ->
                gauge(state -> state.bound() ? state.limit() : state.pool().max());
            case MAX -> gauge(state -> state.pool().max());
            case MIN_IDLE -> gauge(state -> state.pool().minIdle());
            case FOREIGN -> gauge(PoolMetrics::foreign);
            case GROWTHS -> counter(Figures::growths);
            case SHRINKS -> counter(Figures::shrinks);
            case REFUSED_GROWTHS -> counter(Figures::refusedGrowths);
            case CONNECT_FAILURES -> counter(Figures::connectFailures);
            case LISTENER_ERRORS -> counter(Figures::listenerErrors);
        };
    }

    /** Without the pool's own count, 0 would claim that nothing goes past flexpool. */
    private static int foreign(PoolState state) {
        return state.pool().active() == PoolSnapshot.UNKNOWN ? PoolSnapshot.UNKNOWN : state.foreign();
    }

    private Metric timer(Function<Figures, HistogramSnapshot> durations, Function<PoolReadings.Reading, Rates> rates) {
        return new ReadTimer(readings, durations, rates);
    }

    private Metric histogram(Function<Figures, CountDistribution> numbers) {
        return new ReadHistogram(readings, numbers);
    }

    private Metric counter(ToLongFunction<Figures> figure) {
        return new ReadCounter(readings, figure);
    }

    /** Null where the pool does not tell: reporters show or skip it, while -1 would be drawn as a figure. */
    private Metric gauge(ToIntFunction<PoolState> figure) {
        return (Gauge<@Nullable Integer>) () -> {
            int now = figure.applyAsInt(readings.get().state());
            return now == PoolSnapshot.UNKNOWN ? null : now;
        };
    }
}
