// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import io.flexpool.metrics.dropwizard.RatedReadings.Rated;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Every {@link PoolMetric} that the pool supports, as a read-only Dropwizard metric. */
final class PoolMetrics {
    private final RatedReadings readings;
    private final Map<String, Metric> byShortName = new LinkedHashMap<>();

    private PoolMetrics(RatedReadings readings) {
        this.readings = readings;
    }

    /** All metrics of a pool, by the name after the pool's name. */
    static Map<String, Metric> of(PoolView pool, RatedReadings readings) {
        PoolMetrics metrics = new PoolMetrics(readings);
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric == PoolMetric.ACQUISITION) {
                metrics.addAcquisitions();
            } else if (pool.supports(metric)) {
                metrics.byShortName.put(metric.shortName(), metrics.metric(metric));
            }
        }
        return metrics.byShortName;
    }

    private void addAcquisitions() {
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            String name = MetricRegistry.name(PoolMetric.ACQUISITION.shortName(), outcome.label());
            byShortName.put(name, timer(PoolMetric.ACQUISITION, outcome));
        }
    }

    private Metric metric(PoolMetric metric) {
        return switch (metric.kind()) {
            case TIMER -> timer(metric, AcquisitionOutcome.OK);
            case DISTRIBUTION -> new ReadHistogram(readings, figures -> figures.numbers(metric));
            case GAUGE -> gauge(metric);
            case COUNTER -> new ReadCounter(() -> readings.get().reading().counter(metric));
        };
    }

    private Metric timer(PoolMetric metric, AcquisitionOutcome outcome) {
        Function<Rated, Rates> rates = switch (metric) {
            case LEASE -> reading -> reading.statistics().leaseRates();
            case CONNECT -> Rated::connectRates;
            default -> reading -> reading.acquisitionRates(outcome);
        };
        return new ReadTimer(readings, figures -> figures.durations(metric, outcome), rates);
    }

    /**
     * Null if the pool does not report it: reporters show or skip null, but would draw -1. Whole numbers stay whole.
     */
    private Metric gauge(PoolMetric metric) {
        return (Gauge<@Nullable Number>) () -> {
            double now = readings.get().reading().gauge(metric);
            if (Double.isNaN(now)) {
                return null;
            }
            return metric == PoolMetric.ACTIVE_MEAN ? (Number) now : (Number) (long) now;
        };
    }
}
