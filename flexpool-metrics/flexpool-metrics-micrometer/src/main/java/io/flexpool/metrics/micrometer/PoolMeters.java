// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.event.PoolListener;
import io.flexpool.metrics.micrometer.Figure.Part;
import io.flexpool.metrics.micrometer.RegisteredMeters.Wanted;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every {@link PoolMetric} that a pool supports, and every metric of its parts, as Micrometer meters. */
final class PoolMeters {
    private static final Logger LOG = LoggerFactory.getLogger(MicrometerMetrics.class);
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
                    "{}: shown with{} histogram, like the registry's first pool: all pools of a registry must have"
                            + " meters of one type",
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

    /** Real timers see each outcome themselves. */
    @Nullable
    PoolListener listener() {
        return perCall ? null : readings;
    }

    private List<Wanted> wanted(String shown) {
        Tags tags = Tags.of(RegisteredMeters.POOL, shown);
        List<Wanted> wanted = new ArrayList<>();
        for (PoolMetric metric : PoolMetric.values()) {
            if (!level.shows(metric) || !pool.supports(metric)) {
                continue;
            }
            if (metric.perClass()) {
                addOfClasses(metric, tags, wanted);
                continue;
            }
            switch (metric.kind()) {
                case TIMER -> addTimers(metric, tags, wanted);
                case DISTRIBUTION -> addDistribution(metric, tags, wanted);
                case GAUGE -> wanted.add(gauge(metric, tags));
                case COUNTER ->
                    wanted.add(counter(metric.conventionName(), metric.meaning(), tags, value(metric, Figure.POOL)));
            }
        }
        for (PartView part : pool.parts()) {
            for (PartMetric metric : part.metrics()) {
                wanted.add(ofPart(metric, tags));
            }
        }
        return wanted;
    }

    /** The meter of a part's metric, at every level, because an application that adds a part needs its metrics. */
    private Wanted ofPart(PartMetric metric, Tags tags) {
        String unit = metric.unit().equals(Unit.NANOSECONDS.ucum()) ? SECONDS : null;
        Kind kind = metric.kind() == Kind.COUNTER ? Kind.COUNTER : Kind.GAUGE;
        return new ReadMeter(kind, metric.conventionName(), metric.meaning(), tags, unit, r -> metric.value()).wanted();
    }

    /** The classes of a pool are those that it was built with. */
    private void addOfClasses(PoolMetric metric, Tags tags, List<Wanted> wanted) {
        List<RequestClass> classes = pool.classes();
        for (int at = 0; at < classes.size(); at++) {
            String name = metric.conventionName();
            Tags all = tags.and("class", classes.get(at).name());
            switch (metric.kind()) {
                case TIMER -> addFunctionTimer(metric, AcquisitionOutcome.OK, at, all, wanted);
                case COUNTER -> wanted.add(counter(name, metric.meaning(), all, value(metric, at)));
                case GAUGE -> {
                    // A class without a maximum never gets one.
                    if (!Double.isNaN(classes.get(at).gauge(metric))) {
                        wanted.add(gauge(name, metric.meaning(), all, null, value(metric, at)));
                    }
                }
                case DISTRIBUTION ->
                    throw new IllegalStateException(metric + ": there is no distribution for request classes");
            }
        }
    }

    private static Figure value(PoolMetric metric, int requestClass) {
        return Figure.of(metric, Part.VALUE, AcquisitionOutcome.OK, requestClass);
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
        if (!perCall || !CallTimers.records(metric)) {
            addFunctionTimer(metric, outcome, Figure.POOL, tags, wanted);
            return;
        }
        wanted.add(new Wanted(metric.conventionName(), tags, true, registry -> {
            Timer timer = Timer.builder(metric.conventionName())
                    .tags(tags)
                    .description(metric.meaning())
                    .register(registry);
            callTimers.set(metric, outcome, timer);
            return timer;
        }));
        addRecent(Figure.of(metric, Part.RECENT, outcome, Figure.POOL), tags, SECONDS, wanted);
    }

