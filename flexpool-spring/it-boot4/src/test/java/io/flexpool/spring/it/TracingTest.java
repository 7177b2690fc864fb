// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;

import brave.handler.MutableSpan;
import brave.test.TestSpanHandler;
import io.flexpool.FlexPoolDataSource;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application with Spring Boot's tracer: reports have the trace id, and long waits are spans if wanted. */
class TracingTest {
    private static final String KEY = "flexpool.metrics.micrometer.spans-above";

    private static ApplicationContextRunner metered() {
        return boot().withConfiguration(AutoConfigurations.of(Generation.METRICS.toArray(Class<?>[]::new)))
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.connection-timeout=300",
                        "management.tracing.sampling.probability=1.0");
    }

    private static ApplicationContextRunner traced() {
        return metered()
                .withConfiguration(AutoConfigurations.of(BraveAutoConfiguration.class))
                .withBean(TestSpanHandler.class);
    }

    private static <T> T inTrace(Tracer tracer, Span span, Callable<T> task) {
        try (Tracer.SpanInScope scope = tracer.withSpan(span.start())) {
            assertThat(scope).isNotNull();
            return task.call();
        } catch (Exception e) {
            throw new CompletionException(e);
        } finally {
            span.end();
        }
    }

    /** One connection, held in a trace; another trace waits until its timeout. Returns the failure. */
    private static Throwable timeout(BeanFactory context, Span holder, Span waiter) {
        Tracer tracer = context.getBean(Tracer.class);
        DataSource pool = context.getBean(DataSource.class);
        try (Connection held = inTrace(tracer, holder, pool::getConnection)) {
            assertThat(held.isClosed()).isFalse();
            return CompletableFuture.supplyAsync(() -> inTrace(tracer, waiter, pool::getConnection))
                    .handle((none, failure) -> failure)
                    .get(5, TimeUnit.MINUTES);
        } catch (SQLException | InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aWaitIsASpanThatLinksToTheHoldersTrace() {
        traced().withPropertyValues(KEY + "=50ms").run(context -> {
            Tracer tracer = context.getBean(Tracer.class);
            Span holder = tracer.nextSpan().name("export");
            Span waiter = tracer.nextSpan().name("checkout");
            assertThat(timeout(context, holder, waiter)).isNotNull();
            assertThat(context.getBean(TestSpanHandler.class).spans())
                    .filteredOn(span -> "connection.acquire".equals(span.name()))
                    .singleElement()
                    .satisfies(span -> {
                        assertThat(span.traceId()).isEqualTo(waiter.context().traceId());
                        assertThat(span.tag("links[0].traceId"))
                                .isEqualTo(holder.context().traceId());
                        assertThat(span.tag("flexpool.cause")).isEqualTo("exhausted");
                        assertThat(span.tag("outcome")).isEqualTo("timeout");
                    });
        });
    }

    @Test
    void withoutTheKeyThereIsNoSpanButTheReportHasTheTraceId() {
        traced().run(context -> {
            Tracer tracer = context.getBean(Tracer.class);
            Span waiter = tracer.nextSpan().name("checkout");
            assertThat(timeout(context, tracer.nextSpan().name("export"), waiter))
                    .isNotNull();
            FlexPoolDataSource pool = pool(context, "dataSource");
            assertThat(Objects.requireNonNull(pool.diagnosis().lastExplanation())
                            .text())
                    .contains(waiter.context().traceId());
            assertThat(context.getBean(TestSpanHandler.class).spans())
                    .extracting(MutableSpan::name)
                    .doesNotContain("connection.acquire");
        });
    }

    @Test
    void spansWithoutATracerAreRefusedAtTheStart() {
        metered()
                .withPropertyValues(KEY + "=50ms")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining(KEY)
                        .hasStackTraceContaining("must not be set without a bean of the type Tracer"));
    }
}
