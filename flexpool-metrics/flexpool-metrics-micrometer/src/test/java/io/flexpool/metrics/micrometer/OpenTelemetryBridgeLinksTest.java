// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.TraceLinksContract;
import io.flexpool.monitoring.MetricsBinder;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;

class OpenTelemetryBridgeLinksTest extends TraceLinksContract {
    private final Kept spans = new Kept();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(spans))
            .build();
    private final Tracer tracer =
            new OtelTracer(provider.get("the application's own"), new OtelCurrentTraceContext(), event -> {});

    private static final class Kept implements SpanExporter {
        private final List<SpanData> all = new CopyOnWriteArrayList<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> batch) {
            all.addAll(batch);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Override
    protected MetricsBinder above(Duration threshold) {
        return MicrometerTracing.with(tracer, threshold);
    }

    @Override
    protected DataSource database() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:links;DB_CLOSE_DELAY=-1");
        return h2;
    }

    @Override
    protected <T> T inTrace(Task<T> task) throws Exception {
        Span span = tracer.spanBuilder().setNoParent().name("request").start();
        try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
            assertThat(scope).isNotNull();
            return task.run(span.context().traceId());
        } finally {
            span.end();
        }
    }

    @Override
    protected List<Wait> waits() {
        return spans.all.stream()
                .filter(span -> span.getName().equals("connection.acquire"))
                .map(span -> new Wait(
                        span.getTraceId(),
                        span.getLinks().stream()
                                .map(link -> new Link(link.getSpanContext().getTraceId(), text(link.getAttributes())))
                                .toList(),
                        text(span.getAttributes())))
                .toList();
    }

    private static Map<String, String> text(Attributes attributes) {
        return attributes.asMap().entrySet().stream()
                .collect(Collectors.toMap(each -> each.getKey().getKey(), each -> String.valueOf(each.getValue())));
    }
}
