// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import brave.Tracing;
import brave.handler.MutableSpan;
import brave.propagation.CurrentTraceContext;
import brave.propagation.ThreadLocalCurrentTraceContext;
import brave.sampler.Sampler;
import brave.test.TestSpanHandler;
import io.flexpool.metrics.tck.TraceLinksContract;
import io.flexpool.monitoring.MetricsBinder;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;

/** Brave has no links: its bridge writes them as tags. */
class BraveLinksTest extends TraceLinksContract {
    private final TestSpanHandler spans = new TestSpanHandler();
    private final CurrentTraceContext current = ThreadLocalCurrentTraceContext.create();
    private final Tracing tracing = Tracing.newBuilder()
            .currentTraceContext(current)
            .sampler(Sampler.ALWAYS_SAMPLE)
            .addSpanHandler(spans)
            .build();
    private final Tracer tracer = new BraveTracer(tracing.tracer(), new BraveCurrentTraceContext(current));

    @AfterEach
    void close() {
        tracing.close();
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
        Span span = tracer.nextSpan().name("request").start();
        try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
            assertThat(scope).isNotNull();
            return task.run(span.context().traceId());
        } finally {
            span.end();
        }
    }

    @Override
    protected List<Wait> waits() {
        return spans.spans().stream()
                .filter(span -> "connection.acquire".equals(span.name()))
                .map(span -> new Wait(span.traceId(), links(span), span.tags()))
                .toList();
    }

    private static List<Link> links(MutableSpan span) {
        List<Link> links = new ArrayList<>();
        for (int at = 0; span.tag("links[" + at + "].traceId") != null; at++) {
            String prefix = "links[" + at + "].tags[";
            Map<String, String> tags = new HashMap<>();
            span.tags().forEach((key, value) -> {
                if (key.startsWith(prefix)) {
                    tags.put(key.substring(prefix.length(), key.length() - 1), value);
                }
            });
            links.add(new Link(span.tag("links[" + at + "].traceId"), tags));
        }
        return links;
    }
}
