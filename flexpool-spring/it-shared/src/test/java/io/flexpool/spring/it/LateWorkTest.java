// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.PoolPhase;
import jakarta.annotation.PreDestroy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** What works with a pool while its application ends: {@code drain.within} refused it, and without the key it was served. */
@Timeout(300)
class LateWorkTest {
    private static final int SECONDS = 50;

    /** Ends with the last phase of the life cycle: after that beans are destroyed. */
    static final class LastPhase implements SmartLifecycle {
        final CountDownLatch ended = new CountDownLatch(1);
        private volatile boolean running;

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            ended.countDown();
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    /** A job that needs connections before and after the life cycle has ended. */
    static final class Job implements Runnable {
        final CompletableFuture<String> done = new CompletableFuture<>();
        final CountDownLatch begun = new CountDownLatch(1);
        private final DataSource pool;
        private final LastPhase lifecycle;

        Job(DataSource pool, LastPhase lifecycle) {
            this.pool = pool;
            this.lifecycle = lifecycle;
        }

        @Override
        public void run() {
            if (begun.getCount() == 0) {
                return;
            }
            try {
                pool.getConnection().close();
                begun.countDown();
                assertThat(lifecycle.ended.await(SECONDS, TimeUnit.SECONDS)).isTrue();
                for (int step = 0; step < 3; step++) {
                    // Longer than the container needs for what it does not wait for.
                    LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
                    pool.getConnection().close();
                }
                done.complete("saved");
            } catch (SQLException | InterruptedException | AssertionError failed) {
                done.complete(failed.toString());
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Application {
        @Bean
        LastPhase lastPhase() {
            return new LastPhase();
        }

        @Bean
        Job job(DataSource pool, LastPhase lifecycle) {
            return new Job(pool, lifecycle);
        }

        @Bean
        ThreadPoolTaskExecutor jobs(DataSource pool) {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setWaitForTasksToCompleteOnShutdown(true);
            executor.setAwaitTerminationSeconds(SECONDS);
            return executor;
        }

        @Bean
        ThreadPoolTaskScheduler timer(DataSource pool) {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setWaitForTasksToCompleteOnShutdown(true);
            scheduler.setAwaitTerminationSeconds(SECONDS);
            return scheduler;
        }

        @Bean
        Own own(DataSource pool) {
            return new Own();
        }
    }

    /** What the JDK's executors do when they are closed, from Java 19 on. */
    static final class Own {
        final ExecutorService executor = Executors.newSingleThreadExecutor();

        @PreDestroy
        void end() throws InterruptedException {
            executor.shutdown();
            assertThat(executor.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Boots {
        @Bean
        LastPhase lastPhase() {
            return new LastPhase();
        }

        @Bean
        Job job(DataSource pool, LastPhase lifecycle) {
            return new Job(pool, lifecycle);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {
        @Bean
        Periodic periodic(Job job) {
            return new Periodic(job);
        }
    }

    record Periodic(Job job) {
        @Scheduled(fixedDelay = 20)
        void run() {
            job.run();
        }
    }

    private static String ended(ApplicationContextRunner application, Consumer<ConfigurableApplicationContext> begin) {
        AtomicReference<String> said = new AtomicReference<>();
        application.run(context -> {
            assertThat(context).hasNotFailed();
            ConfigurableApplicationContext running =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            Job job = context.getBean(Job.class);
            begin.accept(running);
            assertThat(job.begun.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            running.close();
            said.set(job.done.get(SECONDS, TimeUnit.SECONDS));
        });
        return String.valueOf(said.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs", "timer", "own"})
    void anExecutorThatAwaitsItsTasksIsServed(String which) {
        for (String key : List.of("flexpool.drain.within=40s", "flexpool.drain.within=1ms")) {
            assertThat(ended(
                            boot().withUserConfiguration(Application.class).withPropertyValues(key),
                            context -> begin(which, context)))
                    .as("%s with %s", which, key)
                    .isEqualTo("saved");
        }
    }

    private static void begin(String which, ConfigurableApplicationContext context) {
        Job job = context.getBean(Job.class);
        switch (which) {
            case "jobs" -> context.getBean("jobs", ThreadPoolTaskExecutor.class).execute(job);
            case "timer" ->
                context.getBean("timer", ThreadPoolTaskScheduler.class).execute(job);
            default -> context.getBean(Own.class).executor.execute(job);
        }
    }

    @Test
    void bootsOwnExecutorIsServed() {
        assertThat(ended(
                        boot().withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                                .withUserConfiguration(Boots.class)
                                .withPropertyValues(
                                        "flexpool.drain.within=40s",
                                        "spring.task.execution.shutdown.await-termination=true",
                                        "spring.task.execution.shutdown.await-termination-period=50s"),
                        context -> context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class)
                                .execute(context.getBean(Job.class))))
                .isEqualTo("saved");
    }

    @Test
    void aScheduledMethodIsServed() {
        assertThat(ended(
                        boot().withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                                .withUserConfiguration(Boots.class, Scheduling.class)
                                .withPropertyValues(
                                        "flexpool.drain.within=40s",
                                        "spring.task.scheduling.shutdown.await-termination=true",
                                        "spring.task.scheduling.shutdown.await-termination-period=50s"),
                        context -> {}))
                .isEqualTo("saved");
    }

    /** Writes what it has when it ends. */
    static final class Buffer {
        static final AtomicReference<String> WRITTEN = new AtomicReference<>();
        private final DataSource pool;

        Buffer(DataSource pool) {
            this.pool = pool;
        }

        @PreDestroy
        void flush() {
            try {
                pool.getConnection().close();
                WRITTEN.set("saved");
            } catch (SQLException refused) {
                WRITTEN.set(refused.toString());
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Buffered {
        @Bean
        Buffer buffer(DataSource pool) {
            return new Buffer(pool);
        }
    }

    @Test
    void aBeanMayUseThePoolWhenItIsDestroyed() {
        boot().withUserConfiguration(Buffered.class)
                .withPropertyValues("flexpool.drain.within=40s")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(Buffer.WRITTEN).hasValue("saved");
    }

    /** In the phases of the life cycle, while the beans that the lease may need still live. */
    @Test
    void aLeaseIsAwaitedBeforeBeansAreDestroyed() {
        boot().withUserConfiguration(Boots.class)
                .withPropertyValues("flexpool.drain.within=50s")
                .run(context -> {
                    LastPhase lifecycle = context.getBean(LastPhase.class);
                    ConfigurableApplicationContext running =
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class);
                    DataSource bean = context.getBean(DataSource.class);
                    FlexPoolDataSource pool = pool(context, "dataSource");
                    Connection held = bean.getConnection();
                    CompletableFuture<Void> close = CompletableFuture.runAsync(running::close);
                    await().atMost(Duration.ofMinutes(3)).until(() -> threads().contains("flexpool-drain"));
                    try (Connection served = bean.getConnection()) {
                        assertThat(served.isValid(1))
                                .as("nothing is refused yet")
                                .isTrue();
                    }
                    assertThat(lifecycle.ended.getCount()).isEqualTo(1);
                    assertThat(close).isNotDone();
                    held.close();
                    close.join();
                    assertThat(pool.phase()).isEqualTo(PoolPhase.CLOSED);
                });
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    /** What nobody awaits is refused when the pool's bean ends, and its last lease is awaited: not for longer than the key says. */
    @Test
    void aThreadThatNobodyAwaitsIsRefusedAtTheEnd() {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        CountDownLatch works = new CountDownLatch(3);
        CompletableFuture<Connection> held = new CompletableFuture<>();
        CompletableFuture<Void> closed = ended.thenAcceptBoth(held, (refused, connection) -> close(connection));
        boot().withPropertyValues("flexpool.drain.within=40s").run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            Thread worker = new Thread(() -> work(bean, works, ended));
            worker.setDaemon(true);
            worker.start();
            assertThat(works.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            // Else the pool may drain and close while the worker is between two requests.
            held.complete(bean.getConnection());
        });
        closed.join();
        assertThat(ended.join()).isInstanceOf(SQLException.class).hasMessageContaining("draining");
    }

    private static void close(Connection held) {
        try {
            held.close();
        } catch (SQLException lost) {
            throw new IllegalStateException(lost);
        }
    }

    private static void work(DataSource bean, CountDownLatch works, CompletableFuture<Throwable> ended) {
        while (true) {
            try (Connection connection = bean.getConnection()) {
                works.countDown();
                if (!connection.isValid(1)) {
                    throw new IllegalStateException("its connection was closed");
                }
            } catch (SQLException | RuntimeException refused) {
                ended.complete(refused);
                return;
            }
        }
    }

    /** A factory bean closes what it has made, without a callback for the pool. */
    static final class Factory implements FactoryBean<DataSource>, DisposableBean {
        private final com.zaxxer.hikari.HikariDataSource made = Contexts.hikari();

        @Override
        public DataSource getObject() {
            return made;
        }

        @Override
        public Class<?> getObjectType() {
            return DataSource.class;
        }

        @Override
        public void destroy() {
            made.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Made {
        @Bean
        Factory orders() {
            return new Factory();
        }
    }

    @Test
    void aPoolOfAFactoryBeanDrainsBeforeItsFactoryClosesIt() {
        List<FlexPoolDataSource> seen = new ArrayList<>();
        flexpool()
                .withUserConfiguration(Made.class)
                .withPropertyValues("flexpool.drain.within=40s")
                .run(context -> {
                    context.getBean("orders", DataSource.class).getConnection().close();
                    seen.add(pool(context, "orders"));
                });
        assertThat(seen.get(0).diagnosis().recentEvents())
                .extracting(recent -> recent.event().kind())
                .contains(PoolEvent.Kind.LIFECYCLE);
        assertThat(seen.get(0).closed()).isTrue();
    }
}
