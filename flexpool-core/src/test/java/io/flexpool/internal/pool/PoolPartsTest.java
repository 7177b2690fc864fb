// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.Settings;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPart.ReturnCheck;
import io.flexpool.spi.PoolPartProvider;
import io.flexpool.spi.SessionInsight;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a pool: their order, and that none of them breaks the pool or another part. The test itself ticks. */
class PoolPartsTest {
    private static final List<String> CALLS = Collections.synchronizedList(new ArrayList<>());
    private static volatile @Nullable Supplier<RuntimeException> thrown;
    private static volatile @Nullable CountDownLatch hangs;

    @TempDir
    private Path classPath;

    private final FakePool fake = new FakePool();
    private final ManualTicker ticker = new ManualTicker();
    private final List<PoolListener> listeners = new ArrayList<>();

    @BeforeEach
    void calm() {
        CALLS.clear();
        thrown = null;
        hangs = null;
    }

    /** Notes what is called. */
    private static class Noting implements PoolPart {
        private final String name;

        Noting(String name) {
            this.name = name;
        }

        @Override
        public void start() {
            CALLS.add("start " + name);
        }

        @Override
        public void tick(PoolState state, long nowNanos) {
            CALLS.add("tick " + name);
        }

        @Override
        public void close() {
            CALLS.add("close " + name);
        }

        @Override
        public void poolCloses() {
            CALLS.add("before the pool's close " + name);
        }

        @Override
        public void ended(boolean closed) {
            CALLS.add("ended " + name + ", closed: " + closed);
        }
    }

    /** Is made first, and throws or hangs where a test wants that. */
    public static final class First implements PoolPartProvider {
        static final PartKey<Integer> SIZE =
                PartKey.count("first.size", 1, 9, "A size.").or(3, "3");
        static final PartKey<Boolean> ON =
                PartKey.flag("first.on", true, "A switch.").needing("first.size");

        @Override
        public String name() {
            return "z-first";
        }

        @Override
        public int order() {
            return -1;
        }

        @Override
        public List<PartKey<?>> keys() {
            return List.of(SIZE, ON);
        }

        @Override
        public void check(PartSettings settings, PartSettings.Refusals refusals) {
            if (settings.need(SIZE) == 7) {
                refusals.refuse(SIZE, 7, "must not be 7");
            }
            fail();
        }

        @Override
        public boolean limits(PartSettings settings) {
            fail();
            return settings.need(SIZE) == 9;
        }

        static void fail() {
            Supplier<RuntimeException> wanted = thrown;
            if (wanted != null) {
                throw wanted.get();
            }
        }

        @Override
        public PoolPart create(PartContext context) {
            fail();
            CALLS.add("make first with " + context.settings().need(SIZE));
            return new Noting("first") {
                @Override
                public void start() {
                    assertThat(context.pool().name()).isEqualTo("parted");
                    super.start();
                    fail();
                }

                @Override
                public void tick(PoolState state, long nowNanos) {
                    super.tick(state, nowNanos);
                    fail();
                    CountDownLatch latch = hangs;
                    if (latch != null) {
                        try {
                            latch.await();
                        } catch (InterruptedException interrupted) {
                            Thread.currentThread().interrupt();
                        }
                    }
                }

                @Override
                public <T> Optional<T> view(Class<T> type) {
                    fail();
                    return type == Integer.class ? Optional.of(type.cast(42)) : Optional.empty();
                }

                @Override
                public List<PartMetric> metrics() {
                    fail();
                    return List.of(PartMetric.gauge("first.size", "flexpool.first.size", "{x}", "Size.", () -> 3));
                }

                @Override
                public List<String> reportLines() {
                    fail();
                    return List.of("First: evil\nline password=hunter2");
                }

                @Override
                public Map<String, Object> fields() {
                    fail();
                    return Map.of("first", 3);
                }

                @Override
                public Map<String, String> texts() {
                    fail();
                    return Map.of("first.text", "a\nb");
                }

                @Override
                public @Nullable String trouble(long nowNanos) {
                    fail();
                    return null;
                }

                @Override
                public SessionInsight insight() {
                    return new SessionInsight() {
                        @Override
                        public @Nullable SessionState session(long lease, long nowNanos) {
                            fail();
                            return null;
                        }

                        @Override
                        public boolean lockedUp(long nowNanos) {
                            fail();
                            return false;
                        }

                        @Override
                        public void reading() {
                            fail();
                        }

                        @Override
                        public SessionFindings.@Nullable Query failed(boolean mayConnect) {
                            fail();
                            return null;
                        }
                    };
                }

                @Override
                public void close() {
                    super.close();
                    fail();
                }
            };
        }
    }

