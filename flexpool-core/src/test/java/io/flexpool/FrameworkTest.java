// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolBuilder.FrameworkSettings;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a framework needs that wraps the pools of an application: it knows where keys are written, and closes pools itself. */
class FrameworkTest {
    private final FakePool fake = new FakePool();

    private FlexPoolBuilder builder() {
        return FlexPool.wrap(fake.dataSource).name("orders").adapter(fake);
    }

    @Nested
    class LettingGo {
        @Test
        void aReleasedPoolStaysOpenAndCanBeWrappedAgain() throws SQLException {
            fake.max = 5;
            List<String> received = new ArrayList<>();
            FlexPoolDataSource pool = builder()
                    .set("base", 2)
                    .listener(new PoolListener() {
                        @Override
                        public void onEvent(PoolEvent event) {}

                        @Override
                        public void onClosed(String name) {
                            received.add(name);
                        }
                    })
                    .metrics(view -> () -> received.add("unbound"))
                    .build();
            Connection out = pool.getConnection();
            assertThat(fake.max).isEqualTo(2);
            assertThat(pool.closed()).isFalse();

            pool.release();
            assertThat(pool.closed()).isTrue();
            assertThat(fake.poolClosed).hasValue(0);
            assertThat(fake.max).isEqualTo(5);
            assertThat(received).containsExactly("orders", "unbound");
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("is closed");
            out.close();
            assertThat(fake.closed).as("given back").hasValue(1);

            pool.close();
            pool.release();
            assertThat(fake.poolClosed).as("released before it was closed").hasValue(0);
            assertThat(received).hasSize(2);
            try (FlexPoolDataSource again = builder().set("base", 2).build()) {
                again.getConnection().close();
            }
        }

        @Test
        void aReleaseDuringARequestClosesNothing() {
            AtomicReference<FlexPoolDataSource> pool = new AtomicReference<>();
            fake.answer = () -> {
                Objects.requireNonNull(pool.get()).release();
                return fake.connection();
            };
            pool.set(builder().build());
            assertThatThrownBy(() -> Objects.requireNonNull(pool.get()).getConnection())
                    .isInstanceOf(SQLException.class);
            assertThat(fake.closed).as("the connection is given back").hasValue(1);
            assertThat(fake.poolClosed)
                    .as("the pool is not flexpool's any more")
                    .hasValue(0);
        }

        /** Between its first word and its last a release opens the gate, for which it asks the clock: it is held there. */
        @Test
        void norDoesOneThatIsAnsweredWhileTheReleaseIsUnderWay() throws InterruptedException {
            CountDownLatch underWay = new CountDownLatch(1);
            CountDownLatch answered = new CountDownLatch(1);
            AtomicReference<FlexPoolDataSource> pool = new AtomicReference<>();
            Thread releasing =
                    new Thread(() -> Objects.requireNonNull(pool.get()).release());
            fake.answer = () -> {
                releasing.start();
                await(underWay);
                return fake.connection();
            };
            pool.set(builder()
                    .set("base", 2)
                    .framework(with -> with.ticker(() -> {
                        if (Thread.currentThread() == releasing) {
                            underWay.countDown();
                            await(answered);
                        }
                        return System.nanoTime();
                    }))
                    .build());
            assertThatThrownBy(() -> Objects.requireNonNull(pool.get()).getConnection())
                    .isInstanceOf(SQLException.class);
            assertThat(fake.poolClosed)
                    .as("the pool is not flexpool's any more")
                    .hasValue(0);
            answered.countDown();
            releasing.join();
            assertThat(fake.poolClosed).hasValue(0);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }

        @Test
        void aDisabledWrapperIsReleasedToo() {
            FlexPoolDataSource pool = builder().set("enabled", false).build();
            assertThat(pool.closed()).isFalse();
            pool.release();
            assertThat(pool.closed()).isTrue();
            pool.close();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            assertThat(fake.poolClosed).hasValue(0);
        }
    }

    @Nested
    class Properties {
        @Test
        void aRefusalNamesWhereTheKeyWasWritten() {
            FlexPoolBuilder builder = builder()
                    .framework(with -> with.properties(Map.of("flexpool.bsae", "2"), "application.yaml, line 7"))
                    .framework(with -> with.properties(Map.of("flexpool.base", "two"), "a variable"));
            assertThatThrownBy(builder::build)
                    .hasMessageContaining("nearest is flexpool.base (application.yaml, line 7)")
                    .hasMessageContaining("flexpool.base = two: must be a whole number from 1 to 10000 (a variable)");
        }

        /** Named by a test's properties. */
        public static final class Counted implements PoolListener {
            private static final AtomicInteger MADE = new AtomicInteger();

            /** Made by its name. */
            public Counted() {
                MADE.incrementAndGet();
            }

            @Override
            public void onEvent(PoolEvent event) {}
        }

        @Test
        void propertiesCanBeCheckedWithoutAPool() {
            assertThatThrownBy(() -> FlexPool.lookUp()
                            .properties(Map.of("flexpool.bsae", "2", "flexpool.pools.x.base", "two"))
                            .framework(FrameworkSettings::checkProperties))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("flexpool.bsae")
                    .hasMessageContaining("flexpool.pools.x.base = two");
        }

        @Test
        void checkedPropertiesMakeNothing() {
            Map<String, String> good = Map.of("flexpool.listeners", Counted.class.getName(), "flexpool.base", "2");
            assertThatCode(() -> FlexPool.lookUp().properties(good).framework(FrameworkSettings::checkProperties))
                    .doesNotThrowAnyException();
            assertThat(Counted.MADE).hasValue(0);
        }
    }

    @Nested
    class Backends {
        /** Stands for the one of that name among the test resources. */
        private static final class Given implements MetricsProvider {
            private final String name;
            private final List<String> made = new ArrayList<>();

            Given(String name) {
                this.name = name;
            }

            @Override
            public String name() {
                return name;
            }

            @Override
            public List<ConfigKey> keys() {
                return List.of(new ConfigKey("loud", ConfigKey.Kind.FLAG, "false", "true or false", "How loud it is."));
            }

            @Override
            public MetricsBinder create(ConfigKey.Values values) {
                made.add("loud=" + values.flag("loud").orElse(false));
                return view -> () -> {};
            }
        }

        @Test
        void aGivenBackendIsMadeWithoutBeingNamed() {
            Given given = new Given("fake");
            builder().framework(with -> with.metrics(given)).build().close();
            builder()
                    .framework(with -> with.metrics(given))
                    .properties(Map.of("flexpool.metrics.fake.loud", "true"))
                    .build()
                    .close();
            assertThat(given.made).containsExactly("loud=false", "loud=true");
        }

        @Test
        void aGivenBackendMustBeAmongTheNamedOnes() {
            Given given = new Given("fake");
            Given other = new Given("other");
            try (FlexPoolDataSource pool = builder()
                    .framework(with -> with.metrics(given))
                    .framework(with -> with.metrics(other))
                    .properties(Map.of("flexpool.metrics", "fake"))
                    .build()) {
                assertThat(given.made).hasSize(1);
                assertThat(other.made).isEmpty();
                assertThat(FakeMetricsProvider.bound)
                        .as("it stands for the one on the class path")
                        .noneMatch(line -> line.startsWith(pool.name()));
            }
        }
    }

    @Nested
    class Pools {
        @Test
        void aDataSourceWithoutAModuleIsNotKnown() {
            assertThat(FlexPool.knows(new JdbcDataSource())).isFalse();
            assertThat(FlexPool.knows(fake.dataSource)).isFalse();
        }
    }
}
