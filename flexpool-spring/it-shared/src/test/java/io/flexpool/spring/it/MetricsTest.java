// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Micrometer's and OpenTelemetry's meters, depending on the beans that exist. */
class MetricsTest {
    private static final String FLEXPOOLS = "db.client.connection.pending_requests";

    private static ApplicationContextRunner metered() {
        return boot().withConfiguration(AutoConfigurations.of(Generation.METRICS.toArray(Class<?>[]::new)));
    }

    private static void borrow(BeanFactory context) {
        try (Connection connection = context.getBean(DataSource.class).getConnection()) {
            assertThat(connection.isClosed()).isFalse();
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void outlivesTheContext(BeanDefinition bean) {
        bean.setDestroyMethodName("");
    }

    private static boolean inMicrometer(BeanFactory context) {
        return context.getBean(MeterRegistry.class)
                        .find(FLEXPOOLS)
                        .tag("pool", "dataSource")
                        .meter()
                != null;
    }

    /** HikariCP is covered by {@link NothingLostTest}. */
    @ParameterizedTest
    @ValueSource(classes = {org.apache.tomcat.jdbc.pool.DataSource.class, BasicDataSource.class})
    void otherPoolsHaveMetadataAndMeters(Class<?> type) {
        metered()
                .withPropertyValues(
                        "spring.datasource.type=" + type.getName(), "spring.datasource.driver-class-name=org.h2.Driver")
                .run(context -> {
                    DataSource bean = context.getBean(DataSource.class);
                    assertThat(Contexts.isWrapped(bean)).isTrue();
                    assertThat(bean.unwrap(DataSource.class)).isNotNull();
                    try (Connection connection = bean.getConnection()) {
                        assertThat(connection.isClosed()).isFalse();
                        DataSourcePoolMetadata metadata = Contexts.metadata(context);
                        assertThat(metadata.getActive()).isEqualTo(1);
                        assertThat(metadata.getMax()).isEqualTo(type == BasicDataSource.class ? 8 : 100);
                        assertThat(Objects.requireNonNull(context.getBean(MeterRegistry.class)
                                                .find("jdbc.connections.active")
                                                .tag("name", "dataSource")
                                                .gauge())
                                        .value())
                                .isEqualTo(1);
                    }
                    assertThat(inMicrometer(context)).isTrue();
                });
    }

    /** The registry needs the database, and the data source needs the registry. */
    @Configuration(proxyBeanMethods = false)
    static class RegistryNeedsDatabase {
        @Bean
        MeterFilter nothingIsDenied(DataSource dataSource) {
            return MeterFilter.deny(id -> dataSource == null);
        }
    }

    @Test
    void aRegistryThatNeedsTheDatabaseIsNoCycle() {
        metered().withUserConfiguration(RegistryNeedsDatabase.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(inMicrometer(context)).isTrue();
        });
    }

    @Test
    void metersEndWithThePool() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        boot().withBean("registry", MeterRegistry.class, () -> registry, MetricsTest::outlivesTheContext)
                .run(context -> assertThat(registry.find(FLEXPOOLS).meter()).isNotNull());
        assertThat(registry.find(FLEXPOOLS).meter()).isNull();
    }

