// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.PoolScope;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PoolMetric;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Leases that exceed their budget, in a pool whose time is the test's. The test itself ticks. */
@Timeout(300)
class LeaseBudgetsTest {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakePool fake = new FakePool();
    private final ManualTicker ticker = new ManualTicker();
    private final Settings settings = new Settings();
    private final List<PoolEvent.LeakResolved> resolved = new CopyOnWriteArrayList<>();
    private final List<PoolEvent.PartReported> reported = new CopyOnWriteArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Map<String, String> keys = new LinkedHashMap<>();

    @BeforeEach
    void listen() {
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger().addAppender(log);
        keys.put("flexpool.base", "2");
        keys.put("flexpool.call-sites.sample-every", "1");
    }

    @AfterEach
    void restore() {
        logger().detachAppender(log);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.flexpool");
    }

    private List<String> lines() {
        return log.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("a lease "))
                .toList();
    }

    private MonitoredPool pool(String... more) {
        for (int at = 0; at < more.length; at += 2) {
            keys.put("flexpool." + more[at], more[at + 1]);
        }
        settings.ticker = ticker;
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.LeakResolved one) {
                    resolved.add(one);
                } else if (event instanceof PoolEvent.PartReported one) {
                    reported.add(one);
                }
            }
        });
        new ConfigReader(settings).read(List.of(ConfigSource.of(keys, "a map")));
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "orders", fake).check());
    }

    private void pass(Duration time, MonitoredPool pool) {
        for (long ticks = time.toMillis() / TICK.toMillis(); ticks > 0; ticks--) {
            ticker.advance(TICK);
            pool.tick();
        }
    }

    /** What the ticks have handed over is done. */
    private static void awaitFreeThreads() {
        eventually(() -> Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("flexpool-helper-orders"))
                .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
    }

    private static long figure(MonitoredPool pool, String name) {
        return pool.parts().stream()
                .flatMap(part -> part.metrics().stream())
                .filter(metric -> metric.shortName().equals(name))
                .mapToLong(metric -> (long) metric.value())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aWarningNamesTheLeaseOnceAndLeavesIt() throws Exception {
        MonitoredPool pool = pool("lease.max", "30s", "statement-text", "true");
        Connection physical = fake.connection();
        Statement statement = mock(Statement.class);
        when(physical.createStatement()).thenReturn(statement);
        fake.answer = () -> physical;
        Connection lease = pool.acquiring().acquire();
        lease.createStatement().execute("update accounts set note = 'hunter2' where id = 42");
        pass(Duration.ofSeconds(30), pool);
        awaitFreeThreads();
        assertThat(lines()).isEmpty();
        pass(Duration.ofSeconds(30), pool);
        eventually(() -> !lines().isEmpty());
        assertThat(lines())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("orders: a lease exceeds flexpool.lease.max = PT30S: "
                                + Thread.currentThread().getName()
                                + " at LeaseBudgetsTest.aWarningNamesTheLeaseOnceAndLeavesIt(LeaseBudgetsTest.java:")
                        .contains("statement \"update accounts set note = ? where id = ?\"", "its thread is ")
                        .doesNotContain("hunter2"));
        pass(TICK, pool);
        eventually(() -> !reported.isEmpty());
        assertThat(reported).singleElement().satisfies(event -> {
            assertThat(event.describe()).isEqualTo(lines().get(0));
            assertThat(event.name()).isEqualTo("lease-budget-exceeded");
            assertThat(event.facts())
                    .containsEntry("budget", "flexpool.lease.max = PT30S")
                    .containsEntry("thread", Thread.currentThread().getName())
                    .containsKeys("heldMillis", "callSite");
        });
        assertThat(lease.isClosed()).isFalse();
        assertThat(fake.aborted).isEmpty();
        lease.close();
        pool.close();
    }

    @Test
    void withCancelTheLeaseEndsOnce() throws Exception {
        MonitoredPool pool = pool("lease.max", "30s", "lease.action", "cancel", "leak.threshold", "10s");
        Connection lease = pool.acquiring().acquire();
        Connection short1 = pool.acquiring().acquire();
        pass(Duration.ofSeconds(20), pool);
        short1.close();
        pass(Duration.ofSeconds(10), pool);
        awaitFreeThreads();
        assertThat(fake.aborted).isEmpty();
        pass(TICK, pool);
        eventually(() -> fake.aborted.size() == 1);
        eventually(() -> pool.state().leased() == 0);
        eventually(() -> resolved.size() == 2);
        assertThat(resolved).extracting(PoolEvent.LeakResolved::reclaimed).containsExactly(false, true);
        assertThat(lease.isClosed()).isTrue();
        assertThatThrownBy(lease::createStatement)
                .isInstanceOf(SQLNonTransientConnectionException.class)
                .hasMessage("Connection is closed: flexpool ended its lease (flexpool.lease.max = PT30S)")
                .extracting(thrown -> ((SQLException) thrown).getSQLState())
                .isEqualTo("08003");
        assertThat(lines()).extracting(LeaseBudgetsTest::shape).contains(shape(ofThePage()));
        lease.close();
        assertThat(pool.statistics().total().leases().count()).isEqualTo(2);
        assertThat(pool.openLeases()).isEmpty();
        pool.close();
    }

    /** The log line of docs/how-to/lease-budgets.md. */
    private static String ofThePage() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "how-to", "lease-budgets.md"));
        return page.lines()
                .filter(line -> line.startsWith("WARN io.flexpool - "))
                .findFirst()
                .orElseThrow()
                .substring("WARN io.flexpool - ".length());
    }

    /** Without thread, places in the code, time, and the thread's work. */
    private static String shape(String line) {
        return line.replaceAll("[\\w.$]+\\([\\w.]+:\\d+\\)", "*")
                .replaceAll("PT30S: \\S+", "PT30S: *")
                .replaceAll("\\d+ ms", "* ms")
                .replaceAll("its thread is at \\*[^;]*", "its thread is at *");
    }

    /** On a thread of its own: a request of a thread that has a lease is of the class of that. */
    @SuppressWarnings("try") // scopes are opened alone
    private static Connection acquire(MonitoredPool pool, String requestClass) throws Exception {
        FutureTask<Connection> acquisition = new FutureTask<>(() -> {
            try (PoolScope.Opened scope = PoolScope.of(requestClass).open()) {
                return pool.acquiring().acquire();
            }
        });
        new Thread(acquisition, "of " + requestClass).start();
        return acquisition.get();
    }

    @Test
    void aLeaseHasTheBudgetOfItsClass() throws Exception {
        MonitoredPool pool = pool(
                "base",
                "4",
                "classes",
                "oltp, batch, reports",
                "lease.max",
                "30s",
                "lease.max-by-class",
                "batch = 10m, reports = none",
                "lease.action",
                "cancel");
        fake.answer = () -> mock(Connection.class);
        Connection batch = acquire(pool, "batch");
        Connection reports = acquire(pool, "reports");
        Connection oltp = acquire(pool, "oltp");
        pass(Duration.ofSeconds(30).plus(TICK), pool);
        eventually(oltp::isClosed);
        // The place of the ended lease is another class's now.
        Connection again = acquire(pool, "batch");
        pass(Duration.ofMinutes(9), pool);
        awaitFreeThreads();
        assertThat(batch.isClosed()).isFalse();
        pass(Duration.ofSeconds(31), pool);
        eventually(batch::isClosed);
        assertThatThrownBy(batch::createStatement)
                .hasMessage(
                        "Connection is closed: flexpool ended its lease (flexpool.lease.max-by-class = batch = PT10M)");
        assertThat(again.isClosed()).isFalse();
        pass(Duration.ofSeconds(31), pool);
        eventually(again::isClosed);
        pass(Duration.ofHours(1), pool);
        awaitFreeThreads();
        assertThat(reports.isClosed()).isFalse();
        assertThat(figure(pool, "lease.ended")).isEqualTo(3);
        assertThat(pool.parts())
                .flatExtracting(part -> part.fields().values())
                .asString()
                .contains("maxMillis=30000", "classes={batch={maxMillis=600000}, reports={}}");
        reports.close();
        pool.close();
    }

    /** A suspended virtual machine, a stopped process: no thread could have closed its connection. */
    @Test
    void aPauseOfTheJvmDoesNotCount() throws Exception {
        MonitoredPool pool = pool("lease.max", "30s", "lease.action", "cancel");
        pass(TICK, pool);
        Connection lease = pool.acquiring().acquire();
        pass(Duration.ofSeconds(20), pool);
        ticker.advance(MINUTE.multipliedBy(10));
        pool.tick();
        pass(Duration.ofSeconds(9), pool);
        awaitFreeThreads();
        assertThat(fake.aborted).isEmpty();
        assertThat(lease.isClosed()).isFalse();
        pass(Duration.ofSeconds(2), pool);
        eventually(() -> fake.aborted.size() == 1);
        pool.close();
    }

    @Test
    void anAbortThatHangsIsReportedAndPassedBy() throws Exception {
        MonitoredPool pool = pool("lease.max", "30s", "lease.action", "cancel");
        CountDownLatch released = new CountDownLatch(1);
        List<Connection> physical = new CopyOnWriteArrayList<>();
        fake.answer = () -> {
            Connection made = mock(Connection.class);
            physical.add(made);
            return made;
        };
        fake.onAbort = connection -> {
            if (connection == physical.get(0)) {
                awaitQuietly(released);
            }
        };
        Connection first = pool.acquiring().acquire();
        Connection second = pool.acquiring().acquire();
        pass(Duration.ofSeconds(30).plus(TICK), pool);
        eventually(() -> first.isClosed() || second.isClosed());
        pass(Duration.ofSeconds(5), pool);
        assertThat(pool.diagnosis().housekeeping().troubles())
                .anySatisfy(trouble -> assertThat(trouble).contains("end of a lease has not returned for"));
        // The next calls run on another thread.
        pass(TICK, pool);
        eventually(() -> fake.aborted.contains(physical.get(1)));
        eventually(() -> pool.state().leased() == 1);
        Connection third = pool.acquiring().acquire();
        pass(Duration.ofSeconds(31), pool);
        eventually(() -> fake.aborted.contains(physical.get(2)));
        assertThat(third.isClosed()).isTrue();
        released.countDown();
        eventually(() -> pool.state().leased() == 0);
        pool.close();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** One round ends all that is due: a pool whose five connections leaked served nobody for longer. */
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NullPointerException.class, NoClassDefFoundError.class})
    void anAbortThatThrowsDoesNotEndTheRound(Class<? extends Throwable> thrown) throws Exception {
        MonitoredPool pool = pool("lease.max", "30s", "lease.action", "cancel", "base", "5");
        fake.answer = () -> mock(Connection.class);
        fake.onAbort = connection -> throwUnchecked(thrown);
        for (int lease = 0; lease < 5; lease++) {
            pool.acquiring().acquire();
        }
        pass(Duration.ofSeconds(30).plus(TICK), pool);
        eventually(() -> pool.openLeases().isEmpty());
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                .isZero();
        pool.close();
    }

    private static void throwUnchecked(Class<? extends Throwable> type) {
        try {
            Throwable thrown = type.getConstructor().newInstance();
            if (thrown instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw (Error) thrown;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** The driver of the fake shows no transaction, so a lease without auto-commit is reported, and goes on. */
    @Test
    void anUnknownTransactionIsReportedAndNotEnded() throws Exception {
        MonitoredPool pool =
                pool("lease.idle-in-transaction", "5s", "lease.action", "cancel", "time-in-database", "true");
        Connection physical = fake.connection();
        Statement statement = mock(Statement.class);
        when(physical.createStatement()).thenReturn(statement);
        when(statement.execute("select 1")).thenAnswer(call -> {
            ticker.advance(Duration.ofMillis(1));
            return true;
        });
        fake.answer = () -> physical;
        Connection untouched = pool.acquiring().acquire();
        pass(Duration.ofSeconds(10), pool);
        awaitFreeThreads();
        assertThat(lines()).isEmpty();
        untouched.close();
        Connection lease = pool.acquiring().acquire();
        for (int times = 0; times < 5; times++) {
            lease.createStatement().execute("select 1");
            pass(Duration.ofSeconds(4), pool);
        }
        awaitFreeThreads();
        assertThat(lines()).as("each call begins the time again").isEmpty();
        pass(Duration.ofSeconds(2), pool);
        eventually(() -> !lines().isEmpty());
        assertThat(lines())
                .singleElement()
                .satisfies(
                        line -> assertThat(line)
                                .startsWith("orders: a lease exceeds flexpool.lease.idle-in-transaction = PT5S: ")
                                .endsWith(
                                        "; flexpool does not end it, because the driver does not show whether a transaction is open"));
        assertThat(lease.isClosed()).isFalse();
        lease.close();
        pool.close();
    }

    /** One object stands for the transaction, and one for its connection. */
    @Test
    void aLeaseOfAJtaTransactionIsReportedAndNotEnded() throws Exception {
        List<PoolTransactions.ReturnListener> listeners = new ArrayList<>();
        fake.takesPartIn(new PoolTransactions() {
            @Override
            public @Nullable Object current() {
                return "t1";
            }

            @Override
            public @Nullable Object enlistedConnection() {
                return null;
            }

            @Override
            public Object physicalConnection(Connection handle) {
                return "c1";
            }

            @Override
            public void onReturn(Object connection, ReturnListener listener) {
                listeners.add(listener);
            }
        });
        MonitoredPool pool = pool("lease.max", "30s", "lease.action", "cancel");
        Connection lease = pool.acquiring().acquire();
        pass(Duration.ofSeconds(40), pool);
        eventually(() -> lines().size() == 2);
        awaitFreeThreads();
        assertThat(lines().get(1))
                .isEqualTo("orders: a lease is not ended, because a JTA transaction owns it"
                        + " (flexpool.lease.max = PT30S)");
        assertThat(fake.aborted).isEmpty();
        assertThat(lease.isClosed()).isFalse();
        assertThat(figure(pool, "lease.ended")).isZero();
        lease.close();
        listeners.forEach(PoolTransactions.ReturnListener::returned);
        assertThat(pool.state().leased()).isZero();
        pool.close();
    }

    /** Of leases whose length varies around the budget none is ended that was closed before. */
    private void noLeaseIsEndedEarly(int number) throws Exception {
        // Nor does the log of this test keep its lines.
        logger().detachAppender(log);
        int most = 50;
        MonitoredPool pool =
                pool("lease.max", "1s", "lease.action", "cancel", "base", "50", "call-sites.sample-every", "1000");
        fake.max = most;
        fake.total = most;
        // No mock: it would keep the calls of a million leases.
        Connection physical = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> self == arguments[0];
                    default -> method.getReturnType() == boolean.class ? Boolean.FALSE : null;
                });
        fake.answer = () -> physical;
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        long now = 0;
        long ticked = 0;
        Deque<Open> open = new ArrayDeque<>();
        int begun = 0;
        int closedInTime = 0;
        int over = 0;
        while (begun < number || !open.isEmpty()) {
            while (begun < number && open.size() < most && pool.state().leased() < most) {
                open.add(new Open(pool.acquiring().acquire(), now, now + 900 + random.nextInt(200)));
                begun++;
            }
            int step = 10 + random.nextInt(30);
            now += step;
            ticker.advance(Duration.ofMillis(step));
            // Two seconds without a tick are a pause, which counts towards no budget.
            if (random.nextInt(8) == 0 || now - ticked > 1_000) {
                ticked = now;
                pool.tick();
                // Now and then all that is over is ended before the next one closes.
                long then = now;
                boolean awaits = random.nextInt(4) == 0;
                while (awaits && open.stream().anyMatch(one -> then - one.begin() > 1_000 && !isClosed(one))) {
                    pool.tick();
                    Thread.onSpinWait();
                }
            }
            List<Open> ends = new ArrayList<>();
            for (Open one : open) {
                if (one.end() <= now) {
                    ends.add(one);
                }
            }
            for (Open one : ends) {
                boolean inTime = now - one.begin() <= 1_000;
                if (inTime) {
                    assertThat(one.lease().isClosed())
                            .as("a lease of %d ms, seed %d", now - one.begin(), seed)
                            .isFalse();
                    closedInTime++;
                } else {
                    over++;
                }
                one.lease().close();
            }
            open.removeAll(ends);
        }
        eventually(() -> pool.state().leased() == 0);
        long ended = figure(pool, "lease.ended");
        System.out.println(number + " leases: " + closedInTime + " closed in time, " + over + " later, " + ended
                + " ended by flexpool");
        assertThat(pool.statistics().total().leases().count()).isEqualTo(number);
        assertThat(ended).isPositive().isLessThanOrEqualTo(over).isEqualTo(fake.aborted.size());
        assertThat(closedInTime).isGreaterThan(number / 10);
        pool.close();
    }

    private record Open(Connection lease, long begin, long end) {}

    private static boolean isClosed(Open one) {
        try {
            return one.lease().isClosed();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Its driver names the server, and no statement is executed for it. */
    @Test
    void thatMySqlHasNoSuchTimeoutsIsLoggedOnce() throws Exception {
        MonitoredPool pool = pool("lease.max", "30s", "lease.action", "cancel");
        Connection physical = fake.connection();
        DatabaseMetaData server = mock(DatabaseMetaData.class);
        when(server.getDatabaseProductName()).thenReturn("MySQL");
        when(server.getDatabaseProductVersion()).thenReturn("8.4.0");
        when(physical.getMetaData()).thenReturn(server);
        Statement statement = mock(Statement.class);
        when(physical.createStatement()).thenReturn(statement);
        fake.answer = () -> physical;
        for (int lease = 0; lease < 3; lease++) {
            try (Connection connection = pool.acquiring().acquire()) {
                connection.createStatement().execute("select 1");
            }
        }
        verify(statement, never()).execute(contains("timeout"));
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
                .filteredOn(line -> line.contains("timeouts"))
                .containsExactly("orders: the server refuses the timeouts of the lease budget; only flexpool enforces"
                        + " it: MySQL has no such timeouts");
        pool.close();
    }

    @Test
    void noLeaseIsEndedBeforeItsBudget() throws Exception {
        noLeaseIsEndedEarly(3_000);
    }

    @Test
    @Tag("scenario")
    @Timeout(3_600)
    void ofAMillionLeasesNoneIsEndedBeforeItsBudget() throws Exception {
        noLeaseIsEndedEarly(1_000_000);
    }

    // ---- the keys ----

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lease.max=99ms | flexpool.lease.max = 99ms: must be from PT0.1S to PT24H
            lease.max=25h | flexpool.lease.max = 25h: must be from PT0.1S to PT24H
            lease.max=5s;lease.idle-in-transaction=5s;time-in-database=true | flexpool.lease.idle-in-transaction = 5s: must be shorter than lease.max, PT5S
            lease.idle-in-transaction=5s | flexpool.lease.idle-in-transaction = 5s: needs time-in-database = true
            lease.idle-in-transaction=50ms;time-in-database=true | flexpool.lease.idle-in-transaction = 50ms: must be from PT0.1S to PT24H
            lease.action=cancel | flexpool.lease.action = cancel: needs a budget: lease.max or lease.idle-in-transaction
            lease.max=5s;lease.action=kill | flexpool.lease.action = kill: must be warn or cancel
            lease.max-by-class=batch:9m | flexpool.lease.max-by-class = batch:9m: needs flexpool.classes too
            classes=a;lease.max-by-class=a:9m | flexpool.lease.max-by-class = a:9m: must be class=duration or class=none, from PT0.1S to PT24H
            classes=a;lease.max-by-class=a~25h | flexpool.lease.max-by-class = a=25h: must be class=duration or class=none, from PT0.1S to PT24H
            classes=a;lease.max-by-class=b~9m | flexpool.lease.max-by-class = b=9m: must name a class of the pool: a
            classes=a;lease.max-by-class=a~9m, a~8m | flexpool.lease.max-by-class = a=8m: must not name a class twice
            classes=a;lease.idle-in-transaction-by-class=a~9m | flexpool.lease.idle-in-transaction-by-class = a=9m: needs time-in-database = true
            classes=a;lease.max=5s;lease.idle-in-transaction-by-class=a~5s;time-in-database=true | lease.idle-in-transaction-by-class = a = PT5S: must be shorter than flexpool.lease.max = PT5S
            classes=a;lease.max-by-class=a~2s;lease.idle-in-transaction=3s;time-in-database=true | lease.max-by-class = a = PT2S: must be longer than flexpool.lease.idle-in-transaction = PT3S
            classes=a;lease.max-by-class=a~none;lease.action=cancel | flexpool.lease.action = cancel: needs a budget: lease.max or lease.idle-in-transaction
            lease.maxx=5s | flexpool.lease.maxx = 5s: no such key; the nearest is flexpool.lease.max
            leak.reclaim-after=5m | flexpool.leak.reclaim-after = 5m: no such key; use flexpool.lease.max with flexpool.lease.action = cancel
            """)
    void aBadBudgetIsRefused(String given, String expected) {
        String[] more = given.replace("=", ";").split(";");
        for (int at = 1; at < more.length; at += 2) {
            more[at] = more[at].replace('~', '=');
        }
        assertThatIllegalArgumentException().isThrownBy(() -> pool(more)).withMessageContaining(expected);
    }

    @Test
    void withoutABudgetThereIsNoPart() throws Exception {
        MonitoredPool pool = pool();
        assertThat(pool.parts()).extracting(PartView::name).containsExactly("session");
        pool.close();
    }
}