    /** Of the usual place, so after the first by its order, and not by its name. */
    public static final class Second implements PoolPartProvider {
        @Override
        public String name() {
            return "a-second";
        }

        @Override
        public PoolPart create(PartContext context) {
            return new Noting("second");
        }
    }

    /** Has an insight, too, and notes that it is used. */
    public static final class Insightful implements PoolPartProvider {
        @Override
        public String name() {
            return "a-insightful";
        }

        @Override
        public PoolPart create(PartContext context) {
            return new Noting("insightful") {
                @Override
                public SessionInsight insight() {
                    return new SessionInsight() {
                        @Override
                        public @Nullable SessionState session(long lease, long nowNanos) {
                            CALLS.add("insight");
                            return null;
                        }

                        @Override
                        public boolean lockedUp(long nowNanos) {
                            CALLS.add("insight");
                            return true;
                        }

                        @Override
                        public void reading() {
                            CALLS.add("insight");
                        }

                        @Override
                        public SessionFindings.@Nullable Query failed(boolean mayConnect) {
                            CALLS.add("insight");
                            return null;
                        }
                    };
                }
            };
        }
    }

    /** Has metrics whose reading throws where a test wants that, and two with names that exist. */
    public static final class Measured implements PoolPartProvider {
        private static volatile long calls = 7;

        @Override
        public String name() {
            return "measured";
        }

        @Override
        public PoolPart create(PartContext context) {
            return new Noting("measured") {
                @Override
                public List<PartMetric> metrics() {
                    return List.of(
                            PartMetric.gauge("measured.size", "flexpool.measured.size", "{x}", "Size.", () -> {
                                        First.fail();
                                        return 3;
                                    })
                                    .nonAdditive(),
                            PartMetric.counter("measured.calls", "flexpool.measured.calls", "{x}", "Calls.", () -> {
                                First.fail();
                                return calls;
                            }),
                            PartMetric.gauge("pending", "flexpool.measured.pending", "{x}", "Core's.", () -> 1),
                            PartMetric.gauge("measured.twice", "flexpool.measured_size", "{x}", "Its own.", () -> 1));
                }
            };
        }
    }

    /** Publishes an event in each tick. */
    public static final class Publishing implements PoolPartProvider {
        @Override
        public String name() {
            return "publishing";
        }

        @Override
        public PoolPart create(PartContext context) {
            return new Noting("publishing") {
                @Override
                public void tick(PoolState state, long nowNanos) {
                    context.publish(
                            "disk-full", "the disk is full,\npassword=hunter2", Map.of("url", "x?password=hunter2"));
                }
            };
        }
    }

    /** Has nothing to do for any pool. */
    public static final class Idle implements PoolPartProvider {
        @Override
        public String name() {
            return "idle";
        }

        @Override
        public @Nullable PoolPart create(PartContext context) {
            return null;
        }
    }

    /** Has a key that core has. */
    public static final class Thief implements PoolPartProvider {
        @Override
        public String name() {
            return "thief";
        }

        @Override
        public List<PartKey<?>> keys() {
            return List.of(PartKey.flag("mode", true, "Not its own."));
        }

        @Override
        public PoolPart create(PartContext context) {
            return new Noting("thief");
        }
    }

