// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.PoolStats;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters that a pool has by itself, {@code hikaricp.*} and {@code jdbc.*}, where requests wait in flexpool. */
class OwnMetersTest {
    private static final long WAIT_MILLIS = 60;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool.spring");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.setLevel(null);
        logger.detachAppender(log);
    }

    /** What was said of figures that moved. */
    private List<String> moved() {
        return log.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("requests wait in flexpool, not inside the pool"))
                .toList();
    }

    /** Starts its pool while the application starts, before it has meters: as JPA does. */
    @Configuration(proxyBeanMethods = false)
    static class EarlyUse {
        @Bean
        String early(DataSource pool) throws SQLException {
            pool.getConnection().close();
            return "used";
        }
    }

    private static ApplicationContextRunner metered() {
        return boot().withConfiguration(AutoConfigurations.of(Generation.METRICS.toArray(Class<?>[]::new)))
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=3", "spring.datasource.hikari.pool-name=orders");
    }

    private static ApplicationContextRunner bound() {
        return metered().withPropertyValues("flexpool.base=1", "flexpool.acquisition-timeout=20s");
    }

    private static double value(BeanFactory context, String meter, Statistic statistic) {
        Meter found = Objects.requireNonNull(
                context.getBean(MeterRegistry.class).find(meter).meter(), meter);
        return StreamSupport.stream(found.measure().spliterator(), false)
                .filter(one -> one.getStatistic() == statistic)
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private static double gauge(BeanFactory context, String meter) {
        return value(context, meter, Statistic.VALUE);
    }

    private static FlexPoolDataSource wrapper(BeanFactory context) {
        return Contexts.pools(context).values().iterator().next();
    }

    /** A request that waits for the only connection, long enough to be seen. */
    private static void whileOneWaits(BeanFactory context, Runnable seen) throws SQLException {
        DataSource bean = context.getBean(DataSource.class);
        CompletableFuture<Void> waiting;
        try (Connection held = bean.getConnection()) {
            assertThat(held.isClosed()).isFalse();
            waiting = CompletableFuture.runAsync(() -> {
                try (Connection late = bean.getConnection()) {
                    assertThat(late.isClosed()).isFalse();
                } catch (SQLException failed) {
                    throw new AssertionError(failed);
                }
            });
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> wrapper(context).state().oldestWait().toMillis() >= WAIT_MILLIS);
            seen.run();
        }
        waiting.orTimeout(3, TimeUnit.MINUTES).join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hikariCpsMetersShowWhatRequestsSeeOfABoundPool(boolean early) {
        ApplicationContextRunner runner = early ? bound().withUserConfiguration(EarlyUse.class) : bound();
        runner.run(context -> {
            HikariDataSource hikari = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
            whileOneWaits(context, () -> {
                assertThat(gauge(context, "hikaricp.connections.pending")).isEqualTo(1);
                assertThat(gauge(context, "hikaricp.connections.active")).isEqualTo(1);
                assertThat(gauge(context, "hikaricp.connections.max")).isEqualTo(1);
                assertThat(hikari.getHikariPoolMXBean().getThreadsAwaitingConnection())
                        .isZero();
            });
            assertThat(gauge(context, "hikaricp.connections.pending")).isZero();
            assertThat(value(context, "hikaricp.connections.acquire", Statistic.COUNT))
                    .isEqualTo(2);
            assertThat(value(context, "hikaricp.connections.acquire", Statistic.TOTAL_TIME))
                    .isGreaterThanOrEqualTo(WAIT_MILLIS / 1e3);
            assertThat(value(context, "hikaricp.connections.usage", Statistic.COUNT))
                    .isEqualTo(2);
            assertThat(value(context, "hikaricp.connections.timeout", Statistic.COUNT))
                    .isZero();
        });
        assertThat(moved()).isEmpty();
    }

    @Test
    void aTimeoutAtTheGateIsOneOfHikariCp() {
        bound().withPropertyValues("flexpool.acquisition-timeout=80ms").run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            try (Connection held = bean.getConnection()) {
                assertThat(held.isClosed()).isFalse();
                CompletableFuture<Void> late = CompletableFuture.runAsync(() ->
                        assertThatThrownBy(bean::getConnection).isInstanceOf(SQLTransientConnectionException.class));
                late.orTimeout(3, TimeUnit.MINUTES).join();
            }
            assertThat(value(context, "hikaricp.connections.timeout", Statistic.COUNT))
                    .isEqualTo(1);
            assertThat(value(context, "hikaricp.connections.acquire", Statistic.COUNT))
                    .isEqualTo(2);
        });
    }

    @Test
    void hikariCpGoesOnByItselfOnceFlexpoolHasLeft() {
        bound().run(context -> {
            HikariDataSource hikari = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
            hikari.getConnection().close();
            assertThat(value(context, "hikaricp.connections.acquire", Statistic.COUNT))
                    .as("past flexpool")
                    .isZero();
            OpenPools.release(wrapper(context), null);
            hikari.getConnection().close();
            assertThat(value(context, "hikaricp.connections.acquire", Statistic.COUNT))
                    .isEqualTo(1);
        });
    }

    /** It may be bound later, by a change of its mode. */
    @Test
    void aPoolThatMayBeBoundIsFedFromTheStart() {
        metered().withPropertyValues("flexpool.ceiling=3").run(context -> {
            context.getBean(DataSource.class).getConnection().close();
            assertThat(wrapper(context).state().bound()).isFalse();
            assertThat(value(context, "hikaricp.connections.acquire", Statistic.COUNT))
                    .isEqualTo(1);
        });
    }

    @Test
    void aWatchedPoolKeepsTheMetersOfSpringBoot() {
        metered().run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            bean.getConnection().close();
            assertThat(bean.unwrap(HikariDataSource.class).getMetricsTrackerFactory())
                    .isExactlyInstanceOf(MicrometerMetricsTrackerFactory.class);
            assertThat(value(context, "hikaricp.connections.acquire", Statistic.COUNT))
                    .isEqualTo(1);
        });
    }

    /** Of the application, set before its pool was wrapped. */
    private static final class Recording implements IMetricsTracker {
        private final AtomicReference<PoolStats> stats = new AtomicReference<>();
        private final AtomicLong acquiredNanos = new AtomicLong();

        IMetricsTracker over(PoolStats own) {
            stats.set(own);
            return this;
        }

        @Override
        public void recordConnectionAcquiredNanos(long nanos) {
            acquiredNanos.addAndGet(nanos);
        }
    }

    @Test
    void metersOfTheApplicationAreFedToo() {
        Recording recording = new Recording();
        Contexts.flexpool()
                .withPropertyValues("flexpool.base=1")
                .withBean(HikariDataSource.class, () -> {
                    HikariDataSource pool = Contexts.hikari();
                    pool.setConnectionTimeout(20_000);
                    pool.setMetricsTrackerFactory((name, own) -> recording.over(own));
                    return pool;
                })
                .run(context -> {
                    whileOneWaits(
                            context,
                            () -> assertThat(recording.stats.get().getPendingThreads())
                                    .isEqualTo(1));
                    assertThat(recording.acquiredNanos).hasValueGreaterThan(WAIT_MILLIS * 1_000_000);
                });
    }

    @Test
    void metersThatCannotBeFedAreNamedOnce() {
        Contexts.flexpool()
                .withPropertyValues("flexpool.base=1")
                .withBean("orders", HikariDataSource.class, () -> {
                    HikariDataSource pool = Contexts.hikari();
                    pool.setMetricsTrackerFactory((name, own) -> new Recording());
                    pool.setRegisterMbeans(true);
                    try {
                        pool.getConnection().close();
                    } catch (SQLException failed) {
                        throw new AssertionError(failed);
                    }
                    return pool;
                })
                .run(context ->
                        assertThat(pool(context, "orders").state().bound()).isTrue());
        assertThat(moved())
                .singleElement()
                .asString()
                .startsWith("orders: ")
                .contains("HikariCP's meters of pending, acquisition and timeout and ThreadsAwaitingConnection of"
                        + " HikariCP's MBean")
                .contains("db.client.connection.pending_requests");
    }

    /** Spring Boot's own gauges of every pool: there is none of those that wait. */
    @ParameterizedTest
    @ValueSource(
            classes = {HikariDataSource.class, org.apache.tomcat.jdbc.pool.DataSource.class, BasicDataSource.class})
    void springBootsMetersOfAnyPoolShowTheLimit(Class<?> type) {
        bound().withUserConfiguration(EarlyUse.class)
                .withPropertyValues(
                        "spring.datasource.type=" + type.getName(), "spring.datasource.driver-class-name=org.h2.Driver")
                .run(context -> whileOneWaits(context, () -> {
                    assertThat(gauge(context, "jdbc.connections.active")).isEqualTo(1);
                    assertThat(gauge(context, "jdbc.connections.max")).isEqualTo(1);
                }));
        // DBCP has no MBean without a name for it.
        boolean tomcat = type == org.apache.tomcat.jdbc.pool.DataSource.class;
        assertThat(moved()).hasSize(tomcat ? 1 : 0).allMatch(line -> line.contains("WaitCount of Tomcat's MBean"));
    }

    @Test
    void figuresOfDbcpsMBeanAreNamed() {
        Contexts.flexpool()
                .withPropertyValues("flexpool.base=1", "flexpool.acquisition-timeout=2s")
                .withBean(BasicDataSource.class, () -> {
                    BasicDataSource pool = Contexts.dbcp2();
                    pool.setJmxName("it:type=pool");
                    return pool;
                })
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(moved()).singleElement().asString().contains("NumWaiters");
    }
}
