// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The behaviour for applications that do not own the SDK. */
class OpenTelemetryMetricsTest {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(reader).build())
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .build();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool.metrics");

    @BeforeEach
    void listen() {
        GlobalOpenTelemetry.resetForTest();
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        sdk.close();
        GlobalOpenTelemetry.resetForTest();
    }

    @Test
    void callsAreRecordedInSecondsWithTheAdvisedBuckets() {
        Binding binding = OpenTelemetryMetrics.into(sdk).bind(new ScriptedPool("orders"));
        binding.observer().acquired(5, 2_000_005, AcquisitionOutcome.OK);
        binding.observer().acquired(-7, 29_999_999_993L, AcquisitionOutcome.TIMEOUT);
        binding.observer().released(0, 70_000_000);
        HistogramPointData waited = histogram("orders", PoolMetric.ACQUISITION, AcquisitionOutcome.OK);
        assertThat(waited.getBoundaries()).containsExactly(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0);
        assertThat(waited.getCounts()).containsExactly(0L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
        assertThat(waited.getSum()).isEqualTo(0.002);
        assertThat(histogram("orders", PoolMetric.ACQUISITION, AcquisitionOutcome.TIMEOUT)
                        .getSum())
                .isEqualTo(30.0);
        assertThat(histogram("orders", PoolMetric.LEASE, AcquisitionOutcome.OK).getSum())
                .isEqualTo(0.07);
        binding.unbind();
    }

    @Test
    void connectsAreRecordedOnceEachWithTheRightSum() {
        ScriptedPool pool = new ScriptedPool("orders");
        Binding binding = OpenTelemetryMetrics.into(sdk).bind(pool);
        connects(1_000, pool);
        connects(1_000, pool);
        pool.times(12);
        aReadingLater();
        connects(1_200, pool);
        binding.unbind();
        connects(1_200, pool);
    }

    private void connects(long count, ScriptedPool pool) {
        HistogramPointData point = histogram("orders", PoolMetric.CONNECT, AcquisitionOutcome.OK);
        assertThat(point.getCount()).isEqualTo(count);
        assertThat(point.getSum())
                .isCloseTo(
                        pool.statistics()
                                        .total()
                                        .durations(PoolMetric.CONNECT, AcquisitionOutcome.OK)
                                        .sumNanos()
                                / 1e9,
                        within(1e-6));
        // 40 ms to 4 s; the share up to 1 s is a quarter.
        List<Long> counts = point.getCounts();
        assertThat(counts.subList(0, 3)).containsOnly(0L);
        assertThat(counts.subList(0, 7).stream().mapToLong(Long::longValue).sum())
                .isEqualTo(count / 4);
    }

    @Test
    void withoutHistogramsNoCallIsRecorded() {
        Binding binding = OpenTelemetryMetrics.into(sdk).withoutHistograms().bind(new ScriptedPool("orders"));
        assertThat(binding.observer()).isSameAs(LeaseObserver.NONE);
        Set<String> names = CollectedMetrics.of(reader).names();
        assertThat(names)
                .contains("db.client.connection.count", "db.client.connection.timeouts", "flexpool.limit")
                .noneMatch(name -> name.endsWith("_time"));
        binding.unbind();
        assertThat(CollectedMetrics.of(reader).names()).isEmpty();
    }

    /** The API cannot remove what was recorded, as documented. */
    @Test
    void theNextPoolOfANameContinuesHistograms() {
        OpenTelemetryMetrics metrics = OpenTelemetryMetrics.into(sdk);
        Binding before = metrics.bind(new ScriptedPool("orders"));
        before.observer().released(0, 1_000_000);
        before.unbind();
        assertThat(CollectedMetrics.of(reader).names()).containsExactly("db.client.connection.use_time");
        Binding again = metrics.bind(new ScriptedPool("orders"));
        again.observer().released(0, 1_000_000);
        assertThat(histogram("orders", PoolMetric.LEASE, AcquisitionOutcome.OK).getCount())
                .isEqualTo(2);
        again.unbind();
    }

    @Test
    void aNameInUseIsLoggedOnce() {
        Binding first = OpenTelemetryMetrics.into(sdk).bind(new ScriptedPool("orders"));
        Binding second = OpenTelemetryMetrics.into(sdk).bind(new ScriptedPool("orders"));
        second.observer().released(0, 1_000_000);
        assertThat(histogram("orders#2", PoolMetric.LEASE, AcquisitionOutcome.OK)
                        .getCount())
                .isEqualTo(1);
        assertThat(warnings()).singleElement().asString().contains("orders#2");
        first.unbind();
        second.unbind();
    }

    @Test
    void oneReadingServesACollection() {
        ScriptedPool pool = new ScriptedPool("orders");
        Binding binding = OpenTelemetryMetrics.into(sdk).bind(pool);
        int before = pool.readings();
        CollectedMetrics.of(reader);
        assertThat(pool.readings()).isLessThanOrEqualTo(before + 1);
        binding.unbind();
    }

    @Test
    void theProviderShowsInTheGlobalOpenTelemetry() {
        GlobalOpenTelemetry.set(sdk);
        Binding binding = provider().create(new ConfigKey.Values(Map.of())).bind(new ScriptedPool("orders"));
        // The same place, under any name.
        Binding other = OpenTelemetryMetrics.into(sdk).bind(new ScriptedPool("orders"));
        assertThat(CollectedMetrics.of(reader).series())
                .anyMatch(series -> series.startsWith("flexpool.limit") && series.contains("\"orders\""))
                .anyMatch(series -> series.startsWith("flexpool.limit") && series.contains("\"orders#2\""));
        assertThat(binding.observer()).isNotSameAs(LeaseObserver.NONE);
        binding.unbind();
        other.unbind();
    }

    @Test
    void theProvidersKeysWork() {
        GlobalOpenTelemetry.set(sdk);
        assertThat(provider().keys())
                .extracting(ConfigKey::name)
                .containsExactly("connection-max", "histograms", "repeat-agent", "spans-above");
        Map<String, Object> values = Map.of("histograms", false, "spans-above", Duration.ofMillis(10));
        Binding binding = provider().create(new ConfigKey.Values(values)).bind(new ScriptedPool("orders"));
        binding.observer().acquired(0, 9_999_999, AcquisitionOutcome.OK);
        assertThat(spans.getFinishedSpanItems()).isEmpty();
        binding.observer().acquired(0, 10_000_000, AcquisitionOutcome.OK);
        assertThat(spans.getFinishedSpanItems()).hasSize(1);
        assertThat(CollectedMetrics.of(reader).names()).noneMatch(name -> name.endsWith("_time"));
        binding.unbind();
    }

    @Test
    void theFormerNameOfTheLimitIsShownOnRequest() {
        GlobalOpenTelemetry.set(sdk);
        Binding binding = provider().create(new ConfigKey.Values(Map.of())).bind(new ScriptedPool("orders"));
        assertThat(CollectedMetrics.of(reader).names())
                .contains("db.client.connection.limit")
                .doesNotContain("db.client.connection.max");
        binding.unbind();
        binding = provider()
                .create(new ConfigKey.Values(Map.of("connection-max", true)))
                .bind(new ScriptedPool("orders"));
        assertThat(CollectedMetrics.of(reader).names())
                .contains("db.client.connection.limit", "db.client.connection.max");
        binding.unbind();
    }

    @Test
    void aWaitsBucketNamesTheTraceThatWaited() {
        Binding binding = OpenTelemetryMetrics.into(sdk).bind(new ScriptedPool("orders"));
        Span caller =
                sdk.getTracer("the application's own").spanBuilder("checkout").startSpan();
        try (Scope scope = caller.makeCurrent()) {
            assertThat(scope).isNotNull();
            binding.observer().acquired(0, 20_000_000, AcquisitionOutcome.OK);
        }
        assertThat(histogram("orders", PoolMetric.ACQUISITION, AcquisitionOutcome.OK)
                        .getExemplars())
                .extracting(exemplar -> exemplar.getSpanContext().getTraceId())
                .containsExactly(caller.getSpanContext().getTraceId());
        binding.unbind();
    }

    @Test
    void spansAndHistogramsGoTogether() {
        Binding binding =
                OpenTelemetryMetrics.into(sdk).spansAbove(Duration.ofMillis(10)).bind(new ScriptedPool("orders"));
        binding.observer().acquired(0, 20_000_000, AcquisitionOutcome.OK);
        binding.observer().released(0, 20_000_000);
        assertThat(spans.getFinishedSpanItems()).hasSize(1);
        assertThat(histogram("orders", PoolMetric.ACQUISITION, AcquisitionOutcome.OK)
                        .getCount())
                .isEqualTo(1);
        assertThat(histogram("orders", PoolMetric.LEASE, AcquisitionOutcome.OK).getCount())
                .isEqualTo(1);
        binding.unbind();
    }

    @Test
    void withoutAnSdkTheLogSaysSo() {
        Binding binding = OpenTelemetryMetrics.global().bind(new ScriptedPool("orders"));
        binding.observer().acquired(0, 1, AcquisitionOutcome.OK);
        assertThat(binding.traceId()).isNull();
        assertThat(warnings()).singleElement().asString().contains("orders", "no SDK was registered");
        binding.unbind();
        // Reading it has fixed it, as documented.
        assertThatThrownBy(() -> GlobalOpenTelemetry.set(sdk)).isInstanceOf(IllegalStateException.class);
    }

    private static MetricsProvider provider() {
        return ServiceLoader.load(MetricsProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("opentelemetry"))
                .findAny()
                .orElseThrow();
    }

    private HistogramPointData histogram(String pool, PoolMetric metric, AcquisitionOutcome outcome) {
        Object point = CollectedMetrics.of(reader)
                .point(metric.conventionName(), CollectedMetrics.attributes(pool, metric, outcome));
        assertThat(point).isInstanceOf(HistogramPointData.class).isNotInstanceOf(ExponentialHistogramPointData.class);
        return (HistogramPointData) point;
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Readings are cached for 100 ms. */
    private static void aReadingLater() {
        long read = System.nanoTime();
        eventually(() -> System.nanoTime() - read > 120_000_000);
    }
}
