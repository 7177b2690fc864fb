// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Shows pools in OpenTelemetry's SDK, which reads them when it collects: nothing is recorded per connection. For
 * applications that build the SDK themselves; all others use {@link OpenTelemetryMetrics}, which needs the API only.
 *
 * <pre>{@code
 * PoolMetricProducer pools = PoolMetricProducer.create();
 * SdkMeterProvider.builder().registerMetricReader(reader).registerMetricProducer(pools).build();
 * FlexPool.wrap(hikari).name("orders").metrics(pools).build();
 * }</pre>
 *
 * <p>Figures are named by the semantic conventions for database clients ({@code db.client.connection.*}), and by {@link
 * PoolMetric} if there is no convention ({@code flexpool.*}); durations are seconds. Every point has the attribute
 * {@code db.client.connection.pool.name}. {@code wait_time} counts every request, also failed ones: {@code
 * flexpool.outcome} is its outcome, and failed requests have {@code error.type} too.
 *
 * <p>Histograms of durations are exponential ones of scale 3, copied bucket by bucket; with {@link #explicitBuckets()}
 * they have explicit bounds, for exporters that support no others. Everything is cumulative since the pool was bound,
 * also for exporters that prefer deltas. Omits figures that the pool does not report, and pools that cannot be read.
 *
 * <p>Thread-safe; one producer serves any number of pools and readers. Two pools of one name are shown as {@code name}
 * and {@code name#2}, which is logged once.
 */
public final class PoolMetricProducer implements MetricsBinder, MetricProducer {
    private final ShownNames names = new ShownNames();
    private final List<Bound> pools = new CopyOnWriteArrayList<>();
    private final @Nullable Boundaries boundaries;
    private final Clock clock;

    private record Bound(PoolView pool, String shownAs, long startEpochNanos) {}

    PoolMetricProducer(@Nullable Boundaries boundaries, Clock clock) {
        this.boundaries = boundaries;
        this.clock = clock;
    }

    /**
     * With exponential histograms.
     *
     * @return a producer that shows no pool yet
     */
    public static PoolMetricProducer create() {
        return new PoolMetricProducer(null, Clock.systemUTC());
    }

    /**
     * With explicit buckets: every doubling from 1 µs (2^-20 s) to 64 s, whose counts are exact.
     *
     * @return a producer that shows no pool yet
     */
    public static PoolMetricProducer explicitBuckets() {
        return explicitBuckets(Boundaries.DOUBLINGS);
    }

    /**
     * With custom explicit buckets. flexpool's own are 9 % wide: a bound inside one of them counts the whole bucket on
     * one side, so durations less than 9 % from a bound may be on its other side. Powers of 2^(1/8) s are exact.
     *
     * @param seconds upper bounds, 1 to 200, above 0, ascending
     * @return a producer that shows no pool yet
     * @throws IllegalArgumentException if the bounds are invalid
     */
    public static PoolMetricProducer explicitBuckets(List<Double> seconds) {
        return new PoolMetricProducer(Boundaries.of(seconds), Clock.systemUTC());
    }

    /**
     * Shows a pool from the next collection on.
     *
     * @param pool the pool to read
     * @return ends it; further calls have no effect
     */
    @Override
    public Binding bind(PoolView pool) {
        Bound bound = new Bound(pool, names.take(pool.name()), now());
        pools.add(bound);
        AtomicBoolean unbound = new AtomicBoolean();
        return new Binding() {
            @Override
            public @Nullable String traceId() {
                return Conventions.traceId();
            }

            @Override
            public void unbind() {
                if (unbound.compareAndSet(false, true)) {
                    pools.remove(bound);
                    names.free(bound.shownAs());
                }
            }
        };
    }

    /**
     * Reads all pools. Called by the SDK.
     *
     * @param resource the SDK's resource
     * @return each metric once, with the points of all pools; metrics without points are omitted
     */
    @Override
    public Collection<MetricData> produce(Resource resource) {
        Map<String, Family> families = new LinkedHashMap<>();
        for (Bound bound : pools) {
            PoolReading reading = read(bound.pool());
            if (reading != null) {
                add(bound, reading, families);
            }
        }
        return families.values().stream()
                .filter(family -> !family.isEmpty())
                .map(family -> family.shown(resource))
                .toList();
    }

    private static @Nullable PoolReading read(PoolView pool) {
        try {
            return PoolReading.of(pool);
        } catch (RuntimeException unreadable) {
            // A pool that cannot be read must not hide the others, and old figures must not pass as new ones.
            return null;
        }
    }

    private void add(Bound bound, PoolReading reading, Map<String, Family> families) {
        Family.Span span = new Family.Span(bound.startEpochNanos(), now());
        for (PoolMetric metric : PoolMetric.values()) {
            if (bound.pool().supports(metric)) {
                families.computeIfAbsent(metric.conventionName(), unknown -> new Family(metric, boundaries))
                        .add(metric, bound.shownAs(), reading, span);
            }
        }
        for (PartView part : bound.pool().parts()) {
            for (PartMetric metric : part.metrics()) {
                families.computeIfAbsent(metric.conventionName(), unknown -> new Family(metric))
                        .add(metric, bound.shownAs(), span);
            }
        }
    }

    private long now() {
        Instant now = clock.instant();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
