// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolMetric.Unit;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

class DropwizardContractTest extends MetricsContract {
    private static final double SECOND = 1e9;

    private final MetricRegistry registry = new MetricRegistry();

    @Override
    protected MetricsBinder binder() {
        return DropwizardMetrics.into(registry);
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric.kind()) {
            case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
            // A Dropwizard timer or histogram has no sum.
            case TIMER, DISTRIBUTION -> EnumSet.complementOf(EnumSet.of(Part.VALUE, Part.SUM));
        };
    }

    @Override
    protected OptionalDouble shown(String pool, Figure figure) {
        PoolMetric metric = figure.metric();
        String outcome =
                metric == PoolMetric.ACQUISITION ? "." + figure.outcome().label() : "";
        String name = metric.perClass() ? metric.shortName(figure.requestClass()) : metric.shortName() + outcome;
        Metric shown = registry.getMetrics().get("flexpool." + pool + "." + name);
        if (shown instanceof Timer timer) {
            double count = timer.getCount();
            return OptionalDouble.of(figure.part() == Part.COUNT ? count : of(timer.getSnapshot(), figure) / SECOND);
        }
        if (shown instanceof Histogram histogram) {
            double count = histogram.getCount();
            return OptionalDouble.of(figure.part() == Part.COUNT ? count : of(histogram.getSnapshot(), figure));
        }
        if (shown instanceof Counter counter) {
            return OptionalDouble.of((double) counter.getCount());
        }
        if (shown instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
            boolean nanos = metric.kind() == Kind.GAUGE && metric.unit() == Unit.NANOSECONDS;
            return OptionalDouble.of(nanos ? number.doubleValue() / SECOND : number.doubleValue());
        }
        return OptionalDouble.empty();
    }

    private static double of(Snapshot snapshot, Figure figure) {
        return switch (figure.part()) {
            case RECENT_MEAN -> snapshot.getMean();
            case RECENT_MAX -> snapshot.getMax();
            case RECENT_P50 -> snapshot.getMedian();
            case RECENT_P95 -> snapshot.get95thPercentile();
            case RECENT_P99 -> snapshot.get99thPercentile();
            default -> throw new IllegalArgumentException(figure.toString());
        };
    }

    @Override
    protected OptionalDouble shown(String pool, PartMetric metric) {
        Metric shown = registry.getMetrics().get("flexpool." + pool + "." + metric.shortName());
        if (shown instanceof Counter counter) {
            return OptionalDouble.of((double) counter.getCount());
        }
        if (shown instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
            return OptionalDouble.of(metric.unit().equals("s") ? number.doubleValue() / SECOND : number.doubleValue());
        }
        return OptionalDouble.empty();
    }

    @Override
    protected Set<String> described() {
        return registry.getMetrics().entrySet().stream()
                .map(entry -> entry.getKey() + " " + described(entry.getValue()))
                .collect(Collectors.toSet());
    }

    private static String described(Metric metric) {
        if (metric instanceof Gauge<?> gauge) {
            Object value = gauge.getValue();
            return "gauge " + (value == null ? "" : value.getClass().getSimpleName()) + " " + value;
        }
        return metric instanceof Counter counter
                ? "counter " + counter.getCount()
                : metric.getClass().getSimpleName();
    }

    @Override
    protected Set<String> registered() {
        return registry.getNames();
    }
}