    private void addFunctionTimer(
            PoolMetric metric, AcquisitionOutcome outcome, int requestClass, Tags tags, List<Wanted> wanted) {
        Figure seconds = Figure.of(metric, Part.SUM, outcome, requestClass);
        wanted.add(
                new ReadMeter(Kind.TIMER, metric.conventionName(), metric.meaning(), tags, SECONDS, seconds).wanted());
        addRecent(seconds, tags, SECONDS, wanted);
    }

    /** Micrometer has no read-only distribution: count and sum are counters, from which a mean can be computed. */
    private void addDistribution(PoolMetric metric, Tags tags, List<Wanted> wanted) {
        String name = metric.conventionName();
        Figure count = Figure.of(metric, Part.COUNT, AcquisitionOutcome.OK, Figure.POOL);
        Figure sum = Figure.of(metric, Part.SUM, AcquisitionOutcome.OK, Figure.POOL);
        wanted.add(counter(name + ".count", "Count: " + metric.meaning(), tags, count));
        wanted.add(counter(name + ".sum", "Sum: " + metric.meaning(), tags, sum));
        addRecent(sum, tags, null, wanted);
    }

    /**
     * Named differently from the timer: Micrometer's own percentiles of a timer have its name, and a filter may request
     * them for a real timer.
     */
    private void addRecent(Figure of, Tags tags, @Nullable String unit, List<Wanted> wanted) {
        PoolMetric metric = of.metric();
        for (double quantile : level.recentQuantiles(metric, of.outcome())) {
            String label = quantile == Figure.MAX ? "1" : Double.toString(quantile);
            wanted.add(gauge(
                    metric.conventionName() + ".recent",
                    "Percentiles of the last minute (1 is the maximum). " + metric.meaning(),
                    tags.and("quantile", label),
                    unit,
                    of.at(quantile)));
        }
    }

    private Wanted gauge(PoolMetric metric, Tags tags) {
        Tags all = switch (metric) {
            // One metric with two states, as in the conventions.
            case ACTIVE -> tags.and("state", "used");
            case IDLE -> tags.and("state", "idle");
            default -> tags;
        };
        String meaning = all.equals(tags) ? metric.meaning() : "Connections by state.";
        String unit = metric.unit() == Unit.NANOSECONDS ? SECONDS : null;
        return gauge(metric.conventionName(), meaning, all, unit, value(metric, Figure.POOL));
    }

    /**
     * Only seconds are a base unit: a registry such as Prometheus' appends it to the name, while {@code
     * db_client_connection_limit} has none, because the conventions' units in braces are annotations.
     */
    private Wanted gauge(String name, String meaning, Tags tags, @Nullable String unit, Figure value) {
        return new ReadMeter(Kind.GAUGE, name, meaning, tags, unit, value).wanted();
    }

    private Wanted counter(String name, String meaning, Tags tags, Figure value) {
        return new ReadMeter(Kind.COUNTER, name, meaning, tags, null, value).wanted();
    }

    /** A meter that reads the pool: a gauge, a function counter or a function timer, which reads sum and count. */
    private final class ReadMeter implements Function<MeterRegistry, Meter> {
        private final Kind kind;
        private final String name;
        private final String meaning;
        private final Tags tags;
        private final @Nullable String unit;
        private final ToDoubleFunction<LateOutcomes> value;

        ReadMeter(
                Kind kind,
                String name,
                String meaning,
                Tags tags,
                @Nullable String unit,
                ToDoubleFunction<LateOutcomes> value) {
            this.kind = kind;
            this.name = name;
            this.meaning = meaning;
            this.tags = tags;
            this.unit = unit;
            this.value = value;
        }

        Wanted wanted() {
            return new Wanted(name, tags, false, this);
        }

        @Override
        public Meter apply(MeterRegistry registry) {
            if (kind == Kind.GAUGE) {
                return Gauge.builder(name, readings, value)
                        .tags(tags)
                        .description(meaning)
                        .baseUnit(unit)
                        .register(registry);
            }
            if (kind == Kind.COUNTER) {
                return FunctionCounter.builder(name, readings, value)
                        .tags(tags)
                        .description(meaning)
                        .baseUnit(unit)
                        .register(registry);
            }
            Figure sum = (Figure) value;
            return FunctionTimer.builder(name, readings, sum.count(), sum, TimeUnit.SECONDS)
                    .tags(tags)
                    .description(meaning)
                    .register(registry);
        }
    }
}
