// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.tck.TraceLinksContract;
import io.flexpool.monitoring.MetricsBinder;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LinksTest extends TraceLinksContract {
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .build();
    private final Tracer tracer = sdk.getTracer("the application's own");

    @AfterEach
    void close() {
        sdk.close();
    }

    @Test
    void aHolderThatIsNotExportedIsNotLinked() throws Exception {
        SpanContext context = SpanContext.create(
                "0123456789abcdef0123456789abcdef",
                "0123456789abcdef",
                TraceFlags.getDefault(),
                TraceState.getDefault());
        try (FlexPoolDataSource pool = FlexPool.wrap(database())
                        .set("base", 1)
                        .set("acquisition-timeout", Duration.ofMillis(250))
                        .metrics(above(Duration.ofMillis(100)))
                        .build();
                Scope scope = Span.wrap(context).makeCurrent();
                Connection held = pool.getConnection()) {
            assertThat(scope).isNotNull();
            assertThat(held.isValid(1)).isTrue();
            inTrace(trace -> {
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
                return trace;
            });
        }
        assertThat(waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait.links()).isEmpty());
    }

    @Override
    protected MetricsBinder above(Duration threshold) {
        return OpenTelemetryTracing.above(sdk, threshold);
    }

    @Override
    protected DataSource database() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:links;DB_CLOSE_DELAY=-1");
        return h2;
    }

    @Override
    protected <T> T inTrace(Task<T> task) throws Exception {
        Span span = tracer.spanBuilder("request").setNoParent().startSpan();
        try (Scope scope = span.makeCurrent()) {
            assertThat(scope).isNotNull();
            return task.run(span.getSpanContext().getTraceId());
        } finally {
            span.end();
        }
    }

    @Override
    protected List<Wait> waits() {
        return spans.getFinishedSpanItems().stream()
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
