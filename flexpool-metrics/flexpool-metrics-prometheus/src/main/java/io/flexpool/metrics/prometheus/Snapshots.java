// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The result of a scrape: every metric of every pool, each metric once with all pools in it. */
final class Snapshots {
    private static final double SECOND = 1e9;
    private static final double MAX = 1;
    private static final String SECONDS = "_seconds";
    private static final String RECENT = "_recent";
    private static final String STATES = "Connections by state.";

    private final Map<String, HistogramFamily> histograms = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();

    private record HistogramFamily(String help, List<HistogramDataPointSnapshot> points) {}

    private Snapshots() {}

    /** A metric that no pool supports is omitted. */
    static MetricSnapshots of(List<ShownPool> pools) {
        Snapshots snapshots = new Snapshots();
        for (ShownPool pool : pools) {
            PoolReading reading = pool.read();
            for (PoolMetric metric : pool.metrics()) {
                if (metric.perClass()) {
                    reading.classes().forEach(figures -> snapshots.add(metric, pool, figures));
                } else {
                    snapshots.add(metric, pool, reading);
                }
            }
            pool.parts(FAMILIES::containsKey).forEach(metric -> snapshots.add(metric, pool.name(), metric.value()));
        }
        return snapshots.all();
    }

    /** The metric of parts of that name. Empty if none has a value. */
    static MetricSnapshots ofPart(String name, List<ShownPool> pools) {
        Snapshots snapshots = new Snapshots();
        for (ShownPool pool : pools) {
            pool.parts(name::equals).forEach(metric -> snapshots.add(metric, pool.name(), metric.value()));
        }
        return snapshots.all();
    }

    /** Whether the client accepts a metric's name and meaning. If not, each scrape would fail. */
    static boolean accepted(PartMetric metric) {
        try {
            Snapshots snapshots = new Snapshots();
            snapshots.add(metric, "probe", 0);
            return snapshots.all().size() == 1;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    private MetricSnapshots all() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        histograms.forEach(
                (name, family) -> all.metricSnapshot(new io.prometheus.metrics.model.snapshots.HistogramSnapshot(
                        new MetricMetadata(name, family.help()), family.points())));
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
        return all.build();
    }

    /** A metric's type in terms that every version of the client has. */
    enum Type {
        HISTOGRAM,
        GAUGE,
        COUNTER
    }

    /**
     * A metric that a scrape may contain.
     *
     * @param type its type
     * @param labels the names of its labels
     */
    record Family(Type type, Set<String> labels) {}

    /** Every metric of core that a scrape may contain, by name. */
    static final Map<String, Family> FAMILIES = families();

    private static Map<String, Family> families() {
        Map<String, Family> families = new LinkedHashMap<>();
        for (PoolMetric metric : PoolMetric.values()) {
            Set<String> labels = switch (metric) {
                case ACQUISITION -> Set.of("pool", "outcome");
                case ACTIVE, IDLE -> Set.of("pool", "state");
                default -> metric.perClass() ? Set.of("pool", "class") : Set.of("pool");
            };
            Set<String> withQuantile = new LinkedHashSet<>(labels);
            withQuantile.add("quantile");
            Family recent = new Family(Type.GAUGE, Set.copyOf(withQuantile));
            switch (metric.kind()) {
                case TIMER -> {
                    families.put(name(metric, "", true), new Family(Type.HISTOGRAM, labels));
                    families.put(name(metric, RECENT, true), recent);
                }
                case DISTRIBUTION -> {
                    families.put(name(metric, "_count", false), new Family(Type.COUNTER, labels));
                    families.put(name(metric, "_sum", false), new Family(Type.COUNTER, labels));
                    families.put(name(metric, RECENT, false), recent);
                }
                case GAUGE -> families.put(name(metric, "", false), new Family(Type.GAUGE, labels));
                case COUNTER -> families.put(name(metric, "", false), new Family(Type.COUNTER, labels));
            }
        }
        return families;
    }

    static Family family(PartMetric metric) {
        return new Family(metric.kind() == Kind.COUNTER ? Type.COUNTER : Type.GAUGE, Set.of("pool"));
    }

    static String name(PartMetric metric) {
        boolean seconds = metric.unit().equals(Unit.NANOSECONDS.ucum());
        return PrometheusNaming.prometheusName(metric.conventionName()) + (seconds ? SECONDS : "");
    }

    /** Whether a gauge or counter of core has that name. */
    static boolean isOf(PoolMetric metric, String name) {
        return (metric.kind() == Kind.GAUGE || metric.kind() == Kind.COUNTER)
                && name(metric, "", false).equals(name);
    }

    private static String name(PoolMetric metric, String suffix, boolean timer) {
        boolean seconds = timer || (metric.kind() == Kind.GAUGE && metric.unit() == Unit.NANOSECONDS);
        return PrometheusNaming.prometheusName(metric.conventionName()) + suffix + (seconds ? SECONDS : "");
    }

    private void add(PartMetric metric, String pool, double value) {
        if (Double.isNaN(value)) {
            return;
        }
        Labels labels = Labels.of("pool", pool);
        if (metric.kind() == Kind.COUNTER) {
            counter(name(metric), metric.meaning(), labels, (long) value);
        } else {
            gauge(name(metric), metric.meaning(), labels, value);
        }
    }

    private void add(PoolMetric metric, ShownPool pool, PoolReading reading) {
        Labels labels = Labels.of("pool", pool.name());
        switch (metric.kind()) {
            case TIMER -> addTimers(metric, pool, reading);
            case DISTRIBUTION -> addDistribution(metric, labels, pool, reading);
            case GAUGE -> addGauge(metric, labels, reading);
            case COUNTER -> counter(name(metric, "", false), metric.meaning(), labels, reading.counter(metric));
        }
    }

    private void add(PoolMetric metric, ShownPool pool, RequestClass figures) {
        Labels labels = Labels.of("pool", pool.name(), "class", figures.name());
        switch (metric.kind()) {
            case TIMER -> addTimer(metric, AcquisitionOutcome.OK, labels, pool, figures.waits(), figures.recentWaits());
            case GAUGE -> {
                if (!Double.isNaN(figures.gauge(metric))) {
                    gauge(name(metric, "", false), metric.meaning(), labels, figures.gauge(metric));
                }
            }
            case COUNTER -> counter(name(metric, "", false), metric.meaning(), labels, figures.counter(metric));
            case DISTRIBUTION ->
                throw new IllegalStateException(metric + ": there is no distribution for request classes");
        }
    }

    private void addTimers(PoolMetric metric, ShownPool pool, PoolReading reading) {
        if (metric != PoolMetric.ACQUISITION) {
            addTimer(metric, AcquisitionOutcome.OK, Labels.of("pool", pool.name()), pool, reading);
            return;
        }
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            Labels labels = Labels.of("outcome", outcome.label(), "pool", pool.name());
            addTimer(metric, outcome, labels, pool, reading);
        }
    }

