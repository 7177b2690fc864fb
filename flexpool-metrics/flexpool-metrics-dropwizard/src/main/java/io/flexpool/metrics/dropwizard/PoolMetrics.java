// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import io.flexpool.metrics.dropwizard.RatedReadings.Rated;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Every {@link PoolMetric} that the pool supports, and every metric of its parts, as a read-only Dropwizard metric. */
final class PoolMetrics {
    private static final String SECONDS = PoolMetric.Unit.NANOSECONDS.ucum();
    private static final double SECOND = 1e9;

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
            } else if (metric.perClass()) {
                metrics.addOfClasses(metric, pool.classes());
            } else if (pool.supports(metric)) {
                metrics.byShortName.put(metric.shortName(), metrics.metric(metric));
            }
        }
        for (PartView part : pool.parts()) {
            for (PartMetric metric : part.metrics()) {
                metrics.byShortName.putIfAbsent(metric.shortName(), ofPart(metric));
            }
        }
        return metrics.byShortName;
    }

    private static Metric ofPart(PartMetric metric) {
        if (metric.kind() == PoolMetric.Kind.COUNTER) {
            return new ReadCounter(() -> (long) metric.value());
        }
        if (metric.unit().equals(SECONDS)) {
            return (NanosGauge) () -> orNull(metric.value() * SECOND, false);
        }
        boolean fraction = !metric.unit().startsWith("{");
        return (Gauge<@Nullable Number>) () -> orNull(metric.value(), fraction);
    }

    private void addAcquisitions() {
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            String name = MetricRegistry.name(PoolMetric.ACQUISITION.shortName(), outcome.label());
            byShortName.put(name, timer(PoolMetric.ACQUISITION, outcome));
        }
    }

    /** The classes of a pool are those that it was built with. */
    private void addOfClasses(PoolMetric metric, List<RequestClass> classes) {
        for (int at = 0; at < classes.size(); at++) {
            int place = at;
            Function<PoolReading, RequestClass> its =
                    reading -> reading.classes().get(place);
            Metric added = switch (metric.kind()) {
                case TIMER ->
                    new ReadTimer(
                            readings,
                            reading -> its.apply(reading).waits(),
                            reading -> its.apply(reading).recentWaits(),
                            rated -> rated.classRates(place));
                case GAUGE -> gauge(reading -> its.apply(reading).gauge(metric), false);
                case COUNTER ->
                    new ReadCounter(() -> its.apply(readings.get().reading()).counter(metric));
                case DISTRIBUTION ->
                    throw new IllegalStateException(metric + ": there is no distribution for request classes");
            };
            byShortName.put(metric.shortName(classes.get(at).name()), added);
        }
    }

    private Metric metric(PoolMetric metric) {
        return switch (metric.kind()) {
            case TIMER -> timer(metric, AcquisitionOutcome.OK);
            case DISTRIBUTION -> new ReadHistogram(readings, figures -> figures.numbers(metric));
            case GAUGE -> {
                if (metric.unit() == PoolMetric.Unit.NANOSECONDS) {
                    yield (NanosGauge) () -> orNull(readings.get().reading().gauge(metric), false);
                }
                yield gauge(
                        reading -> reading.gauge(metric),
                        metric == PoolMetric.ACTIVE_MEAN || metric == PoolMetric.SATURATION);
            }
            case COUNTER -> new ReadCounter(() -> readings.get().reading().counter(metric));
        };
    }

    private Metric timer(PoolMetric metric, AcquisitionOutcome outcome) {
        Function<Rated, Rates> rates = switch (metric) {
            case LEASE -> reading -> reading.statistics().leaseRates();
            case CONNECT -> Rated::connectRates;
            default -> reading -> reading.acquisitionRates(outcome);
        };
        return new ReadTimer(
                readings,
                reading -> reading.statistics().total().durations(metric, outcome),
                reading -> reading.statistics().recent().durations(metric, outcome),
                rates);
    }

    private Metric gauge(ToDoubleFunction<PoolReading> value, boolean fraction) {
        return (Gauge<@Nullable Number>)
                () -> orNull(value.applyAsDouble(readings.get().reading()), fraction);
    }

    /**
     * Null if the pool does not report it: reporters show or skip null, but would draw -1. Whole numbers stay whole.
     */
    private static @Nullable Number orNull(double now, boolean fraction) {
        if (Double.isNaN(now)) {
            return null;
        }
        return fraction ? (Number) now : (Number) (long) now;
    }
}
