// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.metrics.micrometer.RegisteredMeters.Wanted;
import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every {@link PoolMetric} that a pool supports, and every metric of its parts, as Micrometer meters. */
final class PoolMeters {
    private static final Logger LOG = LoggerFactory.getLogger(MicrometerMetrics.class);
    private static final double SECOND = 1e9;
    private static final double MAX = 1;
    private static final String SECONDS = "seconds";

    private final PoolView pool;
    private final MetricLevel level;
    private final LateOutcomes readings;
    private final CallTimers callTimers;
    private final boolean perCall;
    private final RegisteredMeters registered;

    private PoolMeters(MeterRegistry registry, boolean perCall, MetricLevel level, PoolView pool) {
        this.pool = pool;
        this.level = level;
        this.readings = new LateOutcomes(pool);
        this.perCall = perCall;
        this.callTimers = new CallTimers(readings::seen);
        this.registered = RegisteredMeters.register(registry, pool.name(), this::wanted);
    }

    static PoolMeters register(MeterRegistry registry, boolean histogram, MetricLevel level, PoolView pool) {
        boolean perCall = perCall(registry, histogram, pool.name());
        FilterProbe.warnOfUnsupported(registry, perCall, level);
        PoolMeters meters = new PoolMeters(registry, perCall, level, pool);
        meters.readings.begin(meters::addOutcome);
        return meters;
    }

    /** See {@link MicrometerMetrics#histogram()}: the first pool decides for all in the registry. */
    private static boolean perCall(MeterRegistry registry, boolean histogram, String pool) {
        String name = PoolMetric.ACQUISITION.conventionName();
        boolean inTheWay = histogram
                ? !registry.find(name).functionTimers().isEmpty()
                : !registry.find(name).timers().isEmpty();
        if (inTheWay) {
            LOG.warn(
                    "{}: the registry shows another pool with{} histogram, and so this one too; a registry accepts"
                            + " only one way",
                    pool,
                    histogram ? "out" : "");
        }
        return histogram != inTheWay;
    }

    void remove() {
        readings.end(registered::remove);
    }

    private void addOutcome(AcquisitionOutcome outcome) {
        registered.addLater(shown -> {
            List<Wanted> wanted = new ArrayList<>();
            addOutcome(outcome, Tags.of(RegisteredMeters.POOL, shown), wanted);
            return wanted;
        });
    }

    LeaseObserver observer() {
        return perCall ? callTimers : LeaseObserver.NONE;
    }

    private List<Wanted> wanted(String shown) {
        Tags tags = Tags.of(RegisteredMeters.POOL, shown);
        List<Wanted> wanted = new ArrayList<>();
        for (PoolMetric metric : PoolMetric.values()) {
            if (!level.shows(metric) || !pool.supports(metric)) {
                continue;
            }
            if (metric.ofClass()) {
                addOfClasses(metric, tags, wanted);
                continue;
            }
            switch (metric.kind()) {
                case TIMER -> addTimers(metric, tags, wanted);
                case DISTRIBUTION -> addDistribution(metric, tags, wanted);
                case GAUGE -> wanted.add(gauge(metric, tags));
                case COUNTER ->
                    wanted.add(counter(metric.conventionName(), metric.meaning(), tags, r -> r.counter(metric)));
            }
        }
        for (PartView part : pool.parts()) {
            part.metrics().forEach(metric -> wanted.add(ofPart(metric, tags)));
        }
        return wanted;
    }

    /** At every level: who adds a part wants its metrics. */
    private Wanted ofPart(PartMetric metric, Tags tags) {
        String unit = metric.unit().equals(Unit.NANOSECONDS.ucum()) ? SECONDS : null;
        return new Wanted(metric.conventionName(), tags, false, registry -> {
            if (metric.kind() == PoolMetric.Kind.COUNTER) {
                return FunctionCounter.builder(metric.conventionName(), readings, r -> metric.value())
                        .tags(tags)
                        .description(metric.meaning())
                        .baseUnit(unit)
                        .register(registry);
            }
            return Gauge.builder(metric.conventionName(), readings, r -> metric.value())
                    .tags(tags)
                    .description(metric.meaning())
                    .baseUnit(unit)
                    .register(registry);
        });
    }

    /** The classes of a pool are those that it was built with. */
    private void addOfClasses(PoolMetric metric, Tags tags, List<Wanted> wanted) {
        List<RequestClass> classes = pool.classes();
        for (int at = 0; at < classes.size(); at++) {
            int place = at;
            String name = metric.conventionName();
            Tags all = tags.and("class", classes.get(at).name());
            Function<PoolReading, RequestClass> its =
                    reading -> reading.classes().get(place);
            switch (metric.kind()) {
                case TIMER -> {
                    wanted.add(functionTimer(metric, all, r -> its.apply(r).waits()));
                    addRecentDurations(
                            metric,
                            AcquisitionOutcome.OK,
                            all,
                            wanted,
                            r -> its.apply(r).recentWaits());
                }
                case COUNTER ->
                    wanted.add(counter(
                            name, metric.meaning(), all, r -> its.apply(r).counter(metric)));
                case GAUGE -> {
                    // A class without a most never has one.
                    if (!Double.isNaN(classes.get(at).gauge(metric))) {
                        wanted.add(gauge(
                                name,
                                metric.meaning(),
                                all,
                                null,
                                r -> its.apply(r).gauge(metric)));
                    }
                }
                case DISTRIBUTION -> throw new IllegalStateException(metric + ": there is none of classes");
            }
        }
    }