    private void addTimer(
            PoolMetric metric, AcquisitionOutcome outcome, Labels labels, ShownPool pool, PoolReading reading) {
        HistogramSnapshot total = reading.statistics().total().durations(metric, outcome);
        if (outcome == AcquisitionOutcome.OK || total.count() > 0) {
            HistogramSnapshot recent = reading.statistics().recent().durations(metric, outcome);
            addTimer(metric, outcome, labels, pool, total, recent);
        }
    }

    private void addTimer(
            PoolMetric metric,
            AcquisitionOutcome outcome,
            Labels labels,
            ShownPool pool,
            HistogramSnapshot total,
            HistogramSnapshot recent) {
        histograms
                .computeIfAbsent(
                        name(metric, "", true), name -> new HistogramFamily(metric.meaning(), new ArrayList<>()))
                .points()
                .add(point(total, pool.bounds(), labels));
        if (recent.count() > 0) {
            for (double quantile : pool.level().recentQuantiles(metric, outcome)) {
                long nanos = quantile == MAX ? recent.maxNanos() : recent.percentileNanos(quantile);
                addRecent(name(metric, RECENT, true), metric, labels, quantile, nanos / SECOND);
            }
        }
    }

    /**
     * Prometheus' bucket i at schema 3 ends at 2^(i/8) s, OpenTelemetry's and so flexpool's at 2^((i+1)/8) s: the same
     * buckets, with indexes shifted by one.
     */
    private static HistogramDataPointSnapshot point(HistogramSnapshot total, ClassicBounds bounds, Labels labels) {
        NativeHistogramBuckets.Builder positive = NativeHistogramBuckets.builder();
        long[] counts = total.counts();
        for (int at = 0; at < counts.length; at++) {
            if (counts[at] > 0) {
                positive.bucket(total.offset() + at + 1, counts[at]);
            }
        }
        HistogramDataPointSnapshot.Builder point = HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(bounds.buckets(total))
                .nativeSchema(HistogramSnapshot.SCALE)
                .nativeBucketsForPositiveValues(positive.build());
        point.sum(total.sumSeconds());
        point.labels(labels);
        return point.build();
    }

    private void addDistribution(PoolMetric metric, Labels labels, ShownPool pool, PoolReading reading) {
        CountDistribution total = reading.statistics().total().numbers(metric);
        counter(name(metric, "_count", false), "Count: " + metric.meaning(), labels, total.count());
        counter(name(metric, "_sum", false), "Sum: " + metric.meaning(), labels, total.sum());
        CountDistribution recent = reading.statistics().recent().numbers(metric);
        if (recent.count() > 0) {
            for (double quantile : pool.level().recentQuantiles(metric, AcquisitionOutcome.OK)) {
                addRecent(name(metric, RECENT, false), metric, labels, quantile, recent.percentile(quantile));
            }
        }
    }

    private void addRecent(String name, PoolMetric metric, Labels labels, double quantile, double value) {
        String help = "Percentiles of the last minute (1 is the maximum). " + metric.meaning();
        String label = quantile == MAX ? "1" : Double.toString(quantile);
        gauge(name, help, labels.merge(Labels.of("quantile", label)), value);
    }

    private void addGauge(PoolMetric metric, Labels labels, PoolReading reading) {
        double now = reading.gauge(metric);
        if (Double.isNaN(now)) {
            return;
        }
        double value = metric.unit() == Unit.NANOSECONDS ? now / SECOND : now;
        String name = name(metric, "", false);
        switch (metric) {
            // One metric with two states, as in the conventions.
            case ACTIVE -> gauge(name, STATES, labels.merge(Labels.of("state", "used")), value);
            case IDLE -> gauge(name, STATES, labels.merge(Labels.of("state", "idle")), value);
            default -> gauge(name, metric.meaning(), labels, value);
        }
    }

    private void gauge(String name, String help, Labels labels, double value) {
        gauges.computeIfAbsent(
                        name, wanted -> GaugeSnapshot.builder().name(wanted).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build());
    }

    private void counter(String name, String help, Labels labels, long value) {
        counters.computeIfAbsent(
                        name, wanted -> CounterSnapshot.builder().name(wanted).help(help))
                .dataPoint(CounterDataPointSnapshot.builder()
                        .labels(labels)
                        .value((double) value)
                        .build());
    }
}
