// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The health indicator: outage, saturation, and mere load. */
@Timeout(300)
class HealthTest {
    /** A database that can be switched off. */
    static final class Database extends DelegatingDataSource {
        private final AtomicBoolean away = new AtomicBoolean();

        Database() {
            super(source());
        }

        private static DataSource source() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL(Contexts.url());
            return source;
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (away.get()) {
                throw new SQLException("refused, password=hunter2", "08001");
            }
            return super.getConnection();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnePool {
        @Bean
        Database database() {
            return new Database();
        }

        @Bean
        DataSource orders(Database database) {
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(database);
            pool.setMaximumPoolSize(2);
            pool.setConnectionTimeout(300);
            pool.setInitializationFailTimeout(-1);
            return pool;
        }
    }

    private static ApplicationContextRunner withHealth() {
        return flexpool()
                .withConfiguration(AutoConfigurations.of(Generation.HEALTH))
                .withUserConfiguration(OnePool.class);
    }

    /** Every millisecond, because requests that time out are repeated: that two wait holds for a moment only. */
    private static void eventually(String what, Callable<Boolean> condition) {
        await(what)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofMinutes(3))
                .until(condition);
    }

    /** For a readiness group that includes it: no traffic while the pool answers no request, or is being warmed up. */
    @Test
    void aPoolThatIsHeldIsOutOfService() {
        withHealth().run(context -> {
            Object indicator = context.getBean("flexpoolHealthIndicator");
            FlexPoolDataSource pool = pool(context, "orders");
            assertThat(pool.pause()).isTrue();
            assertThat(Generation.status(indicator)).isEqualTo("OUT_OF_SERVICE");
            assertThat(Generation.details(indicator).toString()).contains("phase=paused");
            pool.resume();
            assertThat(Generation.status(indicator)).isEqualTo("UP");
        });
    }

    @Test
    void onlySaturationIsNotUp() {
        withHealth().run(context -> {
            Object indicator = context.getBean("flexpoolHealthIndicator");
            FlexPoolDataSource pool = pool(context, "orders");
            DataSource bean = context.getBean("orders", DataSource.class);
            assertThat(Generation.status(indicator)).isEqualTo("UP");
            assertThat(asked(pool)).as("the indicator has requested none").isZero();
            assertThat(bean.unwrap(HikariDataSource.class).isRunning())
                    .as("not even past flexpool")
                    .isFalse();

            Deque<Connection> out = new ArrayDeque<>();
            out.push(bean.getConnection());
            out.push(bean.getConnection());
            ExecutorService waiting = Executors.newFixedThreadPool(2);
            AtomicBoolean enough = new AtomicBoolean();
            try {
                waiting.execute(() -> borrowUntil(enough, bean));
                waiting.execute(() -> borrowUntil(enough, bean));
                eventually("two wait", () -> pool.state().pending() == 2);
                assertThat(Generation.status(indicator))
                        .as("all out, and others wait")
                        .isEqualTo("UP");
                eventually("saturated", () -> Generation.status(indicator).equals("OUT_OF_SERVICE"));
                assertThat(Generation.details(indicator).get("orders").toString())
                        .contains("status=OUT_OF_SERVICE", "a request got no connection within", "active=2", "max=2");
                while (!out.isEmpty()) {
                    out.pop().close();
                }
                eventually("up again", () -> Generation.status(indicator).equals("UP"));
            } finally {
                enough.set(true);
                waiting.shutdown();
                assertThat(waiting.awaitTermination(3, TimeUnit.MINUTES)).isTrue();
            }
        });
    }

    private static long asked(FlexPoolDataSource pool) {
        long asked = 0;
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            asked += pool.statistics().total().acquisition(outcome).count();
        }
        return asked;
    }

    private static void borrowUntil(AtomicBoolean enough, DataSource bean) {
        while (!enough.get()) {
            try (Connection connection = bean.getConnection()) {
                assertThat(connection.isClosed()).isFalse();
            } catch (SQLException timedOut) {
                assertThat(timedOut.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void anOutageIsDownUntilARequestIsServed() {
        withHealth().run(context -> {
            Object indicator = context.getBean("flexpoolHealthIndicator");
            DataSource bean = context.getBean("orders", DataSource.class);
            Database database = context.getBean(Database.class);
            database.away.set(true);
            assertThat(Generation.status(indicator))
                    .as("before the first request")
                    .isEqualTo("UP");
            assertThat(catchThrowable(bean::getConnection)).isInstanceOf(SQLException.class);
            assertThat(Generation.status(indicator)).isEqualTo("DOWN");
            assertThat(Generation.details(indicator).get("orders").toString())
                    .contains("status=DOWN", "SQLState 08001")
                    .doesNotContain("hunter2");
            database.away.set(false);
            eventually("served", () -> {
                try (Connection connection = bean.getConnection()) {
                    return connection != null;
                } catch (SQLException notYet) {
                    return false;
                }
            });
            assertThat(Generation.status(indicator)).isEqualTo("UP");
        });
    }

    @Test
    void itCanBeTurnedOff() {
        withHealth()
                .withPropertyValues("management.health.flexpool.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("flexpoolHealthIndicator"));
    }
}
