// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All points of one name in one collection, of all pools: exporters require each metric once. Single-threaded. */
final class Family {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create(Conventions.SCOPE);

    private final String name;
    private final String description;
    private final String unit;
    private final Conventions.Form form;
    private final boolean timer;
    private final @Nullable Boundaries boundaries;
    private final List<LongPointData> whole = new ArrayList<>();
    private final List<DoublePointData> fractions = new ArrayList<>();
    private final List<HistogramPointData> explicit = new ArrayList<>();
    private final List<ExponentialHistogramPointData> exponential = new ArrayList<>();

    /**
     * Empty.
     *
     * @param first the first figure of that name
     * @param boundaries the buckets of durations; null for exponential buckets
     */
    Family(PoolMetric first, @Nullable Boundaries boundaries) {
        this.name = first.conventionName();
        this.description = Conventions.description(first);
        this.unit = first.unit().ucum();
        this.form = Conventions.form(first);
        this.timer = first.kind() == Kind.TIMER;
        this.boundaries = boundaries;
    }

    /**
     * Empty.
     *
     * @param first the first metric of a part of that name
     */
    Family(PartMetric first) {
        this.name = first.conventionName();
        this.description = first.meaning();
        this.unit = first.unit();
        this.form = Conventions.form(first);
        this.timer = false;
        this.boundaries = null;
    }

    /**
     * Adds a figure of a pool.
     *
     * @param span the times of binding and of collection
     */
    void add(PoolMetric metric, String pool, PoolReading reading, Span span) {
        if (metric.perClass()) {
            reading.classes().forEach(figures -> add(metric, Conventions.attributes(pool, figures), figures, span));
            return;
        }
        Figures total = reading.statistics().total();
        for (AcquisitionOutcome outcome : Conventions.outcomes(metric)) {
            Attributes attributes = Conventions.attributes(pool, metric, outcome);
            switch (metric.kind()) {
                case TIMER -> add(total.durations(metric, outcome), attributes, span);
                case DISTRIBUTION -> add(total.numbers(metric), attributes, span);
                case COUNTER -> add(reading.counter(metric), attributes, span);
                case GAUGE -> addGauge(metric, reading.gauge(metric), attributes, span);
            }
        }
    }

    /** Adds a metric of a part, unless the metric of its name has another form. */
    void add(PartMetric metric, String pool, Span span) {
        double value = metric.value();
        if (Double.isNaN(value) || form != Conventions.form(metric)) {
            return;
        }
        Attributes attributes = Conventions.attributes(pool);
        if (form == Conventions.Form.GAUGE) {
            fractions.add(new Points.DoublePoint(span.start(), span.now(), attributes, value));
        } else {
            add((long) value, attributes, span);
        }
    }

    private void add(PoolMetric metric, Attributes attributes, RequestClass figures, Span span) {
        switch (metric.kind()) {
            case TIMER -> add(figures.waits(), attributes, span);
            case COUNTER -> add(figures.counter(metric), attributes, span);
            case GAUGE -> addGauge(metric, figures.gauge(metric), attributes, span);
            case DISTRIBUTION ->
                throw new IllegalStateException(metric + ": there is no distribution for request classes");
        }
    }

    /** The time span of the shown values, nanoseconds since the epoch. */
    record Span(long start, long now) {}

    private void addGauge(PoolMetric metric, double value, Attributes attributes, Span span) {
        if (Double.isNaN(value)) {
            return;
        }
        if (Conventions.form(metric) == Conventions.Form.GAUGE) {
            double shown = Conventions.shown(metric, value);
            fractions.add(new Points.DoublePoint(span.start(), span.now(), attributes, shown));
        } else {
            add((long) value, attributes, span);
        }
    }

    private void add(long value, Attributes attributes, Span span) {
        whole.add(new Points.LongPoint(span.start(), span.now(), attributes, value));
    }

    private void add(HistogramSnapshot durations, Attributes attributes, Span span) {
        double sum = durations.sumSeconds();
        double max = Conventions.seconds(durations.maxNanos());
        if (boundaries != null) {
            explicit.add(new Points.ExplicitPoint(
                    span.start(),
                    span.now(),
                    attributes,
                    sum,
                    durations.count(),
                    max,
                    boundaries.seconds(),
                    boundaries.counts(durations)));
            return;
        }
        List<Long> counts = Arrays.stream(durations.counts()).boxed().toList();
        Points.Buckets buckets =
                new Points.Buckets(HistogramSnapshot.SCALE, durations.offset(), counts, durations.count());
        exponential.add(new Points.ExponentialPoint(
                span.start(), span.now(), attributes, sum, durations.count(), max, buckets));
    }

    private void add(CountDistribution numbers, Attributes attributes, Span span) {
        explicit.add(new Points.ExplicitPoint(
                span.start(),
                span.now(),
                attributes,
                numbers.sum(),
                numbers.count(),
                numbers.max(),
                Boundaries.ofNumbers(),
                Boundaries.counts(numbers)));
    }

    boolean isEmpty() {
        return data().getPoints().isEmpty();
    }

    /** The added points in the SDK's form. */
    MetricData shown(Resource resource) {
        return new Points.Metric(resource, SCOPE, name, description, unit, type(), data());
    }

    private Data<?> data() {
        return switch (form) {
            case COUNTER -> new Points.LongSum(true, whole);
            case UP_DOWN_COUNTER -> new Points.LongSum(false, whole);
            case GAUGE -> new Points.DoubleGauge(fractions);
            case HISTOGRAM -> isExponential() ? new Points.Exponential(exponential) : new Points.Explicit(explicit);
        };
    }

    private MetricDataType type() {
        return switch (form) {
            case COUNTER, UP_DOWN_COUNTER -> MetricDataType.LONG_SUM;
            case GAUGE -> MetricDataType.DOUBLE_GAUGE;
            case HISTOGRAM -> isExponential() ? MetricDataType.EXPONENTIAL_HISTOGRAM : MetricDataType.HISTOGRAM;
        };
    }

    /** For whole numbers, buckets that are 9 % wide add nothing to these. */
    private boolean isExponential() {
        return timer && boundaries == null;
    }
}
