// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

class MicrometerContractTest extends MetricsContract {
    protected final MeterRegistry registry = new SimpleMeterRegistry();

    @Override
    protected MetricsBinder binder() {
        return MicrometerMetrics.into(registry).level(MetricLevel.ALL);
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric.kind()) {
            case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
            // The mean is sum by count.
            case TIMER, DISTRIBUTION -> EnumSet.complementOf(EnumSet.of(Part.VALUE, Part.RECENT_MEAN));
        };
    }

    @Override
    protected OptionalDouble shown(String pool, Figure figure) {
        // An outcome that has happened gets its meters with the next reading of any other meter.
        registry.find(PoolMetric.PENDING.conventionName()).gauges().forEach(Gauge::value);
        PoolMetric metric = figure.metric();
        Tags tags = Tags.of("pool", pool);
        if (metric == PoolMetric.ACQUISITION) {
            tags = tags.and("outcome", figure.outcome().label());
        }
        if (metric.perClass()) {
            tags = tags.and("class", figure.requestClass());
        }
        String name = metric.conventionName();
        return switch (figure.part()) {
            case VALUE -> value(name, tags, metric);
            case COUNT, SUM ->
                metric.kind() == PoolMetric.Kind.TIMER
                        ? time(name, tags, figure.part())
                        : counter(name + (figure.part() == Part.COUNT ? ".count" : ".sum"), tags);
            case RECENT_MAX -> gauge(name + ".recent", tags.and("quantile", "1"));
            case RECENT_P50 -> gauge(name + ".recent", tags.and("quantile", "0.5"));
            case RECENT_P95 -> gauge(name + ".recent", tags.and("quantile", "0.95"));
            case RECENT_P99 -> gauge(name + ".recent", tags.and("quantile", "0.99"));
            default -> throw new IllegalArgumentException(figure.toString());
        };
    }

    private OptionalDouble value(String name, Tags tags, PoolMetric metric) {
        return switch (metric) {
            case ACTIVE -> gauge(name, tags.and("state", "used"));
            case IDLE -> gauge(name, tags.and("state", "idle"));
            default -> metric.kind() == PoolMetric.Kind.GAUGE ? gauge(name, tags) : counter(name, tags);
        };
    }

    protected OptionalDouble time(String name, Tags tags, Part part) {
        FunctionTimer timer = registry.find(name).tags(tags).functionTimer();
        if (timer == null) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(part == Part.COUNT ? timer.count() : timer.totalTime(TimeUnit.SECONDS));
    }

    private OptionalDouble counter(String name, Tags tags) {
        FunctionCounter counter = registry.find(name).tags(tags).functionCounter();
        return counter == null ? OptionalDouble.empty() : number(counter.count());
    }

    private OptionalDouble gauge(String name, Tags tags) {
        Gauge gauge = registry.find(name).tags(tags).gauge();
        return number(gauge == null ? null : gauge.value());
    }

    private static OptionalDouble number(@Nullable Double shown) {
        return shown == null || shown.isNaN() ? OptionalDouble.empty() : OptionalDouble.of(shown);
    }

    @Override
    protected OptionalDouble shown(String pool, PartMetric metric) {
        Tags tags = Tags.of("pool", pool);
        return metric.kind() == PoolMetric.Kind.GAUGE
                ? gauge(metric.conventionName(), tags)
                : counter(metric.conventionName(), tags);
    }

    @Override
    protected Set<String> described() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName()
                        + meter.getId().getTags().toString().replace(" ", "") + " "
                        + meter.getId().getType() + " " + meter.getId().getBaseUnit() + " "
                        + meter.getId().getDescription() + " "
                        + meter.measure().iterator().next().getValue())
                .collect(Collectors.toSet());
    }

    @Override
    protected Set<String> registered() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::toString)
                .collect(Collectors.toSet());
    }
}
