// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import brave.Tracing;
import brave.handler.MutableSpan;
import brave.propagation.CurrentTraceContext;
import brave.propagation.ThreadLocalCurrentTraceContext;
import brave.sampler.Sampler;
import brave.test.TestSpanHandler;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With Brave behind Micrometer's tracer, as in an application. */
class TracingTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678901Z");
    private static final long MILLI = 1_000_000;

    private final TestSpanHandler spans = new TestSpanHandler();
    private final CurrentTraceContext current = ThreadLocalCurrentTraceContext.create();
    private final Tracing tracing = Tracing.newBuilder()
            .currentTraceContext(current)
            .sampler(Sampler.ALWAYS_SAMPLE)
            .addSpanHandler(spans)
            .build();
    private final Tracer tracer = new BraveTracer(tracing.tracer(), new BraveCurrentTraceContext(current));
    private final Binding binding = MicrometerTracing.with(
                    tracer, Duration.ofMillis(20), Clock.fixed(NOW, ZoneOffset.UTC))
            .bind(new ScriptedPool("orders"));

    @AfterEach
    void close() {
        tracing.close();
    }

    @Test
    void aRequestThatWaitedIsASpanInItsTrace() {
        Span request = tracer.nextSpan().name("request").start();
        try (Tracer.SpanInScope scope = tracer.withSpan(request)) {
            assertThat(scope).isNotNull();
            binding.observer().acquired(5 * MILLI, 305 * MILLI, AcquisitionOutcome.TIMEOUT);
            assertThat(binding.traceId()).isEqualTo(request.context().traceId());
        }
        assertThat(spans.spans()).singleElement().satisfies(span -> {
            assertThat(span.name()).isEqualTo("connection.acquire");
            assertThat(span.traceId()).isEqualTo(request.context().traceId());
            assertThat(span.parentId()).isEqualTo(request.context().spanId());
            assertThat(span.finishTimestamp()).isEqualTo(micros());
            assertThat(span.startTimestamp()).isEqualTo(micros() - 300_000);
            assertThat(span.tag("outcome")).isEqualTo("timeout");
            assertThat(span.tag("db.client.connection.pool.name")).isEqualTo("orders");
        });
    }

    @Test
    void theThresholdIsInclusive() {
        Span request = tracer.nextSpan().start();
        try (Tracer.SpanInScope scope = tracer.withSpan(request)) {
            assertThat(scope).isNotNull();
            binding.observer().acquired(0, 20 * MILLI - 1, AcquisitionOutcome.OK);
            assertThat(spans.spans()).isEmpty();
            binding.observer().acquired(0, 20 * MILLI, AcquisitionOutcome.OK);
            binding.observer().released(0, 100 * MILLI);
        }
        assertThat(spans.spans()).extracting(MutableSpan::name).containsExactly("connection.acquire");
    }

    /** End to end: a database that is down, a caller in a trace. */
    @Test
    void theReportOfAFailureNamesItsTrace() throws SQLException {
        JdbcDataSource nowhere = new JdbcDataSource();
        nowhere.setURL("jdbc:h2:mem:nowhere;IFEXISTS=TRUE");
        Span request = tracer.nextSpan().name("request").start();
        try (FlexPoolDataSource pool = FlexPool.wrap(nowhere)
                        .name("orders")
                        .metrics(MicrometerTracing.with(tracer, Duration.ZERO))
                        .build();
                Tracer.SpanInScope scope = tracer.withSpan(request)) {
            assertThat(scope).isNotNull();
            assertThatThrownBy(pool::getConnection)
                    .satisfies(thrown -> assertThat(thrown.getSuppressed())
                            .singleElement()
                            .extracting(Throwable::getMessage)
                            .asString()
                            .contains("; trace " + request.context().traceId() + "; report "));
        }
        assertThat(spans.spans()).singleElement().satisfies(span -> {
            assertThat(span.traceId()).isEqualTo(request.context().traceId());
            assertThat(span.tag("outcome")).isNotEqualTo("ok");
        });
    }

    @Test
    void outsideOfATraceThereIsNoSpanAndNoTraceId() {
        binding.observer().acquired(0, 300 * MILLI, AcquisitionOutcome.OK);
        assertThat(spans.spans()).isEmpty();
        assertThat(binding.traceId()).isNull();
    }

    @Test
    void afterUnbindingThereIsNoSpan() {
        binding.unbind();
        Span request = tracer.nextSpan().start();
        try (Tracer.SpanInScope scope = tracer.withSpan(request)) {
            assertThat(scope).isNotNull();
            binding.observer().acquired(0, 300 * MILLI, AcquisitionOutcome.OK);
        }
        assertThat(spans.spans()).isEmpty();
    }

    @Test
    void aNoopTracerHasNoTraceId() {
        Binding none = MicrometerTracing.with(Tracer.NOOP, Duration.ZERO).bind(new ScriptedPool("orders"));
        none.observer().acquired(0, 300 * MILLI, AcquisitionOutcome.OK);
        assertThat(none.traceId()).isNull();
    }

    @Test
    void aThresholdOutOfRangeIsRefused() {
        assertThatThrownBy(() -> MicrometerTracing.with(tracer, Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threshold = PT-0.001S: must be from PT0S to PT24H");
        assertThatThrownBy(() -> MicrometerTracing.with(tracer, Duration.ofDays(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static long micros() {
        return NOW.getEpochSecond() * 1_000_000 + NOW.getNano() / 1_000;
    }
}
