// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolPhase;
import java.net.URL;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;
import org.springframework.context.ConfigurableApplicationContext;

/** Checkpoint and restore, and the restarts of devtools. */
@Timeout(300)
class LifecycleTest {
    /** Spring suspends HikariCP's connections before a checkpoint and resumes them after it. */
    @Test
    void aPoolIsSuspendedForACheckpointAndResumed() {
        boot().withPropertyValues("spring.datasource.hikari.allow-pool-suspension=true")
                .run(context -> {
                    DataSource bean = context.getBean(DataSource.class);
                    bean.getConnection().close();
                    HikariDataSource hikari = bean.unwrap(HikariDataSource.class);
                    assertThat(hikari.getHikariPoolMXBean().getTotalConnections())
                            .isPositive();
                    ConfigurableApplicationContext running =
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class);

                    running.stop();
                    assertThat(hikari.isRunning()).isFalse();
                    assertThat(hikari.getHikariPoolMXBean().getTotalConnections())
                            .isZero();

                    running.start();
                    bean.getConnection().close();
                    assertThat(hikari.isRunning()).isTrue();
                    assertThat(pool(context, "dataSource")
                                    .statistics()
                                    .total()
                                    .acquisition(AcquisitionOutcome.OK)
                                    .count())
                            .isEqualTo(2);
                });
    }

    /** The web server, whose phase comes after, finds the connections open. */
    @Test
    void aPoolIsWarmedUpBeforeTheContextHasStarted() {
        boot().withPropertyValues("flexpool.warm-up.connections=3", "spring.datasource.hikari.minimum-idle=3")
                .run(context -> {
                    HikariDataSource hikari = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
                    assertThat(hikari.getHikariPoolMXBean().getTotalConnections())
                            .isGreaterThanOrEqualTo(3);
                    assertThat(pool(context, "dataSource").phase()).isEqualTo(PoolPhase.OPEN);
                });
    }

    /** Only a close drains: a context that was stopped may be started again, as the first test does. */
    @Test
    void aContextThatIsClosedWaitsForLeases() {
        boot().withPropertyValues("flexpool.drain.within=30s").run(context -> {
            FlexPoolDataSource pool = pool(context, "dataSource");
            ConfigurableApplicationContext running =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            running.stop();
            assertThat(pool.phase()).isEqualTo(PoolPhase.OPEN);
            running.start();
            Connection held = context.getBean(DataSource.class).getConnection();
            CompletableFuture<Void> close = CompletableFuture.runAsync(running::close);
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .anyMatch(thread -> thread.getName().equals("flexpool-drain")));
            assertThat(held.isValid(1)).isTrue();
            assertThat(close).isNotDone();
            held.close();
            close.join();
            assertThat(pool.phase()).isEqualTo(PoolPhase.CLOSED);
        });
    }

    @Test
    void withoutTheKeyACloseWaitsForNothing() {
        boot().run(context -> {
            FlexPoolDataSource pool = pool(context, "dataSource");
            Connection held = context.getBean(DataSource.class).getConnection();
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .close();
            assertThat(pool.closed()).isTrue();
            assertThat(pool.diagnosis().recentEvents())
                    .extracting(recent -> recent.event().kind())
                    .doesNotContain(PoolEvent.Kind.LIFECYCLE);
            held.close();
        });
    }

    /** Named in the properties, and therefore loaded by flexpool. */
    public static final class CountingListener implements PoolListener {
        /** Called by flexpool. */
        public CountingListener() {}

        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.LeaseLong) {
                System.setProperty("it.called-by", loaderOf(CountingListener.class));
            }
        }
    }

    /** The application, whose classes devtools reloads for each start. */
    public static final class Restarted implements Runnable {
        /** Called by the test. */
        public Restarted() {}

        @Override
        public void run() {
            boot().withPropertyValues(
                            "flexpool.listeners=" + CountingListener.class.getName(), "flexpool.long-lease=1ns")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        try (Connection connection =
                                context.getBean(DataSource.class).getConnection()) {
                            assertThat(connection.isClosed()).isFalse();
                        }
                        assertThat(Thread.getAllStackTraces().keySet())
                                .filteredOn(one -> one.getName().startsWith("flexpool"))
                                .isNotEmpty()
                                .noneMatch(one -> one.getContextClassLoader() == Restarted.class.getClassLoader());
                    });
        }
    }

    private static String loaderOf(Class<?> type) {
        return type.getClassLoader().getClass().getSimpleName() + "@" + System.identityHashCode(type.getClassLoader());
    }

    @Test
    void aRestartUsesNewClassesAndLeavesNoOldThread() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        URL classes = LifecycleTest.class.getProtectionDomain().getCodeSource().getLocation();
        try {
            for (int start = 0; start < 2; start++) {
                RestartClassLoader loader = new RestartClassLoader(before, new URL[] {classes});
                thread.setContextClassLoader(loader);
                Class<?> application = loader.loadClass(Restarted.class.getName());
                assertThat(application).isNotSameAs(Restarted.class);
                ((Runnable) application.getConstructor().newInstance()).run();
                assertThat(System.getProperty("it.called-by"))
                        .isEqualTo("RestartClassLoader@" + System.identityHashCode(loader));
                assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(one -> one.getName().startsWith("flexpool"))
                        .as("the application has ended")
                        .noneMatch(one -> one.getContextClassLoader() == loader);
            }
        } finally {
            thread.setContextClassLoader(before);
            System.clearProperty("it.called-by");
        }
    }
}
