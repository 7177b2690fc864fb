// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.NativeHistogramBucket;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The response over HTTP, and the content of the histograms. */
class FormatsTest {
    private static final String LEASE = "db_client_connection_use_time_seconds";
    private static final Map<String, String> ORDERS = Map.of("pool", "orders");
    /** The leases of {@link ScriptedPool}: ten of each of 1, 2 … 100 times this. */
    private static final long LEASE_NANOS = 30_000_000;

    private final PrometheusRegistry registry = new PrometheusRegistry();

    @BeforeEach
    void bind() {
        PrometheusMetrics.into(registry).level(MetricLevel.ALL).bind(new ScriptedPool("orders"));
    }

    @Test
    void theIntendedVersionIsTested() {
        URL from =
                PrometheusRegistry.class.getProtectionDomain().getCodeSource().getLocation();
        assertThat(from.getPath())
                .endsWith("prometheus-metrics-model-" + System.getProperty("expected.prometheus.version") + ".jar");
    }

    @Test
    void textIsScrapedOverHttp() {
        assertThat(Scrape.http(registry, Scrape.TEXT).lines())
                .contains(
                        "# TYPE db_client_connection_wait_time_seconds histogram",
                        "# TYPE db_client_connection_timeouts_total counter",
                        "db_client_connection_wait_time_seconds_count{outcome=\"ok\",pool=\"orders\"} 1000",
                        "db_client_connection_wait_time_seconds_bucket{outcome=\"ok\",pool=\"orders\",le=\"+Inf\"} 1000",
                        "db_client_connection_count{pool=\"orders\",state=\"used\"} 7.0",
                        "db_client_connection_count{pool=\"orders\",state=\"idle\"} 5.0",
                        "db_client_connection_timeouts_total{pool=\"orders\"} 1000.0",
                        "flexpool_oldest_wait_seconds{pool=\"orders\"} 0.004",
                        "flexpool_retries_sum_total{pool=\"orders\"} 54500.0",
                        "flexpool_retries_recent{pool=\"orders\",quantile=\"0.5\"} 54.0");
    }

    @Test
    void openMetricsIsScrapedOverHttp() {
        assertThat(Scrape.http(registry, Scrape.OPEN_METRICS).lines())
                .contains(
                        "# TYPE db_client_connection_wait_time_seconds histogram",
                        "db_client_connection_wait_time_seconds_count{outcome=\"ok\",pool=\"orders\"} 1000",
                        "# EOF");
    }

    @Test
    void protobufWithTheNativeHistogramsIsScrapedOverHttp() {
        String protobuf = Scrape.http(
                registry,
                "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited");
        assertThat(protobuf).contains(LEASE).doesNotContain("# TYPE");
        assertThat(new PrometheusProtobufWriter().toDebugString(registry.scrape()))
                .contains("schema: 3", "positive_span", "positive_delta");
    }

    /** For known durations: each classic count is exactly the number at or below its bound. */
    @Test
    void classicCountsAreExact() {
        Scrape scrape = Scrape.of(Scrape.http(registry, Scrape.TEXT));
        for (int power = -12; power <= 5; power++) {
            double bound = Math.pow(2, power);
            Map<String, String> labels = new TreeMap<>(ORDERS);
            labels.put("le", Double.toString(bound));
            long expected = 0;
            for (int factor = 1; factor <= 100; factor++) {
                expected += (double) factor * LEASE_NANOS <= bound * 1e9 ? 10 : 0;
            }
            assertThat(scrape.value(LEASE + "_bucket", labels))
                    .as("le %s", bound)
                    .hasValue((double) expected);
        }
        assertThat(scrape.samples().stream()
                        .filter(sample -> sample.name().equals(LEASE + "_bucket"))
                        .count())
                .isEqualTo(19);
        assertThat(scrape.value(LEASE + "_sum", ORDERS).orElse(0)).isCloseTo(10 * 5050 * 0.03, within(1e-9));
    }

    @Test
    void nativeBucketsAreFlexpoolsOwn() {
        HistogramSnapshot own = ScriptedPool.durations(10, LEASE_NANOS);
        HistogramDataPointSnapshot point = lease();
        assertThat(point.hasNativeHistogramData()).isTrue();
        assertThat(point.getNativeSchema()).isEqualTo(HistogramSnapshot.SCALE);
        assertThat(point.getNativeZeroCount()).isZero();
        assertThat(point.getCount()).isEqualTo(1000);
        long[] counts = own.counts();
        Map<Integer, Long> expected = new TreeMap<>();
        for (int at = 0; at < counts.length; at++) {
            if (counts[at] > 0) {
                expected.put(own.offset() + at + 1, counts[at]);
            }
        }
        Map<Integer, Long> shown = new TreeMap<>();
        for (NativeHistogramBucket bucket : point.getNativeBucketsForPositiveValues()) {
            shown.put(bucket.getBucketIndex(), bucket.getCount());
        }
        assertThat(shown).isEqualTo(expected).isNotEmpty();
    }

    /** By Prometheus, bucket i of schema 3 ends at 2^(i/8): checked with values, not with indexes. */
    @Test
    void nativeBucketsHoldTheRightDurations() {
        long below = 0;
        for (NativeHistogramBucket bucket : lease().getNativeBucketsForPositiveValues()) {
            below += bucket.getCount();
            double end = Math.pow(2, bucket.getBucketIndex() / 8.0);
            long expected = 0;
            for (int factor = 1; factor <= 100; factor++) {
                expected += (double) factor * LEASE_NANOS / 1e9 <= end ? 10 : 0;
            }
            assertThat(below).as("up to %s s", end).isEqualTo(expected);
        }
    }

    @Test
    void chosenBoundsAreRaisedToFlexpoolsBounds() {
        PrometheusRegistry own = new PrometheusRegistry();
        PrometheusMetrics.into(own)
                .classicBounds(Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofMillis(101))
                .bind(new ScriptedPool("orders"));
        List<Double> bounds = Scrape.of(Scrape.http(own, Scrape.TEXT)).samples().stream()
                .filter(sample -> sample.name().equals(LEASE + "_bucket"))
                .map(sample -> sample.labels().getOrDefault("le", "none").replace("+Inf", "Infinity"))
                .map(Double::valueOf)
                .toList();
        assertThat(bounds).containsExactly(Math.pow(2, -26 / 8.0), 1.0, Double.POSITIVE_INFINITY);
    }

    @Test
    void boundsOutOfRangeAreRefused() {
        PrometheusMetrics metrics = PrometheusMetrics.into(registry);
        assertThatThrownBy(metrics::classicBounds)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be 1 to 50 durations");
        assertThatThrownBy(() -> metrics.classicBounds(Duration.ofNanos(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("classic-bounds = PT0.000000999S: must be from PT0.000001S to PT24H");
        assertThatThrownBy(() -> metrics.classicBounds(Duration.ofHours(25)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private HistogramDataPointSnapshot lease() {
        return registry.scrape().stream()
                .filter(snapshot -> snapshot.getMetadata().getName().equals(LEASE))
                .map(io.prometheus.metrics.model.snapshots.HistogramSnapshot.class::cast)
                .flatMap(snapshot -> snapshot.getDataPoints().stream())
                .findFirst()
                .orElseThrow();
    }
}