    private <T> T withProviders(Callable<T> call, Class<?>... providers) throws Exception {
        Path service = Files.createDirectories(classPath.resolve("META-INF/services"))
                .resolve(PoolPartProvider.class.getName());
        Files.writeString(service, Arrays.stream(providers).map(Class::getName).collect(Collectors.joining("\n")));
        URL url = service.toUri().toURL();
        ClassLoader own = PoolPartsTest.class.getClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(own) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.endsWith(PoolPartProvider.class.getName())
                        ? Collections.enumeration(List.of(url))
                        : super.getResources(name);
            }
        });
        try {
            return call.call();
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
    }

    private MonitoredPool pool(Class<?>... providers) throws Exception {
        Settings settings = new Settings();
        settings.ticker = ticker;
        settings.listeners.addAll(listeners);
        return withProviders(
                () -> new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "parted", fake).check()),
                providers);
    }

    @Test
    void theyAreCalledInTheirOrderAndEndedInTheReverseOne() throws Exception {
        MonitoredPool pool = pool(Second.class, Idle.class, First.class);
        pool.start();
        pool.tick();
        fake.onClose = () -> CALLS.add("the pool's close");
        pool.close();
        assertThat(CALLS)
                .startsWith("make first with 3", "start first", "start second", "tick first", "tick second")
                .endsWith(
                        "close second",
                        "close first",
                        "before the pool's close second",
                        "before the pool's close first",
                        "the pool's close",
                        "ended second, closed: true",
                        "ended first, closed: true");
        assertThat(pool.parts()).extracting(PartView::name).containsExactly("z-first", "a-second");
    }

    @Test
    void aPartOfAReleasedPoolIsNotGivenItsClose() throws Exception {
        pool(First.class).release();
        assertThat(CALLS).endsWith("close first", "ended first, closed: false");
    }

    @Test
    void eachShowsItsOwn() throws Exception {
        MonitoredPool pool = pool(Second.class, First.class);
        assertThat(pool.view(Integer.class)).hasValue(42);
        assertThat(pool.view(String.class)).isEmpty();
        PartView first = pool.parts().get(0);
        assertThat(first.metrics()).extracting(PartMetric::value).containsExactly(3.0);
        assertThat(first.fields()).containsEntry("first", 3);
        assertThat(first.texts()).containsEntry("first.text", "a b");
        assertThat(pool.report()).contains("\nFirst: evil line password=***\n");
    }

    /** Whatever it throws wherever, requests are served, the other part is called, and the trouble names the part. */
    @Test
    void aPartThatThrowsBreaksNeitherThePoolNorAnotherPart() throws Exception {
        MonitoredPool pool = pool(Second.class, First.class);
        thrown = () -> new IllegalStateException("broken");
        pool.start();
        pool.tick();
        try (Connection connection = pool.acquiring().acquire()) {
            assertThat(connection).isNotNull();
        }
        assertThat(CALLS).contains("start second", "tick second");
        assertThat(pool.diagnosis().housekeeping().troubles())
                .containsExactly("the part z-first threw java.lang.IllegalStateException in its last tick");
        assertThat(pool.view(Integer.class)).isEmpty();
        assertThat(pool.report()).doesNotContain("First:");
        assertThat(pool.parts().get(0).fields()).isEmpty();
        thrown = null;
        pool.tick();
        assertThat(pool.diagnosis().housekeeping().troubles()).isEmpty();
        thrown = () -> new IllegalStateException("broken");
        pool.close();
        assertThat(CALLS).contains("close second", "close first").endsWith("ended first, closed: true");
    }

    @Test
    void anEventOfAPartReachesEachListenerAndThoseOfASecondAreOneEntry() throws Exception {
        List<PoolEvent> received = new CopyOnWriteArrayList<>();
        listeners.add(event -> {
            throw new StackOverflowError("of a listener");
        });
        listeners.add(received::add);
        MonitoredPool pool = pool(Publishing.class);
        pool.start();
        pool.tick();
        pool.tick();
        pool.close();
        assertThat(received)
                .filteredOn(PoolEvent.PartReported.class::isInstance)
                .hasSize(2)
                .allSatisfy(event -> {
                    assertThat(event.kind()).hasToString("part");
                    assertThat(event.describe()).isEqualTo("parted: the disk is full, password=***");
                    PoolEvent.PartReported reported = (PoolEvent.PartReported) event;
                    assertThat(reported.name()).isEqualTo("disk-full");
                    assertThat(reported.facts()).containsExactly(Map.entry("url", "x?password=***"));
                });
        assertThat(pool.diagnosis().recentEvents())
                .filteredOn(recent -> recent.event().kind() == PoolEvent.Kind.PART)
                .singleElement()
                .satisfies(recent -> assertThat(recent.count()).isEqualTo(2));
        assertThat(pool.report()).contains("part (2 times): parted: the disk is full, password=***");
    }

    /** A backend reads the metrics of other parts in the same scrape, and makes rates of counters. */
    @Test
    void aMetricThatThrowsHasNoValueAndACounterNeverFalls() throws Exception {
        MonitoredPool pool = pool(Measured.class);
        Measured.calls = 7;
        List<PartMetric> metrics = pool.parts().get(0).metrics();
        assertThat(metrics).extracting(PartMetric::value).containsExactly(3.0, 7.0);
        assertThat(metrics).extracting(PartMetric::additive).containsExactly(false, true);
        assertThat(pool.report()).containsPattern("\nCounters since the start: .*, measured\\.calls 7\n");
        thrown = () -> new IllegalStateException("broken");
        assertThat(metrics).extracting(PartMetric::value).containsExactly(Double.NaN, 7.0);
        thrown = null;
        Measured.calls = 2;
        assertThat(metrics).extracting(PartMetric::value).containsExactly(3.0, 7.0);
        Measured.calls = 9;
        assertThat(metrics).extracting(PartMetric::value).containsExactly(3.0, 9.0);
    }

    @Test
    void aMetricWithANameThatExistsIsNotShown() throws Exception {
        MonitoredPool pool = pool(Measured.class);
        assertThat(pool.parts().get(0).metrics())
                .extracting(PartMetric::shortName)
                .containsExactly("measured.size", "measured.calls");
        assertThat(pool.diagnosis().housekeeping().troubles())
                .containsExactly(
                        "the metric pending of the part measured is not shown: another metric has this name",
                        "the metric measured.twice of the part measured is not shown: another metric has this name");
    }

    /** The reader gets the leases, and the request that failed its exception, with an explanation. */
    @Test
    void anInsightThatThrowsIsNone() throws Exception {
        MonitoredPool pool = pool(First.class);
        try (Connection connection = pool.acquiring().acquire()) {
            thrown = () -> new IllegalStateException("broken");
            assertThat(connection).isNotNull();
            assertThat(pool.openLeases()).singleElement().matches(lease -> lease.inServer() == null);
            fake.answer = () -> {
                throw new SQLTransientConnectionException("exhausted");
            };
            assertThatThrownBy(() -> pool.acquiring().acquire())
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("exhausted");
            assertThat(pool.diagnosis().lastExplanation()).isNotNull();
            thrown = null;
        }
    }

    /** By the order of the parts, whatever the order of their providers and their names. */
    @Test
    void ofSeveralInsightsThatOfTheFirstPartIsUsed() throws Exception {
        useInsight(pool(Insightful.class));
        assertThat(CALLS).contains("insight");
        CALLS.clear();
        useInsight(pool(Insightful.class, First.class));
        assertThat(CALLS).contains("tick insightful").doesNotContain("insight");
    }

    /** A tick, a reading of the leases, and a request that fails. */
    private void useInsight(MonitoredPool pool) throws Exception {
        FakePool.Answer connections = fake.answer;
        pool.tick();
        try (Connection connection = pool.acquiring().acquire()) {
            assertThat(connection).isNotNull();
            assertThat(pool.openLeases()).hasSize(1);
            fake.answer = () -> {
                throw new SQLTransientConnectionException("exhausted");
            };
            assertThatThrownBy(() -> pool.acquiring().acquire()).isInstanceOf(SQLTransientConnectionException.class);
        }
        fake.answer = connections;
        pool.close();
    }

    @Test
    void aReturnCheckThatThrowsChecksNothing() throws Exception {
        TestContext part = new TestContext(settings -> {});
        ReturnCheck broken = new ReturnCheck() {
            @Override
            public boolean failed(Connection connection, SQLException failure) {
                throw new IllegalStateException("broken");
            }

            @Override
            public boolean check(Connection connection) {
                throw new IllegalStateException("broken");
            }
        };
        GuardedCheck check = new GuardedCheck("the part x", broken, part.context.listeners());
        try (Connection connection = fake.dataSource.getConnection()) {
            assertThat(check.failed(connection, new SQLException("refused"))).isFalse();
            assertThat(check.check(connection)).isTrue();
        }
        assertThat(part.context.listeners().errors()).isEqualTo(2);
    }

    @Test
    void aPartThatHangsIsNamed() throws Exception {
        MonitoredPool pool = pool(First.class);
        CountDownLatch latch = new CountDownLatch(1);
        hangs = latch;
        Thread ticking = new Thread(pool::tick);
        ticking.start();
        while (!CALLS.contains("tick first")) {
            Thread.onSpinWait();
        }
        assertThat(pool.diagnosis().housekeeping().troubles()).noneMatch(trouble -> trouble.contains("z-first"));
        ticker.advance(Duration.ofSeconds(2));
        assertThat(pool.diagnosis().housekeeping().troubles())
                .contains("the part z-first has not returned for 2000 ms");
        latch.countDown();
        ticking.join();
        assertThat(pool.diagnosis().housekeeping().troubles()).noneMatch(trouble -> trouble.contains("z-first"));
    }

    @Test
    void aPartThatCannotBeMadeIsATroubleAndRefusesNothing() throws Exception {
        thrown = () -> new IllegalStateException("broken");
        MonitoredPool pool = pool(Second.class, First.class);
        assertThat(pool.parts()).extracting(PartView::name).containsExactly("a-second");
        assertThat(pool.diagnosis().housekeeping().troubles())
                .containsExactly("the part z-first could not be made: it threw java.lang.IllegalStateException");
    }

    /** Then the pool is refused, and the parts that were made are ended. */
    @Test
    void aPartMayRefuseThePool() {
        thrown = () -> new IllegalArgumentException("parted: first.size = 3: must be another one");
        assertThatThrownBy(() -> pool(Second.class, First.class)).hasMessageContaining("must be another one");
    }

    @Test
    void aPartWithAKeyOfCoreIsLeftOut() throws Exception {
        assertThat(pool(Thief.class, Second.class).parts())
                .extracting(PartView::name)
                .containsExactly("a-second");
    }

    @Test
    void itsKeysAreReadAndRefusedAsThoseOfCore() throws Exception {
        List<ConfigKey> keys = withProviders(FlexPool::configurationKeys, First.class);
        assertThat(keys).extracting(ConfigKey::name).contains("mode", "first.size", "first.on");
        assertThat(refusal("flexpool.first.size", "10")).endsWith("must be from 1 to 9 (the given map)");
        assertThat(refusal("flexpool.first.size", "7")).contains("flexpool.first.size = 7: must not be 7");
        assertThat(refusal("flexpool.first.siz", "7")).contains("the nearest is flexpool.first.size");
        assertThat(refusal("flexpool.first.on", "true"))
                .contains("needs flexpool.first.size too, which must be from 1 to 9");
        assertThat(refusal("flexpool.pools.parted.first.size", "x")).contains("must be a whole number from 1 to 9");
    }

    private String refusal(String key, String value) throws Exception {
        return withProviders(
                () -> {
                    try {
                        FlexPool.wrap(fake.dataSource)
                                .name("parted")
                                .adapter(fake)
                                .properties(Map.of(key, value))
                                .build()
                                .close();
                        return "accepted";
                    } catch (IllegalArgumentException refused) {
                        return String.valueOf(refused.getMessage());
                    }
                },
                First.class);
    }

    @Test
    void aKeyOfAnAbsentPartNamesItsArtifact() throws Exception {
        assertThat(refusal("flexpool.advice", "false"))
                .contains("flexpool.advice = false: needs the module io.flexpool:flexpool-advisor on the class path");
        assertThat(refusal("flexpool.pools.parted.record.anonymous", "x"))
                .contains("needs the module io.flexpool:flexpool-advisor on the class path");
    }
}
