// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.opentelemetry.PoolMetricProducer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.resources.Resource;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** All backends beside one another on one pool: each shows it, and none has anything left when it is closed. */
class EveryBackendTest {
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private final MetricRegistry dropwizard = new MetricRegistry();
    private final SimpleMeterRegistry micrometer = new SimpleMeterRegistry();
    private final PrometheusRegistry prometheus = new PrometheusRegistry();
    private final PoolMetricProducer openTelemetry = EveryBackend.openTelemetryPull();
    private final MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();

    @Test
    void allShowOnePoolAndNothingStays() throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:every-backend");
        ObjectName bean = new ObjectName("flexpool:type=Pool,name=orders");
        try (FlexPoolDataSource orders = FlexPool.wrap(h2)
                        .name("orders")
                        .metrics(EveryBackend.dropwizard(dropwizard))
                        .metrics(EveryBackend.micrometer(micrometer))
                        .metrics(EveryBackend.prometheus(prometheus))
                        .metrics(openTelemetry)
                        .metrics(EveryBackend.openTelemetryPush(OpenTelemetry.noop()))
                        .metrics(EveryBackend.jmx())
                        .metrics(EveryBackend.jfr())
                        .properties(Map.of("flexpool.metrics", "slf4j"))
                        .metrics(EveryBackend.micrometerTracing(Tracer.NOOP))
                        .metrics(EveryBackend.openTelemetryTracing(OpenTelemetry.noop()))
                        .build();
                Connection connection = orders.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
            assertThat(dropwizard.getNames()).contains("flexpool.orders.acquisition.ok");
            assertThat(micrometer.get("db.client.connection.count").meters()).isNotEmpty();
            assertThat(prometheus.scrape().stream()).isNotEmpty();
            assertThat(openTelemetry.produce(Resource.empty())).isNotEmpty();
            // What was read for another backend is shown for 100 ms.
            await().atMost(AT_MOST)
                    .untilAsserted(
                            () -> assertThat(jmx.getAttribute(bean, "Active")).isEqualTo(1));
        }
        assertThat(dropwizard.getNames()).isEmpty();
        assertThat(micrometer.getMeters()).isEmpty();
        assertThat(prometheus.scrape().stream()).isEmpty();
        assertThat(openTelemetry.produce(Resource.empty())).isEmpty();
        assertThat(jmx.isRegistered(bean)).isFalse();
        // The log's thread is not awaited.
        await().atMost(AT_MOST)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("flexpool")));
    }
}