    private void addTimers(PoolMetric metric, Tags tags, List<Wanted> wanted) {
        if (metric == PoolMetric.ACQUISITION) {
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                if (!readings.awaits(outcome)) {
                    addOutcome(outcome, tags, wanted);
                }
            }
        } else {
            addTimer(metric, AcquisitionOutcome.OK, tags, wanted);
        }
    }

    private void addOutcome(AcquisitionOutcome outcome, Tags tags, List<Wanted> wanted) {
        addTimer(PoolMetric.ACQUISITION, outcome, tags.and("outcome", outcome.label()), wanted);
    }

    private void addTimer(PoolMetric metric, AcquisitionOutcome outcome, Tags tags, List<Wanted> wanted) {
        if (perCall && CallTimers.records(metric)) {
            wanted.add(new Wanted(metric.conventionName(), tags, true, registry -> {
                Timer timer = Timer.builder(metric.conventionName())
                        .tags(tags)
                        .description(metric.meaning())
                        .register(registry);
                callTimers.set(metric, outcome, timer);
                return timer;
            }));
        } else {
            wanted.add(functionTimer(metric, tags, r -> r.statistics().total().durations(metric, outcome)));
        }
        addRecentDurations(
                metric, outcome, tags, wanted, r -> r.statistics().recent().durations(metric, outcome));
    }

    private void addRecentDurations(
            PoolMetric metric,
            AcquisitionOutcome outcome,
            Tags tags,
            List<Wanted> wanted,
            Function<PoolReading, HistogramSnapshot> durations) {
        addRecent(metric, outcome, tags, SECONDS, wanted, (reading, quantile) -> {
            HistogramSnapshot recent = durations.apply(reading);
            if (recent.count() == 0) {
                return Double.NaN;
            }
            return (quantile == MAX ? recent.maxNanos() : recent.percentileNanos(quantile)) / SECOND;
        });
    }

    private Wanted functionTimer(PoolMetric metric, Tags tags, Function<PoolReading, HistogramSnapshot> total) {
        ToLongFunction<LateOutcomes> count = r -> total.apply(r.get()).count();
        ToDoubleFunction<LateOutcomes> sum = r -> total.apply(r.get()).sumSeconds();
        return new Wanted(
                metric.conventionName(),
                tags,
                false,
                registry -> FunctionTimer.builder(metric.conventionName(), readings, count, sum, TimeUnit.SECONDS)
                        .tags(tags)
                        .description(metric.meaning())
                        .register(registry));
    }

    /** Micrometer has no read-only distribution: count and sum are counters, from which a mean can be computed. */
    private void addDistribution(PoolMetric metric, Tags tags, List<Wanted> wanted) {
        String name = metric.conventionName();
        wanted.add(counter(
                name + ".count",
                "Count: " + metric.meaning(),
                tags,
                r -> total(metric, r).count()));
        wanted.add(counter(
                name + ".sum",
                "Sum: " + metric.meaning(),
                tags,
                r -> total(metric, r).sum()));
        addRecent(metric, AcquisitionOutcome.OK, tags, null, wanted, (reading, quantile) -> {
            CountDistribution recent = reading.statistics().recent().numbers(metric);
            return recent.count() == 0 ? Double.NaN : recent.percentile(quantile);
        });
    }

    private static CountDistribution total(PoolMetric metric, PoolReading reading) {
        return reading.statistics().total().numbers(metric);
    }

    private interface Quantile {
        double of(PoolReading reading, double quantile);
    }

    /**
     * Named differently from the timer: Micrometer's own percentiles of a timer have its name, and a filter may request
     * them for a real timer.
     */
    private void addRecent(
            PoolMetric metric,
            AcquisitionOutcome outcome,
            Tags tags,
            @Nullable String unit,
            List<Wanted> wanted,
            Quantile value) {
        for (double quantile : level.recentQuantiles(metric, outcome)) {
            String label = quantile == MAX ? "1" : Double.toString(quantile);
            wanted.add(gauge(
                    metric.conventionName() + ".recent",
                    "Percentiles of the last minute (1 is the maximum). " + metric.meaning(),
                    tags.and("quantile", label),
                    unit,
                    r -> value.of(r, quantile)));
        }
    }

    private Wanted gauge(PoolMetric metric, Tags tags) {
        boolean nanos = metric.unit() == Unit.NANOSECONDS;
        Tags all = switch (metric) {
            // One metric with two states, as in the conventions.
            case ACTIVE -> tags.and("state", "used");
            case IDLE -> tags.and("state", "idle");
            default -> tags;
        };
        String meaning = all.equals(tags) ? metric.meaning() : "Connections by state.";
        return gauge(
                metric.conventionName(),
                meaning,
                all,
                nanos ? SECONDS : null,
                r -> nanos ? r.gauge(metric) / SECOND : r.gauge(metric));
    }

    /**
     * Only seconds are a base unit: a registry such as Prometheus' appends it to the name, while {@code
     * db_client_connection_max} has none, because the conventions' units in braces are annotations.
     */
    private Wanted gauge(
            String name, String meaning, Tags tags, @Nullable String unit, ToDoubleFunction<PoolReading> value) {
        return new Wanted(
                name,
                tags,
                false,
                registry -> Gauge.builder(name, readings, r -> value.applyAsDouble(r.get()))
                        .tags(tags)
                        .description(meaning)
                        .baseUnit(unit)
                        .register(registry));
    }

    private Wanted counter(String name, String meaning, Tags tags, ToDoubleFunction<PoolReading> value) {
        return new Wanted(
                name,
                tags,
                false,
                registry -> FunctionCounter.builder(name, readings, r -> value.applyAsDouble(r.get()))
                        .tags(tags)
                        .description(meaning)
                        .register(registry));
    }
}
