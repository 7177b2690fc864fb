// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenTelemetryTracingTest {
    private static final Duration THRESHOLD = Duration.ofMillis(50);
    private static final long SLOW = 50_000_001;

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .build();
    private final Tracer tracer = sdk.getTracer("the application's own");
    private final Binding binding = OpenTelemetryTracing.above(sdk, THRESHOLD).bind(new ScriptedPool("orders"));

    @AfterEach
    void close() {
        binding.unbind();
        sdk.close();
    }

    @Test
    void aLongWaitIsASpanUnderTheCallersSpan() {
        Span caller = tracer.spanBuilder("checkout").startSpan();
        try (Scope scope = caller.makeCurrent()) {
            assertThat(scope).isNotNull();
            // The ticker's origin is arbitrary and may be below zero.
            binding.observer().acquired(-SLOW, 0, AcquisitionOutcome.OK);
        }
        SpanData span = only();
        assertThat(span.getName()).isEqualTo("connection.acquire");
        assertThat(span.getTraceId()).isEqualTo(caller.getSpanContext().getTraceId());
        assertThat(span.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span.hasEnded()).isTrue();
        assertThat(span.getAttributes().asMap())
                .isEqualTo(Map.of(
                        AttributeKey.stringKey("db.client.connection.pool.name"),
                        "orders",
                        AttributeKey.stringKey("flexpool.outcome"),
                        "ok",
                        AttributeKey.stringKey("flexpool.cause"),
                        "unknown",
                        AttributeKey.longKey("flexpool.leased"),
                        7L,
                        AttributeKey.longKey("flexpool.limit"),
                        12L,
                        AttributeKey.longKey("flexpool.pending"),
                        5L));
    }

    @Test
    void aSpanBeginsWhenTheRequestWasMade() {
        Instant now = Instant.parse("2026-01-01T00:00:01.000000003Z");
        AcquireSpans observer = new AcquireSpans(
                sdk.getTracer("io.flexpool"),
                new ScriptedPool("orders"),
                "orders",
                THRESHOLD.toNanos(),
                Clock.fixed(now, ZoneOffset.UTC));
        long requested = Long.MAX_VALUE - 10;
        // The ticker may overflow meanwhile.
        observer.acquired(requested, requested + Duration.ofMillis(60).toNanos(), AcquisitionOutcome.OK);
        SpanData span = only();
        assertThat(span.getEndEpochNanos()).isEqualTo(1_767_225_601_000_000_003L);
        assertThat(span.getStartEpochNanos()).isEqualTo(1_767_225_601_000_000_003L - 60_000_000);
    }

    @Test
    void aRequestThatFailedIsAnError() {
        binding.observer().acquired(0, SLOW, AcquisitionOutcome.TIMEOUT);
        SpanData span = only();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getStatus().getDescription()).isEqualTo("timeout");
        assertThat(span.getAttributes().get(AttributeKey.stringKey("error.type")))
                .isEqualTo("timeout");
        assertThat(span.getAttributes().get(AttributeKey.stringKey("flexpool.outcome")))
                .isEqualTo("timeout");
        assertThat(span.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    }

    @Test
    void aRequestServedInTimeHasNoSpan() {
        LeaseObserver observer = binding.observer();
        observer.acquired(0, 49_999_999, AcquisitionOutcome.OK);
        observer.acquired(Long.MAX_VALUE, Long.MIN_VALUE, AcquisitionOutcome.OK);
        observer.released(0, 3_600_000_000_000L);
        assertThat(spans.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void theTraceIdIsTheCallers() {
        assertThat(binding.traceId()).isNull();
        Span caller = tracer.spanBuilder("checkout").startSpan();
        String trace = caller.getSpanContext().getTraceId();
        try (Scope scope = caller.makeCurrent()) {
            assertThat(scope).isNotNull();
            assertThat(binding.traceId()).isEqualTo(trace);
            Binding pulled = PoolMetricProducer.create().bind(new ScriptedPool("orders"));
            assertThat(pulled.traceId()).isEqualTo(trace);
            Binding pushed = OpenTelemetryMetrics.into(sdk).bind(new ScriptedPool("orders"));
            assertThat(pushed.traceId()).isEqualTo(trace);
            pushed.unbind();
        }
        assertThat(binding.traceId()).isNull();
    }

    @Test
    void aTimeoutsReportAndEventCarryTheTraceId() throws SQLException {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:tracing-test;DB_CLOSE_DELAY=-1");
        List<PoolEvent.AcquisitionTimedOut> events = new CopyOnWriteArrayList<>();
        Span caller = tracer.spanBuilder("checkout").startSpan();
        String trace = caller.getSpanContext().getTraceId();
        try (FlexPoolDataSource pool = FlexPool.wrap(h2)
                        .name("orders")
                        .set("base", 1)
                        .set("acquisition-timeout", Duration.ofMillis(250))
                        .metrics(OpenTelemetryTracing.above(sdk, THRESHOLD))
                        .listener(new PoolListener() {
                            @Override
                            public void onEvent(PoolEvent event) {
                                if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                                    events.add(timedOut);
                                }
                            }
                        })
                        .build();
                Connection only = pool.getConnection();
                Scope scope = caller.makeCurrent()) {
            assertThat(only.isValid(1)).isTrue();
            assertThat(scope).isNotNull();
            spans.reset();
            assertThatThrownBy(pool::getConnection).hasMessageContaining(trace);
        }
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.traceId()).isEqualTo(trace);
            assertThat(event.describe()).contains(trace);
        });
        SpanData span = only();
        assertThat(span.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
        assertThat(span.getStatus().getDescription()).isEqualTo("timeout");
        assertThat(Duration.ofNanos(span.getEndEpochNanos() - span.getStartEpochNanos()))
                .isBetween(Duration.ofMillis(249), Duration.ofMinutes(3));
    }

    @Test
    void refusesAThresholdOutOfRange() {
        for (Duration threshold :
                List.of(Duration.ofNanos(-1), Duration.ofDays(1).plusNanos(1))) {
            assertThatThrownBy(() -> OpenTelemetryTracing.above(sdk, threshold))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("spans-above = " + threshold + ": must be from PT0S to PT24H");
            assertThatThrownBy(() -> OpenTelemetryMetrics.into(sdk).spansAbove(threshold))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("spans-above = " + threshold);
        }
    }

    private SpanData only() {
        assertThat(spans.getFinishedSpanItems()).hasSize(1);
        return spans.getFinishedSpanItems().get(0);
    }
}
