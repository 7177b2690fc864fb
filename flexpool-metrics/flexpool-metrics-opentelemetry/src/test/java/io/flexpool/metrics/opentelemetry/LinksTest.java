// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A long wait links to the traces that held connections meanwhile, and to no other one. */
@Timeout(300)
class LinksTest {
    private static final int THREADS = 8;
    private static final int REQUESTS = 60;

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .build();
    private final Tracer tracer = sdk.getTracer("the application's own");
    private final Map<String, Request> requests = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final ExecutorService closers = Executors.newFixedThreadPool(2);

    /** What a trace did, by the clock of the test, which includes what flexpool measured. */
    private static final class Request {
        private final long requested = System.nanoTime();
        private volatile long acquired;
        private volatile long closed;
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        closers.shutdownNow();
        sdk.close();
    }

    @Test
    void aWaitLinksToThoseWhoHeldTheConnections() throws Exception {
        run(false);
        assertThat(waits()).as("waits").hasSizeGreaterThan(THREADS);
        long linked =
                waits().stream().filter(wait -> !wait.getLinks().isEmpty()).count();
        assertThat(linked).as("of %s waits", waits().size()).isGreaterThanOrEqualTo(waits().size() * 95L / 100);
        assertThat(waits()).allSatisfy(this::linksToHoldersOnly);
    }

    @Test
    void aConnectionThatAnotherThreadReturnsIsNotBlamedAfterwards() throws Exception {
        run(true);
        assertThat(waits()).as("waits").hasSizeGreaterThan(THREADS);
        assertThat(waits()).allSatisfy(this::linksToHoldersOnly);
    }

    @Test
    void theSpanOfATimeoutNamesTheHolderAndTheCause() throws Exception {
        try (FlexPoolDataSource pool = pool(1)) {
            Span holder = tracer.spanBuilder("export").setNoParent().startSpan();
            Connection held;
            try (Scope scope = holder.makeCurrent()) {
                assertThat(scope).isNotNull();
                held = pool.getConnection();
            }
            threads.submit(() -> {
                        try (Connection none = pool.getConnection()) {
                            return none;
                        } catch (SQLTransientConnectionException expected) {
                            return null;
                        }
                    })
                    .get(5, TimeUnit.MINUTES);
            held.close();
            List<SpanData> failed = waits().stream()
                    .filter(wait -> wait.getStatus().getStatusCode() == StatusCode.ERROR)
                    .toList();
            assertThat(failed).singleElement().satisfies(wait -> {
                assertThat(wait.getAttributes().get(AttributeKey.stringKey("flexpool.cause")))
                        .isEqualTo("exhausted");
                assertThat(wait.getAttributes().get(AttributeKey.longKey("flexpool.leased")))
                        .isEqualTo(1);
                assertThat(wait.getAttributes().get(AttributeKey.longKey("flexpool.limit")))
                        .isEqualTo(1);
                assertThat(wait.getLinks())
                        .extracting(LinkData::getSpanContext)
                        .containsExactly(holder.getSpanContext());
                assertThat(wait.getLinks().get(0).getAttributes().get(AttributeKey.doubleKey("flexpool.held_seconds")))
                        .isPositive();
            });
        }
    }

    private FlexPoolDataSource pool(int size) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:links;DB_CLOSE_DELAY=-1");
        return FlexPool.wrap(h2)
                .name("orders")
                .set("base", size)
                .set("acquisition-timeout", size == 1 ? Duration.ofMillis(250) : Duration.ofMinutes(5))
                .metrics(OpenTelemetryTracing.above(sdk, Duration.ofMillis(1)))
                .build();
    }

    /** Requests, each in a trace of its own, for two connections. */
    private void run(boolean othersClose) throws Exception {
        try (FlexPoolDataSource pool = pool(2)) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(thread);
                running.add(threads.submit(() -> {
                    for (int request = 0; request < REQUESTS; request++) {
                        request(pool, othersClose && random.nextInt(3) == 0, random.nextInt(4_000_000));
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(5, TimeUnit.MINUTES);
            }
        }
    }

    private void request(FlexPoolDataSource pool, boolean otherCloses, long holdNanos) throws Exception {
        Span span = tracer.spanBuilder("request").setNoParent().startSpan();
        Request request = new Request();
        requests.put(span.getSpanContext().getTraceId(), request);
        try (Scope scope = span.makeCurrent()) {
            assertThat(scope).isNotNull();
            Connection connection = pool.getConnection();
            request.acquired = System.nanoTime();
            LockSupport.parkNanos(holdNanos);
            if (otherCloses) {
                closers.submit(() -> {
                            connection.close();
                            return null;
                        })
                        .get(5, TimeUnit.MINUTES);
            } else {
                connection.close();
            }
            request.closed = System.nanoTime();
        } finally {
            span.end();
        }
    }

    private List<SpanData> waits() {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("connection.acquire"))
                .toList();
    }

    private void linksToHoldersOnly(SpanData wait) {
        Request waiter = requests.get(wait.getTraceId());
        for (LinkData link : wait.getLinks()) {
            Request holder = requests.get(link.getSpanContext().getTraceId());
            assertThat(holder).isNotNull().isNotSameAs(waiter);
            assertThat(holder.closed - waiter.requested)
                    .as("closed before the wait")
                    .isPositive();
            assertThat(waiter.acquired - holder.requested)
                    .as("requested after the wait")
                    .isPositive();
        }
    }
}
