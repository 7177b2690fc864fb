// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.NestedPolicy;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.stubbing.Answer;
import org.slf4j.LoggerFactory;

/** What is recorded of open leases, from the call to views and events. The test itself ticks. */
@Timeout(300)
class OpenLeasesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakePool fake = new FakePool();
    private final ManualTicker ticker = new ManualTicker();
    private final Settings settings = new Settings();
    private final Received received = new Received();

    private static final class Received implements PoolListener {
        private final List<PoolEvent.LeakSuspected> suspected = new ArrayList<>();
        private final List<PoolEvent.LeakResolved> resolved = new ArrayList<>();
        private final List<PoolEvent.NestedAcquisition> nested = new ArrayList<>();

        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.LeakSuspected suspectedEvent) {
                suspected.add(suspectedEvent);
            } else if (event instanceof PoolEvent.LeakResolved resolvedEvent) {
                resolved.add(resolvedEvent);
            } else if (event instanceof PoolEvent.NestedAcquisition nestedEvent) {
                nested.add(nestedEvent);
            }
        }
    }

    private MonitoredPool pool() {
        fake.max = 100;
        settings.ticker = ticker;
        settings.listeners.add(received);
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "orders", fake).check());
    }

    private MonitoredPool capturing() {
        settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, 1);
        return pool();
    }

    private MonitoredPool leaking(Duration threshold) {
        settings.set(CoreKey.LEAK_THRESHOLD, threshold);
        return capturing();
    }

    /** The line that calls this. */
    private static int line() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(1).findFirst().orElseThrow().getLineNumber());
    }

    private static String here(Object test, String method, int line) {
        String name = test.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1) + "." + method + "(OpenLeasesTest.java:" + line + ")";
    }

    private void pass(Duration time, MonitoredPool pool) {
        ticker.advance(time);
        pool.tick();
    }

    /** A thread that waits for its slot has read the time before the thread that had the slot. */
    @Test
    void alwaysCapturesALeaseWithAnEarlierTime() throws SQLException {
        MonitoredPool pool = capturing();
        pool.acquiring().acquire().close();
        ticker.advance(Duration.ofMillis(-1));
        pool.acquiring().acquire().close();
        assertThat(pool.diagnosis().callSites().stream()
                        .mapToLong(CallSiteStatistics::count)
                        .sum())
                .isEqualTo(2);
    }

    private static Connection elsewhere(String name, MonitoredPool pool) throws Exception {
        Connection[] taken = new Connection[1];
        Thread thread = new Thread(
                () -> {
                    try {
                        taken[0] = pool.acquiring().acquire();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                name);
        thread.start();
        thread.join();
        return taken[0];
    }

    @Nested
    class WhoHasWhat {
        @Test
        void everyOpenLeaseIsShownOldestFirstWithThreadAndAge() throws Exception {
            MonitoredPool pool = pool();
            Connection first = pool.acquiring().acquire();
            ticker.advance(SECOND);
            Connection second = elsewhere("worker", pool);
            ticker.advance(SECOND);
            assertThat(pool.openLeases())
                    .extracting(OpenLease::thread)
                    .containsExactly(Thread.currentThread().getName(), "worker");
            assertThat(pool.openLeases()).extracting(OpenLease::age).containsExactly(SECOND.multipliedBy(2), SECOND);
            assertThat(pool.openLeases()).extracting(OpenLease::virtualThread).containsOnly(false);
            assertThat(pool.openLeases()).extracting(OpenLease::activity).containsOnly(Activity.UNKNOWN);
            assertThat(pool.openLeases()).extracting(OpenLease::inDatabase).containsOnlyNulls();
            first.close();
            first.close();
            assertThat(pool.openLeases()).extracting(OpenLease::thread).containsExactly("worker");
            second.abort(Runnable::run);
            assertThat(pool.openLeases()).isEmpty();
        }

        @Test
        void aRequestThatFailsLeavesNoLease() {
            MonitoredPool pool = pool();
            fake.answer = () -> {
                throw new SQLException("no");
            };
            assertThatThrownBy(pool.acquiring()::acquire).hasMessage("no");
            assertThat(pool.openLeases()).isEmpty();
        }

        @Test
        void alwaysCapturesTheLineThatRequestedTheLease() throws SQLException {
            MonitoredPool pool = capturing();
            int line = line() + 1;
            Connection one = pool.acquiring().acquire();
            Connection other = OrderService.ship(pool.acquiring()::acquire);
            assertThat(pool.openLeases())
                    .extracting(OpenLease::callSite)
                    .containsExactlyInAnyOrder(
                            here(this, "alwaysCapturesTheLineThatRequestedTheLease", line),
                            "OrderService.ship(OrderService.java:24)");
            one.close();
            other.close();
        }

        @Test
        void sampledIsTheFirstLeaseAndThenOneInSoMany() throws SQLException {
            settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, 4);
            MonitoredPool pool = pool();
            List<Boolean> captured = new ArrayList<>();
            for (int times = 0; times < 9; times++) {
                captured.add(captured(pool));
                ticker.advance(Duration.ofMillis(20));
            }
            assertThat(captured).containsExactly(true, false, false, false, true, false, false, false, true);
        }

        /** A walk of the stack is ten times as dear where it is rare, which one in 4,096 did not make up for. */
        @Test
        void fastLeasesAreSampledOncePer50Ms() throws SQLException {
            settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, 2);
            MonitoredPool pool = pool();
            List<Boolean> captured = new ArrayList<>();
            for (int times = 0; times < 12; times++) {
                captured.add(captured(pool));
                ticker.advance(Duration.ofMillis(10));
            }
            assertThat(captured)
                    .containsExactly(true, false, false, false, false, false, true, false, false, false, false, false);
        }

        @Test
        void theFirstLeaseOfEachSlotIsSampled() throws SQLException {
            MonitoredPool pool = pool();
            Connection one = pool.acquiring().acquire();
            Connection other = pool.acquiring().acquire();
            assertThat(pool.openLeases()).extracting(OpenLease::callSite).doesNotContainNull();
            one.close();
            other.close();
        }

        @Test
        void withOffNoneIsCapturedAlsoInTrouble() throws SQLException {
            settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, 0);
            settings.set(CoreKey.LEAK_THRESHOLD, MINUTE);
            MonitoredPool pool = pool();
            Connection leaked = pool.acquiring().acquire();
            pass(MINUTE.plus(SECOND), pool);
            Connection after = pool.acquiring().acquire();
            assertThat(pool.openLeases()).extracting(OpenLease::callSite).containsOnlyNulls();
            assertThat(received.suspected).singleElement().satisfies(event -> {
                assertThat(event.lease().callSite()).isNull();
                assertThat(event.describe())
                        .contains(Thread.currentThread().getName() + " (call site not captured): held for 61000 ms");
            });
            leaked.close();
            after.close();
            assertThat(pool.diagnosis().callSites()).isEmpty();
        }

        @Test
        void aSuspectedLeakCapturesAllForTenSecondsMore() throws SQLException {
            settings.set(CoreKey.LEAK_THRESHOLD, MINUTE);
            MonitoredPool pool = pool();
            assertThat(captured(pool)).isTrue();
            assertThat(captured(pool)).isFalse();
            Connection leaked = pool.acquiring().acquire();
            pass(MINUTE.plus(SECOND), pool);
            pass(SECOND, pool);
            assertThat(captured(pool)).isTrue();
            assertThat(captured(pool)).isTrue();
            leaked.close();
            // The ten seconds run from the last walk that saw it.
            pass(SECOND, pool);
            pass(Duration.ofMillis(8_500), pool);
            assertThat(captured(pool)).isTrue();
            pass(SECOND, pool);
            assertThat(captured(pool)).isFalse();
        }

        /** Else one leak would make every later request pay, for as long as the application runs. */
        @Test
        void aLeakThatIsOldIsNoReasonToCaptureAll() throws SQLException {
            settings.set(CoreKey.LEAK_THRESHOLD, MINUTE);
            MonitoredPool pool = pool();
            Connection leaked = pool.acquiring().acquire();
            assertThat(captured(pool)).isTrue();
            pass(MINUTE.plus(SECOND), pool);
            pass(Duration.ofSeconds(599), pool);
            assertThat(captured(pool)).isTrue();
            pass(SECOND, pool);
            pass(Duration.ofSeconds(9), pool);
            assertThat(captured(pool)).isFalse();
            leaked.close();
        }

        @Test
        void afterATimeoutAllAreCaptured() throws SQLException {
            MonitoredPool pool = pool();
            Connection out = pool.acquiring().acquire();
            assertThat(captured(pool)).isTrue();
            assertThat(captured(pool)).isFalse();
            FakePool.Answer answer = fake.answer;
            fake.answer = () -> {
                throw new SQLException("all out");
            };
            assertThatThrownBy(pool.acquiring()::acquire).hasMessage("all out");
            fake.answer = answer;
            assertThat(captured(pool)).isFalse();
            pool.tick();
            assertThat(captured(pool)).isTrue();
            out.close();
        }

        private static boolean captured(MonitoredPool pool) throws SQLException {
            Connection lease = pool.acquiring().acquire();
            List<OpenLease> open = pool.openLeases();
            lease.close();
            return open.get(open.size() - 1).callSite() != null;
        }

        @Test
        void callSitesAreOrderedByTheTimeTheyHeldConnections() throws SQLException {
            MonitoredPool pool = capturing();
            for (int times = 0; times < 3; times++) {
                Connection connection = OrderService.place(pool.acquiring()::acquire);
                ticker.advance(Duration.ofMillis(10));
                connection.close();
            }
            Connection longer = OrderService.ship(pool.acquiring()::acquire);
            ticker.advance(Duration.ofMillis(480));
            assertThat(pool.diagnosis().callSites()).hasSize(1);
            longer.close();
            assertThat(pool.diagnosis().callSites())
                    .extracting(CallSiteStatistics::callSite)
                    .containsExactly(
                            "OrderService.ship(OrderService.java:24)", "OrderService.place(OrderService.java:19)");
            assertThat(pool.diagnosis().callSites())
                    .extracting(CallSiteStatistics::count)
                    .containsExactly(1L, 3L);
            assertThat(pool.diagnosis().callSites())
                    .extracting(CallSiteStatistics::held)
                    .containsExactly(Duration.ofMillis(480), Duration.ofMillis(30));
        }
    }

    @Nested
    class InsideTheLease {
        private static Connection physical(ManualTicker ticker, Duration each) throws SQLException {
            Connection physical = mock(Connection.class);
            Statement statement = mock(Statement.class);
            PreparedStatement prepared = mock(PreparedStatement.class);
            CallableStatement callable = mock(CallableStatement.class);
            ResultSet results = mock(ResultSet.class);
            when(physical.createStatement()).thenReturn(statement);
            when(physical.prepareStatement("select p")).thenReturn(prepared);
            when(physical.prepareCall("call c")).thenReturn(callable);
            Answer<Object> takesTime = call -> {
                ticker.advance(each);
                return call.getMethod().getReturnType() == ResultSet.class ? results : null;
            };
            doAnswer(takesTime).when(statement).executeQuery("select s");
            doAnswer(takesTime).when(prepared).executeQuery();
            doAnswer(takesTime).when(callable).executeQuery();
            doAnswer(takesTime).when(physical).commit();
            doAnswer(takesTime).when(physical).rollback();
            doAnswer(takesTime).when(results).close();
            return physical;
        }

        @Test
        void databaseTimeIsThatOfStatementsAndTransactions() throws SQLException {
            settings.set(CoreKey.TIME_IN_DATABASE, true);
            MonitoredPool pool = capturing();
            Duration each = Duration.ofMillis(10);
            Connection physical = physical(ticker, each);
            fake.answer = () -> physical;
            Connection lease = OrderService.place(pool.acquiring()::acquire);
            ResultSet results = lease.createStatement().executeQuery("select s");
            assertThat(inDatabase(pool)).isEqualTo(each.toNanos());
            lease.prepareStatement("select p").executeQuery();
            lease.prepareCall("call c").executeQuery();
            assertThat(inDatabase(pool)).isEqualTo(3 * each.toNanos());
            lease.commit();
            lease.rollback();
            results.close();
            assertThat(inDatabase(pool)).isEqualTo(6 * each.toNanos());
            ticker.advance(Duration.ofMillis(690));
            assertThat(pool.openLeases().get(0)).satisfies(open -> {
                assertThat(open.activity()).isEqualTo(Activity.IDLE);
                assertThat(open.idleShare()).isEqualTo(0.92);
                assertThat(open.statement()).isNull();
                assertThat(open.describe())
                        .endsWith(": held for 750 ms, 92 % outside the database, now without a statement");
            });
            lease.close();
            // A late close of a result still reaches the target, and no lease.
            results.close();
            assertThat(pool.diagnosis().callSites())
                    .singleElement()
                    .satisfies(site -> assertThat(site.idleShare()).isEqualTo(0.92));
        }

        /** The driver has nothing left to fetch or to discard, and the clock would cost more than the call. */
        @Test
        void theCloseOfAResultThatWasReadToItsEndIsNotMeasured() throws SQLException {
            settings.set(CoreKey.TIME_IN_DATABASE, true);
            MonitoredPool pool = pool();
            Duration each = Duration.ofMillis(10);
            Connection physical = physical(ticker, each);
            fake.answer = () -> physical;
            try (Connection lease = pool.acquiring().acquire();
                    PreparedStatement statement = lease.prepareStatement("select p")) {
                long before = ticker.readings();
                ResultSet results = statement.executeQuery();
                assertThat(results.next()).isFalse();
                results.close();
                assertThat(ticker.readings() - before)
                        .as("readings of the clock")
                        .isEqualTo(2);
                assertThat(inDatabase(pool)).isEqualTo(each.toNanos());
            }
        }

        /** MariaDB Connector/J reads all rows that are left. */
        @Test
        void theCloseOfAResultWithRowsLeftIsMeasured() throws SQLException {
            settings.set(CoreKey.TIME_IN_DATABASE, true);
            MonitoredPool pool = pool();
            Duration each = Duration.ofMillis(10);
            Connection physical = physical(ticker, each);
            when(physical.prepareStatement("select p").executeQuery().next()).thenReturn(true);
            fake.answer = () -> physical;
            try (Connection lease = pool.acquiring().acquire();
                    PreparedStatement statement = lease.prepareStatement("select p")) {
                ResultSet results = statement.executeQuery();
                assertThat(results.next()).isTrue();
                results.close();
                assertThat(inDatabase(pool)).isEqualTo(2 * each.toNanos());
            }
        }

        private static long inDatabase(MonitoredPool pool) {
            return Objects.requireNonNull(pool.openLeases().get(0).inDatabase()).toNanos();
        }

        @Test
        void aCallIsShownUntilItReturnsOrThrows() throws SQLException {
            settings.set(CoreKey.TIME_IN_DATABASE, true);
            MonitoredPool pool = pool();
            Connection physical = mock(Connection.class);
            List<OpenLease> within = new ArrayList<>();
            doAnswer(call -> {
                        ticker.advance(SECOND);
                        within.addAll(pool.openLeases());
                        throw new SQLException("mine");
                    })
                    .when(physical)
                    .commit();
            fake.answer = () -> physical;
            try (Connection lease = pool.acquiring().acquire()) {
                assertThatThrownBy(lease::commit).hasMessage("mine");
                assertThat(within).singleElement().satisfies(open -> {
                    assertThat(open.activity()).isEqualTo(Activity.IN_DATABASE);
                    assertThat((double)
                                    Objects.requireNonNull(open.inDatabase()).toNanos())
                            .isBetween(999_999_999.0, 1_000_000_000.0);
                });
                assertThat(pool.openLeases().get(0).activity()).isEqualTo(Activity.IDLE);
            }
        }

        @Test
        void theStatementIsShortenedAndMasked() throws SQLException {
            settings.set(CoreKey.STATEMENT_TEXT, true);
            MonitoredPool pool = pool();
            Connection physical = physical(ticker, SECOND);
            when(physical.prepareStatement(anyString())).thenAnswer(call -> mock(PreparedStatement.class));
            fake.answer = () -> physical;
            try (Connection lease = pool.acquiring().acquire()) {
                assertThat(pool.openLeases().get(0).statement()).isNull();
                PreparedStatement first = lease.prepareStatement("update a set b =\n  ?");
                PreparedStatement second = lease.prepareStatement("alter user x password='secret'");
                assertThat(pool.openLeases().get(0).statement()).isNull();
                first.setString(1, "parameter");
                first.executeUpdate();
                assertThat(pool.openLeases().get(0).statement()).isEqualTo("update a set b = ?");
                second.execute();
                assertThat(pool.openLeases().get(0).statement()).isEqualTo("alter user x password=***");
                first.executeBatch();
                assertThat(pool.openLeases().get(0).statement()).isEqualTo("update a set b = ?");
                lease.createStatement().executeQuery("select " + "x".repeat(500));
                assertThat(pool.openLeases().get(0).statement()).hasSize(201).endsWith("x…");
                assertThat(pool.openLeases().get(0).activity()).isEqualTo(Activity.UNKNOWN);
            }
            try (Connection next = pool.acquiring().acquire()) {
                assertThat(next).isNotNull();
                assertThat(pool.openLeases().get(0).statement()).isNull();
            }
        }
    }

    @Nested
    class SuspectedLeaks {
        @Test
        void aLeakOfTwelveIsNamedOnceEachWithItsLine() throws SQLException {
            MonitoredPool pool = leaking(MINUTE);
            int line = line() + 2;
            for (int times = 0; times < 12; times++) {
                pool.acquiring().acquire();
            }
            try (Connection good = OrderService.ship(pool.acquiring()::acquire)) {
                pass(MINUTE, pool);
                assertThat(good).isNotNull();
                assertThat(received.suspected).isEmpty();
            }
            pass(SECOND, pool);
            pass(SECOND, pool);
            pass(MINUTE, pool);
            String site = here(this, "aLeakOfTwelveIsNamedOnceEachWithItsLine", line);
            assertThat(received.suspected).hasSize(12).allSatisfy(event -> {
                assertThat(event.lease().callSite()).isEqualTo(site);
                assertThat(event.lease().age()).isEqualTo(MINUTE.plus(SECOND));
                assertThat(event.lease().leakSuspected()).isTrue();
                assertThat(event.state().leased()).isEqualTo(12);
                assertThat(event.describe())
                        .startsWith("orders: a connection may have leaked: ")
                        .contains(site);
            });
            assertThat(pool.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED))
                    .isEqualTo(12);
            assertThat(pool.openLeases()).extracting(OpenLease::leakSuspected).containsOnly(true);
            assertThat(received.resolved).isEmpty();
        }

        @Test
        void aResolvedSuspectFreesItsSlotForAnOrdinaryLease() throws SQLException {
            MonitoredPool pool = leaking(MINUTE);
            Connection slow = OrderService.place(pool.acquiring()::acquire);
            pass(MINUTE.plus(SECOND), pool);
            ticker.advance(SECOND);
            slow.close();
            assertThat(received.resolved).singleElement().satisfies(event -> {
                assertThat(event.callSite()).isEqualTo("OrderService.place(OrderService.java:19)");
                assertThat(event.duration()).isEqualTo(Duration.ofSeconds(62));
                assertThat(event.reclaimed()).isFalse();
                assertThat(event.describe()).endsWith(" ended: the connection was returned after 62000 ms");
            });
            Connection next = pool.acquiring().acquire();
            pass(SECOND, pool);
            pass(SECOND, pool);
            next.close();
            assertThat(received.suspected).hasSize(1);
            assertThat(received.resolved).hasSize(1);
            // And a lease that leaks after it is one again.
            Connection again = pool.acquiring().acquire();
            pass(MINUTE.plus(SECOND), pool);
            assertThat(received.suspected).hasSize(2);
            again.close();
            assertThat(received.resolved).hasSize(2);
            assertThat(pool.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED))
                    .isEqualTo(2);
        }

        /** The log's appender ends the lease before it is marked: only the next scan can notice. */
        @Test
        void aSuspectEndedWhileReportedIsResolvedLater() throws SQLException {
            Connection[] leaked = new Connection[1];
            Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
            Level before = logger.getLevel();
            UnsynchronizedAppenderBase<ILoggingEvent> ending = new UnsynchronizedAppenderBase<>() {
                @Override
                protected void append(ILoggingEvent line) {
                    close(leaked[0]);
                }
            };
            ending.start();
            logger.setLevel(Level.WARN);
            logger.addAppender(ending);
            try {
                resolvedByTheNextWalk(leaked);
            } finally {
                logger.detachAppender(ending);
                logger.setLevel(before);
            }
        }

        private void resolvedByTheNextWalk(Connection[] leaked) throws SQLException {
            MonitoredPool pool = leaking(MINUTE);
            leaked[0] = pool.acquiring().acquire();
            pass(MINUTE.plus(SECOND), pool);
            assertThat(received.suspected).hasSize(1);
            assertThat(received.resolved).isEmpty();
            Connection next = pool.acquiring().acquire();
            next.close();
            assertThat(received.resolved).isEmpty();
            pass(SECOND, pool);
            pass(SECOND, pool);
            assertThat(received.resolved).hasSize(1);
        }

        private static void close(Connection connection) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /**
         * Listeners are called after the walk, so what they end is resolved at once; they see it after what it resolves.
         */
        @Test
        void aListenerMayEndTheReportedSuspect() throws SQLException {
            List<String> order = new ArrayList<>();
            Connection[] leaked = new Connection[1];
            settings.listeners.add(new PoolListener() {
                @Override
                public void onEvent(PoolEvent event) {
                    if (event instanceof PoolEvent.LeakSuspected) {
                        close(leaked[0]);
                        order.add("suspected");
                    } else if (event instanceof PoolEvent.LeakResolved) {
                        order.add("resolved");
                    }
                }
            });
            MonitoredPool pool = leaking(MINUTE);
            leaked[0] = pool.acquiring().acquire();
            pass(MINUTE.plus(SECOND), pool);
            assertThat(order).containsExactly("suspected", "resolved");
            pass(SECOND, pool);
            pass(SECOND, pool);
            assertThat(order).hasSize(2);
        }

        @Test
        void endingAbortsAndFreesThePlaceOnce() throws Exception {
            settings.set(CoreKey.BASE, 1);
            MonitoredPool pool = leaking(MINUTE);
            Connection physical = mock(Connection.class);
            Statement statement = mock(Statement.class);
            when(physical.createStatement()).thenReturn(statement);
            fake.answer = () -> physical;
            LeasedConnection leaked = (LeasedConnection) OrderService.place(pool.acquiring()::acquire);
            Statement late = leaked.createStatement();
            pass(MINUTE.plus(SECOND), pool);
            List<Connection> first = new ArrayList<>();
            assertThat(leaked.end("flexpool ended its lease", first::add)).isTrue();
            assertThat(first).containsExactly(physical);
            assertThat(fake.aborted).containsExactly(physical);
            assertThat(pool.state().leased()).isZero();
            assertThat(pool.openLeases()).isEmpty();
            assertThat(received.resolved.get(0).reclaimed()).isTrue();
            assertThat(received.resolved.get(0).describe())
                    .startsWith(
                            "orders: the suspected leak of OrderService.place(OrderService.java:19) ended: the connection was reclaimed");
            assertThat(leaked.isClosed()).isTrue();
            assertThatThrownBy(leaked::createStatement)
                    .isInstanceOf(SQLNonTransientConnectionException.class)
                    .hasMessage("Connection is closed: flexpool ended its lease")
                    .extracting(thrown -> ((SQLException) thrown).getSQLState())
                    .isEqualTo("08003");
            assertThatThrownBy(() -> late.execute("select 1"))
                    .isInstanceOf(SQLNonTransientException.class)
                    .hasMessage("Statement is closed: its connection is closed: flexpool ended its lease")
                    .extracting(thrown -> ((SQLException) thrown).getSQLState())
                    .isEqualTo("HY010");
            Connection next = pool.acquiring().acquire();
            leaked.close();
            assertThat(leaked.end("another reason", first::add)).isFalse();
            assertThat(first).hasSize(1);
            pass(SECOND, pool);
            assertThat(pool.state().leased()).isOne();
            next.close();
            assertThat(pool.statistics().total().leases().count()).isEqualTo(2);
            assertThat(received.suspected).hasSize(1);
            assertThat(received.resolved).hasSize(1);
            pool.close();
        }

        /** The call that was running when the lease ended fails with the driver's exception; the cause is beside it. */
        @Test
        void whatTheEndInterruptsHasTheReason() throws Exception {
            MonitoredPool pool = leaking(MINUTE);
            Connection physical = mock(Connection.class);
            Statement statement = mock(Statement.class);
            when(physical.createStatement()).thenReturn(statement);
            fake.answer = () -> physical;
            LeasedConnection lease = (LeasedConnection) pool.acquiring().acquire();
            SQLException broken = new SQLException("An I/O error occurred", "08006");
            when(statement.execute("select 1")).thenAnswer(call -> {
                assertThat(lease.end("flexpool ended its lease", target -> {})).isTrue();
                throw broken;
            });
            Statement running = lease.createStatement();
            assertThatThrownBy(() -> running.execute("select 1")).isSameAs(broken);
            assertThat(broken.getSuppressed())
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .isEqualTo("Connection is closed: flexpool ended its lease");
            pool.close();
        }

        /** A suspended virtual machine, a stopped process: no thread could have closed its connection. */
        @Test
        void aPauseOfTheJvmDoesNotCountForLeaks() throws Exception {
            settings.set(CoreKey.BASE, 1);
            MonitoredPool pool = leaking(MINUTE);
            Connection running = pool.acquiring().acquire();
            ticker.advance(MINUTE.multipliedBy(10).plus(SECOND));
            pool.tick(MINUTE.multipliedBy(10).toNanos());
            assertThat(received.suspected).isEmpty();
            assertThat(pool.openLeases()).extracting(OpenLease::leakSuspected).containsExactly(false);
            assertThat(pool.openLeases()).extracting(OpenLease::age).containsExactly(Duration.ofSeconds(601));
            // What it held before and holds after counts.
            pass(MINUTE, pool);
            assertThat(received.suspected).hasSize(1);
            assertThat(pool.openLeases()).extracting(OpenLease::leakSuspected).containsExactly(true);
            running.close();
            pool.close();
        }

        @Test
        void takenBackAndGivenBackInOneMomentALeaseEndsOnce() throws Exception {
            settings.set(CoreKey.BASE, 1);
            MonitoredPool pool = leaking(MINUTE);
            Connection physical = mock(Connection.class, withSettings().stubOnly());
            fake.answer = () -> physical;
            ExecutorService other = Executors.newSingleThreadExecutor();
            int rounds = 300;
            try {
                for (int round = 0; round < rounds; round++) {
                    Connection leaked = pool.acquiring().acquire();
                    pass(MINUTE.plus(SECOND), pool);
                    CyclicBarrier together = new CyclicBarrier(2);
                    Future<?> closed = other.submit(() -> {
                        together.await();
                        leaked.close();
                        return null;
                    });
                    together.await();
                    ((LeasedConnection) leaked).end("for the test", target -> {});
                    closed.get();
                    eventually(() -> pool.state().leased() == 0);
                    pass(SECOND, pool);
                }
            } finally {
                other.shutdownNow();
            }
            int expected = rounds;
            eventually(() -> received.resolved.size() == expected);
            assertThat(pool.statistics().total().leases().count()).isEqualTo(rounds);
            assertThat(pool.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED))
                    .isEqualTo(rounds);
            assertThat(pool.state().entering()).isZero();
            assertThat(pool.openLeases()).isEmpty();
            pool.close();
        }
    }

    @Nested
    class NestedLeases {
        @Test
        void onlyASecondConnectionOfTheSameThreadCounts() throws Exception {
            MonitoredPool pool = capturing();
            Connection held = OrderService.place(pool.acquiring()::acquire);
            elsewhere("worker", pool).close();
            assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                    .isZero();
            Connection second = OrderService.ship(pool.acquiring()::acquire);
            assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                    .isOne();
            second.close();
            held.close();
            pool.acquiring().acquire().close();
            assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                    .isOne();
            assertThat(received.nested)
                    .as("a pool of 100 is far from exhausted")
                    .isEmpty();
        }

        @Test
        void nestingIsReportedWithBothCallSitesWhenExhausted() throws SQLException {
            settings.set(CoreKey.BASE, 2);
            MonitoredPool pool = capturing();
            Connection held = OrderService.place(pool.acquiring()::acquire);
            Connection filling = OrderService.place(pool.acquiring()::acquire);
            assertThat(received.nested).isEmpty();
            ticker.advance(SECOND);
            for (int times = 0; times < 5; times++) {
                // The fake's acquisition timeout is in the pool's time, which stands still: an interrupt ends the wait.
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> OrderService.ship(pool.acquiring()::acquire))
                        .isInstanceOf(SQLException.class);
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(received.nested).singleElement().satisfies(event -> {
                assertThat(event.thread()).isEqualTo(Thread.currentThread().getName());
                assertThat(event.callSite()).isEqualTo("OrderService.ship(OrderService.java:24)");
                assertThat(event.callSiteOfHeld()).isEqualTo("OrderService.place(OrderService.java:19)");
                assertThat(event.state().leased()).isEqualTo(2);
                assertThat(event.describe()).contains("Several such threads can deadlock");
            });
            assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                    .isEqualTo(6);
            filling.close();
            held.close();
        }

        @Test
        void strictRefusesBeforeThePoolIsCalled() throws SQLException {
            settings.set(CoreKey.NESTED, NestedPolicy.STRICT);
            MonitoredPool pool = capturing();
            Connection held = OrderService.place(pool.acquiring()::acquire);
            int calls = fake.calls.get();
            assertThatThrownBy(() -> OrderService.ship(pool.acquiring()::acquire))
                    .isInstanceOfSatisfying(
                            SQLNonTransientException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("HY010"))
                    .hasMessage("orders: nested = strict: "
                            + Thread.currentThread().getName()
                            + " requests a second connection at OrderService.ship(OrderService.java:24) while it holds"
                            + " one from OrderService.place(OrderService.java:19)");
            assertThat(fake.calls).hasValue(calls);
            assertThat(pool.state().leased()).isOne();
            assertThat(pool.state().pending()).isZero();
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.REJECTED)
                            .count())
                    .isOne();
            held.close();
            pool.acquiring().acquire().close();
        }

        /** A place in the table that was free again was once taken for the older lease. */
        @Test
        void ofSeveralHeldTheOneHeldLongestIsNamed() throws SQLException {
            MonitoredPool pool = capturing();
            List<@Nullable String> held = new ArrayList<>();
            OpenLease.Inspection inspection = pool.inspectLeases(
                    new LeaseInspector() {
                        @Override
                        public void nested(PoolEvent.NestedAcquisition event) {
                            held.add(event.callSiteOfHeld());
                        }
                    },
                    false);
            Connection closedAgain = OrderService.ship(pool.acquiring()::acquire);
            ticker.advance(SECOND);
            Connection forgotten = OrderService.place(pool.acquiring()::acquire);
            closedAgain.close();
            ticker.advance(SECOND);
            Connection own = OrderService.ship(pool.acquiring()::acquire);
            Connection nested = OrderService.ship(pool.acquiring()::acquire);
            inspection.close();
            String ship = "OrderService.ship(OrderService.java:24)";
            String place = "OrderService.place(OrderService.java:19)";
            assertThat(held).containsExactly(ship, place, place);
            nested.close();
            own.close();
            forgotten.close();
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 256})
        void aThousandLeasesOfOneThreadAreOpenAndThenNone(int sampleEvery) throws SQLException {
            settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, sampleEvery);
            fake.timeout = Duration.ofSeconds(1);
            Connection physical = mock(Connection.class, withSettings().stubOnly());
            fake.answer = () -> physical;
            MonitoredPool pool = pool();
            List<Connection> open = new ArrayList<>();
            for (int times = 0; times < 1_000; times++) {
                open.add(pool.acquiring().acquire());
            }
            assertThat(pool.openLeases()).hasSize(1_000);
            for (Connection lease : open) {
                lease.close();
            }
            assertThat(pool.openLeases()).isEmpty();
        }
    }
}