    /** A scrape shows no meter that is registered while it runs: the first timeout was missing in the first scrape. */
    @Test
    void theFirstTimeoutHasItsMeterBeforeAnyReading() {
        metered()
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.connection-timeout=250")
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    DataSource dataSource = context.getBean(DataSource.class);
                    try (Connection held = dataSource.getConnection()) {
                        assertThat(held.isClosed()).isFalse();
                        assertThatThrownBy(dataSource::getConnection).isInstanceOf(SQLException.class);
                    }
                    assertThat(registry.get("db.client.connection.wait_time")
                                    .tag("outcome", "timeout")
                                    .functionTimer()
                                    .count())
                            .isEqualTo(1);
                });
    }

    /** None of them is primary. */
    @Test
    void severalRegistriesWithoutAPrimaryAreNotUsed() {
        SimpleMeterRegistry one = new SimpleMeterRegistry();
        SimpleMeterRegistry two = new SimpleMeterRegistry();
        boot().withBean("one", MeterRegistry.class, () -> one)
                .withBean("two", MeterRegistry.class, () -> two)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    borrow(context);
                    assertThat(one.find(FLEXPOOLS).meter()).isNull();
                    assertThat(two.find(FLEXPOOLS).meter()).isNull();
                });
        boot().withBean("one", OpenTelemetry.class, OpenTelemetry::noop)
                .withBean("two", OpenTelemetry.class, OpenTelemetry::noop)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    borrow(context);
                });
    }

    @Test
    void aFailingBackendIsNoPoolWrappedElsewhere() {
        boot().withBean(MetricsBinder.class, () -> pool -> {
                    throw new IllegalStateException("no such backend");
                })
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("no such backend"));
    }

    @Test
    void anApplicationsBinderIsBoundUntilThePoolEnds() {
        Set<String> bound = new TreeSet<>();
        MetricsBinder binder = pool -> {
            bound.add(pool.name());
            return () -> bound.remove(pool.name());
        };
        flexpool()
                .withUserConfiguration(WrappingTest.ThreeOfAKind.class)
                .withBean(MetricsBinder.class, () -> binder)
                .run(context -> assertThat(bound).containsExactly("archive", "orders", "reports", "secondOrders"));
        assertThat(bound).isEmpty();
    }

    @Test
    void realTimersRecordEachCallIfConfigured() {
        metered()
                .withPropertyValues("flexpool.metrics.micrometer.histogram=true")
                .run(context -> {
                    borrow(context);
                    Timer timer = context.getBean(MeterRegistry.class)
                            .find("db.client.connection.use_time")
                            .timer();
                    assertThat(Objects.requireNonNull(timer).count()).isEqualTo(1);
                });
    }

    private static final class Reader implements AutoCloseable {
        private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
        private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
                .setMeterProvider(
                        SdkMeterProvider.builder().registerMetricReader(metrics).build())
                .build();

        List<String> names() {
            return metrics.collectAllMetrics().stream().map(MetricData::getName).collect(Collectors.toList());
        }

        @Override
        public void close() {
            sdk.close();
        }
    }

    @Test
    void openTelemetryIsUsedWithoutMicrometer() {
        try (Reader reader = new Reader()) {
            boot().withBean("sdk", OpenTelemetry.class, () -> reader.sdk, MetricsTest::outlivesTheContext)
                    .run(context -> {
                        borrow(context);
                        assertThat(reader.names()).contains(FLEXPOOLS, "db.client.connection.use_time");
                    });
        }
    }

    /** Spring Boot creates its bean from the application's meter provider. */
    @Test
    void springBootsOpenTelemetryIsUsed() {
        InMemoryMetricReader metrics = InMemoryMetricReader.create();
        SdkMeterProvider provider =
                SdkMeterProvider.builder().registerMetricReader(metrics).build();
        boot().withConfiguration(AutoConfigurations.of(Generation.OPEN_TELEMETRY))
                .withBean(SdkMeterProvider.class, () -> provider)
                .run(context -> {
                    borrow(context);
                    assertThat(metrics.collectAllMetrics())
                            .extracting(MetricData::getName)
                            .contains(FLEXPOOLS);
                });
    }

    @Test
    void onlyOneBackendIsUsedUnlessBothAreConfigured() {
        try (Reader reader = new Reader()) {
            ApplicationContextRunner both =
                    metered().withBean("sdk", OpenTelemetry.class, () -> reader.sdk, MetricsTest::outlivesTheContext);
            both.run(context -> {
                assertThat(inMicrometer(context)).isTrue();
                assertThat(reader.names()).doesNotContain(FLEXPOOLS);
            });
            both.withPropertyValues("flexpool.metrics=opentelemetry,micrometer").run(context -> {
                assertThat(inMicrometer(context)).isTrue();
                assertThat(reader.names()).contains(FLEXPOOLS);
            });
            both.withPropertyValues("flexpool.pools.dataSource.metrics=opentelemetry")
                    .run(context -> assertThat(inMicrometer(context)).isFalse());
        }
    }

    @Test
    void aPoolIsWatchedWithoutAnyBackend() {
        boot().run(context -> {
            borrow(context);
            assertThat(pool(context, "dataSource")
                            .statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.OK)
                            .count())
                    .isEqualTo(1);
        });
    }
}
