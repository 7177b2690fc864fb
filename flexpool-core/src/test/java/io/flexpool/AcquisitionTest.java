// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One acquisition, with a pool that misbehaves on demand. */
@Timeout(300)
class AcquisitionTest {
    /** Longer than a newcomer may pass by who waits. */
    private static final Duration ORDERED = Duration.ofMillis(2);

    private final FakePool fake = new FakePool();
    private final List<FlexPoolDataSource> built = new ArrayList<>();

    private FlexPoolBuilder wrap() {
        return FlexPool.wrap(fake.dataSource).name("fake").adapter(fake);
    }

    private FlexPoolDataSource build(FlexPoolBuilder builder) {
        FlexPoolDataSource pool = builder.build();
        built.add(pool);
        return pool;
    }

    @AfterEach
    void nothingIsLeft() {
        for (FlexPoolDataSource pool : built) {
            assertThat(pool.state().leased()).as("leased").isZero();
            assertThat(pool.state().pending()).as("pending").isZero();
            Figures total = pool.statistics().total();
            assertThat(total.leases().count())
                    .isEqualTo(total.acquisition(AcquisitionOutcome.OK).count());
            pool.close();
        }
    }

    private static long outcome(FlexPoolDataSource pool, AcquisitionOutcome outcome) {
        return pool.statistics().total().acquisition(outcome).count();
    }

    @Nested
    class CallersException {
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void thePoolsExceptionGetsOneSuppressedReportOnly(boolean bound) {
            SQLException own =
                    new SQLTransientConnectionException("mine", "HYT00", 7, new IllegalStateException("cause"));
            fake.answer = () -> {
                throw own;
            };
            FlexPoolDataSource pool = build(bound ? wrap().set("base", 2) : wrap());
            assertThat(catchThrowable(pool::getConnection)).isSameAs(own);
            assertThat(catchThrowable(pool::getConnection)).isSameAs(own);
            assertThat(own.getSQLState()).isEqualTo("HYT00");
            assertThat(own.getErrorCode()).isEqualTo(7);
            assertThat(own.getCause()).isInstanceOf(IllegalStateException.class);
            assertThat(own.getSuppressed())
                    .as("one report, though the pool threw the object twice")
                    .singleElement()
                    .satisfies(report -> {
                        assertThat(report).hasMessageContaining("fake: ").hasMessageContaining("exhausted");
                        assertThat(report.getStackTrace()).isEmpty();
                    });
            assertThat(outcome(pool, AcquisitionOutcome.TIMEOUT)).isEqualTo(2);
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void whatIsNoSqlExceptionPassesUnwrapped(boolean bound) {
            RuntimeException unchecked = new IllegalStateException("pool start failed");
            Error error = new StackOverflowError("deep");
            fake.kind = Kind.OTHER;
            FlexPoolDataSource pool = build(bound ? wrap().set("base", 2) : wrap());
            fake.answer = () -> {
                throw unchecked;
            };
            assertThat(catchThrowable(pool::getConnection)).isSameAs(unchecked);
            fake.answer = () -> {
                throw error;
            };
            assertThat(catchThrowable(pool::getConnection)).isSameAs(error);
            assertThat(outcome(pool, AcquisitionOutcome.ERROR)).isEqualTo(2);
        }

        /** Druid and DBCP2 clear the flag and throw an SQLException. */
        @Test
        void anInterruptSwallowedByThePoolIsRestored() {
            fake.kind = Kind.INTERRUPTED;
            fake.answer = () -> {
                throw new SQLException("interrupted", new InterruptedException());
            };
            FlexPoolDataSource pool = build(wrap());
            assertThat(catchThrowable(pool::getConnection)).hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).as("the flag").isTrue();
            assertThat(outcome(pool, AcquisitionOutcome.INTERRUPTED)).isOne();
        }

        /** A request inside a Tomcat pool that is being closed opens it again. */
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void aConnectionAfterTheCloseIsReturned(boolean bound) {
            FlexPoolDataSource pool = build(bound ? wrap().set("base", 2) : wrap());
            fake.answer = () -> {
                pool.close();
                return fake.connection();
            };
            assertThat(catchThrowable(pool::getConnection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("is closed");
            assertThat(fake.closed).as("the connection goes back").hasValue(1);
            assertThat(fake.poolClosed)
                    .as("by us, and once more because it was opened again")
                    .hasValue(2);
            assertThat(outcome(pool, AcquisitionOutcome.REJECTED)).isOne();
        }

        @Test
        void nullInsteadOfAConnectionIsAnSqlException() {
            fake.kind = Kind.OTHER;
            fake.answer = () -> null;
            FlexPoolDataSource pool = build(wrap().set("base", 1));
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("null instead of a connection");
        }

        @Test
        void aTimeoutAtTheGateLooksLikeThePoolsOwn() throws SQLException {
            FlexPoolDataSource pool = build(wrap().set("base", 1));
            try (Connection held = pool.getConnection()) {
                assertThat(held).isNotNull();
                fake.total = 1;
                assertThatThrownBy(pool::getConnection)
                        .isExactlyInstanceOf(SQLTransientConnectionException.class)
                        .hasMessageContaining("exhausted")
                        .satisfies(thrown -> assertThat(((SQLException) thrown).getSQLState())
                                .isEqualTo("FAKE1"));
            }
            assertThat(fake.calls).hasValue(1);
        }
    }

    @Nested
    class ForeignCode {
        @Test
        void throwingListenersAndStrategiesBreakNothing() throws SQLException {
            FlexPoolDataSource pool = build(wrap().set("base", 1)
                    .set("slow-acquisition", Duration.ofNanos(1))
                    .set("long-lease", Duration.ofNanos(1))
                    .listener(new Saboteur())
                    .observer(new BrokenObserver())
                    .strategy(situation -> {
                        throw new StackOverflowError("strategy");
                    }));
            pool.getConnection().close();
            fake.answer = () -> {
                throw new SQLException("mine");
            };
            assertThatThrownBy(pool::getConnection).hasMessage("mine");
            assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                    .isGreaterThanOrEqualTo(5);
            assertThat(fake.closed).hasValue(1);
        }

        private static final class Saboteur implements PoolListener {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.AcquisitionSlow) {
                    throw new OutOfMemoryError("listener");
                } else if (event instanceof PoolEvent.LeaseLong) {
                    throw new IllegalStateException("listener");
                } else if (event instanceof PoolEvent.AcquisitionTimedOut) {
                    throw new IllegalStateException("listener");
                }
            }
        }

        private static final class BrokenObserver implements LeaseObserver {
            @Override
            public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
                throw new IllegalStateException("observer");
            }

            @Override
            public void released(long acquiredNanos, long releasedNanos) {
                throw new AssertionError("observer");
            }
        }

        @Test
        void anAdapterThatCannotResizeLeavesTheLimitWhereItWas() throws SQLException {
            fake.resizeThrows = true;
            FlexPoolDataSource pool =
                    build(wrap().set("base", 1).set("ceiling", 5).set("grow-on-wait.enabled", true));
            fake.total = 1;
            try (Connection held = pool.getConnection()) {
                assertThat(held).isNotNull();
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            }
            assertThat(pool.state().limit()).isEqualTo(1);
        }
    }

    @Nested
    class Strategies {
        @Test
        void theGoodPathNeverMeetsAStrategy() throws SQLException {
            List<AcquisitionSituation> asked = new ArrayList<>();
            FlexPoolDataSource pool = build(wrap().set("base", 2).strategy(recording(asked, Verdict.PASS)));
            pool.getConnection().close();
            assertThat(asked).isEmpty();
        }

        private static AcquisitionStrategy recording(List<AcquisitionSituation> asked, Verdict verdict) {
            return new AcquisitionStrategy() {
                @Override
                public Verdict consult(AcquisitionSituation situation) {
                    asked.add(situation);
                    return verdict;
                }
            };
        }

        @Test
        void theFirstVerdictThatIsNotPassWins() {
            AtomicInteger first = new AtomicInteger();
            List<AcquisitionSituation> second = new ArrayList<>();
            fake.answer = () -> {
                throw new SQLException("full");
            };
            FlexPoolDataSource pool = build(wrap().strategy(
                            situation -> first.incrementAndGet() < 3 ? Verdict.retry(Duration.ZERO) : Verdict.PASS)
                    .strategy(recording(second, Verdict.PASS)));
            assertThatThrownBy(pool::getConnection).hasMessage("full");
            assertThat(fake.calls).hasValue(3);
            assertThat(second).as("asked only once the first one passed").hasSize(1);
            assertThat(pool.statistics().total().numbers(PoolMetric.RETRIES).max())
                    .isEqualTo(2);
        }

        /** The order of the built-in strategies is fixed; those of the application come before all of them. */
        @Test
        void aStrategyOfTheApplicationIsConsultedBeforeThoseOfTheKeys() {
            List<AcquisitionSituation> own = new ArrayList<>();
            fake.answer = () -> {
                throw new SQLException("full");
            };
            FlexPoolDataSource pool =
                    build(wrap().set("retry.deadline", Duration.ofMillis(400)).strategy(recording(own, Verdict.PASS)));
            assertThatThrownBy(pool::getConnection).hasMessage("full");
            assertThat(own).as("one for each attempt").hasSizeGreaterThan(1);
        }

        @Test
        void aRetryThatSucceedsCountsAsOneAcquisition() throws SQLException {
            fake.answer = () -> {
                if (fake.calls.get() < 3) {
                    throw new SQLException("not yet");
                }
                return fake.connection();
            };
            FlexPoolDataSource pool =
                    build(wrap().strategy(RetryAcquisition.times(5, Duration.ofMillis(1), Duration.ofSeconds(5))));
            pool.getConnection().close();
            Figures total = pool.statistics().total();
            assertThat(total.acquisition(AcquisitionOutcome.OK).count()).isOne();
            assertThat(total.numbers(PoolMetric.RETRIES).max()).isEqualTo(2);
            assertThat(total.acquisition(AcquisitionOutcome.TIMEOUT).count()).isZero();
        }

        /**
         * After a retry the caller once got the first attempt's "connection refused" for a pool that was exhausted since.
         */
        @Test
        void theExceptionBelongsToTheLastReason() throws Exception {
            fake.timeout = Duration.ofSeconds(1);
            FlexPoolDataSource pool = build(wrap().set("base", 1)
                    .strategy(RetryAcquisition.times(3, Duration.ofMillis(50), Duration.ofSeconds(10))
                            .withConnectFailures()));
            fake.total = 1;
            fake.kind = Kind.CONNECT_FAILED;
            SQLException refused = new SQLException("refused", "08001");
            List<Connection> held = new ArrayList<>();
            fake.answer = () -> {
                fake.answer = fake::connection;
                Thread other = new Thread(() -> {
                    try {
                        held.add(pool.getConnection());
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
                other.start();
                // From then on the order counts, and the permit goes to it, not to who tries again.
                eventually(() -> pool.state().oldestWait().compareTo(ORDERED) > 0);
                throw refused;
            };
            Throwable thrown = catchThrowable(pool::getConnection);
            assertThat(thrown).isNotSameAs(refused).hasMessageContaining("exhausted, every connection is in use");
            assertThat(((SQLException) thrown).getSQLState()).isEqualTo("FAKE1");
            for (Connection connection : held) {
                connection.close();
            }
        }

        /** c3p0 throws a plain timeout in an outage; the connect failure that it hides is known to its adapter only. */
        @Test
        void anOutageKnownToTheAdapterIsReportedAtTheGate() throws Exception {
            FlexPoolDataSource pool = build(wrap().set("base", 2).set("acquisition-timeout", Duration.ofMillis(800)));
            fake.total = 0;
            fake.kind = Kind.CONNECT_FAILED;
            fake.known = new SQLException("refused", "08001");
            CountDownLatch theFirstFails = new CountDownLatch(1);
            CountDownLatch theOthersFail = new CountDownLatch(1);
            fake.answer = () -> {
                (fake.calls.get() == 1 ? theFirstFails : theOthersFail).await();
                throw new SQLException("none in time");
            };
            List<Thread> inside = new ArrayList<>();
            for (int at = 0; at < 3; at++) {
                inside.add(
                        new Thread(() -> assertThatThrownBy(pool::getConnection).hasMessage("none in time")));
                inside.get(at).start();
                int all = at + 1;
                eventually(() -> pool.state().pending() == all);
            }
            Thread releaser = new Thread(() -> {
                eventually(() -> pool.state().waiting() == 2);
                theFirstFails.countDown();
            });
            releaser.start();
            Throwable atTheGate = catchThrowable(pool::getConnection);
            theOthersFail.countDown();
            for (Thread thread : inside) {
                thread.join();
            }
            assertThat(atTheGate).hasMessageContaining("not exhausted").hasMessageContaining("SQLState 08001");
            assertThat(atTheGate.getCause())
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            cause -> assertThat(cause.getSQLState()).isEqualTo("08001"));
        }

        @Test
        void anAbortIsDoneInThePoolsOwnWay() throws Exception {
            FlexPoolDataSource pool = build(wrap());
            Connection connection = fake.connection();
            fake.answer = () -> connection;
            pool.getConnection().abort(Runnable::run);
            assertThat(fake.aborted).containsExactly(connection);
            assertThat(fake.closed).as("and given back").hasValue(1);
        }

        /** The report once said "exhausted, every connection is in use; limit 4, active 1" when an outage was just ending. */
        @ParameterizedTest
        @CsvSource({"false, 1, CONNECT_FAILURE", "true, 1, CONNECT_FAILURE", "false, 2, TIMEOUT", "true, 2, TIMEOUT"})
        void waitersOfAnOutageReportItUntilThePoolIsFull(boolean bound, int connections, AcquisitionOutcome outcome) {
            SQLException refused = new SQLTransientConnectionException("down", new SQLException("refused", "08001"));
            SQLException forgotten = new SQLTransientConnectionException("none in time");
            fake.answer = () -> {
                boolean first = fake.calls.get() == 1;
                fake.kind = first ? Kind.CONNECT_FAILED : Kind.EXHAUSTED;
                fake.total = first ? 0 : connections;
                throw first ? refused : forgotten;
            };
            FlexPoolBuilder builder = wrap().strategy(RetryAcquisition.times(2, Duration.ZERO, Duration.ofSeconds(10))
                    .withConnectFailures());
            FlexPoolDataSource pool = build(bound ? builder.set("base", 2) : builder);
            assertThat(catchThrowable(pool::getConnection)).isSameAs(forgotten);
            assertThat(outcome(pool, outcome)).isOne();
            assertThat(forgotten.getSuppressed()).singleElement().satisfies(report -> {
                if (outcome == AcquisitionOutcome.TIMEOUT) {
                    assertThat(report).hasMessageContaining("cause    exhausted: ");
                } else {
                    assertThat(report).hasMessageContaining("not exhausted").hasMessageContaining("SQLState 08001");
                }
            });
        }

        @Test
        void anOutageBeforeTheRequestIsNoReasonForItsTimeout() {
            SQLException refused = new SQLTransientConnectionException("down", new SQLException("refused", "08001"));
            SQLException late = new SQLTransientConnectionException("none in time");
            fake.answer = () -> {
                boolean first = fake.calls.get() == 1;
                fake.kind = first ? Kind.CONNECT_FAILED : Kind.EXHAUSTED;
                fake.total = 1;
                throw first ? refused : late;
            };
            FlexPoolDataSource pool = build(wrap().set("base", 2));
            assertThat(catchThrowable(pool::getConnection)).isSameAs(refused);
            assertThat(catchThrowable(pool::getConnection)).isSameAs(late);
            assertThat(outcome(pool, AcquisitionOutcome.TIMEOUT)).isOne();
        }

        @Test
        void aDelayBeyondTheDeadlineIsNoRetry() {
            fake.answer = () -> {
                throw new SQLException("full");
            };
            FlexPoolDataSource pool = build(wrap().strategy(situation -> Verdict.retry(Duration.ofHours(1))));
            assertThatThrownBy(pool::getConnection).hasMessage("full");
            assertThat(fake.calls).hasValue(1);
        }

        @Test
        void growthIsRefusedWhileConnectsFail() throws SQLException {
            FlexPoolDataSource pool =
                    build(wrap().set("base", 1).set("ceiling", 5).set("grow-on-wait.enabled", true));
            fake.total = 1;
            fake.kind = Kind.CONNECT_FAILED;
            fake.answer = () -> {
                throw new SQLException("refused", "08001");
            };
            assertThatThrownBy(pool::getConnection).hasMessage("refused");
            fake.answer = fake::connection;
            fake.kind = Kind.EXHAUSTED;
            try (Connection held = pool.getConnection()) {
                assertThat(held).isNotNull();
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            }
            assertThat(pool.state().limit()).isEqualTo(1);
            assertThat(pool.statistics().total().counter(PoolMetric.REFUSED_GROWTHS))
                    .isPositive();
            assertThat(pool.statistics().total().counter(PoolMetric.GROWTHS)).isZero();
        }

        /** Vibur and H2's pool count a connect in progress as an active connection: ten of them looked like a full pool. */
        @Test
        void aPoolThatIsFullOfConnectsIsNotExhausted() {
            fake.active = 1;
            fake.answer = () -> {
                throw new SQLTransientConnectionException("none in time");
            };
            FlexPoolDataSource pool = build(wrap());
            assertThat(catchThrowable(pool::getConnection)).hasMessage("none in time");
            assertThat(outcome(pool, AcquisitionOutcome.CONNECT_FAILURE)).isOne();
            fake.active = 2;
            assertThat(catchThrowable(pool::getConnection)).hasMessage("none in time");
            assertThat(outcome(pool, AcquisitionOutcome.TIMEOUT))
                    .as("more are active than requests are inside: they are leased")
                    .isOne();
        }

        /**
         * Druid with connects of 250 ms: each timeout of 250 ms took the growth back, and nothing grew for five seconds.
         */
        @ParameterizedTest
        @CsvSource({"08001, false, CONNECT_FAILURE, 1", ", true, CONNECT_FAILURE, 1", ", false, TIMEOUT, 2"})
        void growthWhoseConnectionsAreSlowIsNotAnOutage(
                @Nullable String sqlState, boolean refused, AcquisitionOutcome outcome, int limit) throws SQLException {
            FlexPoolDataSource pool =
                    build(wrap().set("base", 1).set("ceiling", 2).set("grow-on-wait.enabled", true));
            try (Connection held = pool.getConnection()) {
                assertThat(held).isNotNull();
                fake.kind = Kind.CONNECT_FAILED;
                fake.answer = () -> {
                    fake.total = 1;
                    throw new SQLException("none in time", sqlState, refused ? new IOException("refused") : null);
                };
                assertThatThrownBy(pool::getConnection).hasMessage("none in time");
                assertThat(outcome(pool, outcome)).isOne();
                assertThat(pool.state().limit()).isEqualTo(limit);
            }
        }

        @Test
        void permitsThatAreOnlyEnteringAreNoReasonToGrow() throws Exception {
            FlexPoolDataSource pool =
                    build(wrap().set("base", 1).set("ceiling", 5).set("grow-on-wait.enabled", true));
            Thread main = Thread.currentThread();
            fake.answer = () -> {
                while (main.isAlive()
                        && pool.state().limit() == 1
                        && outcome(pool, AcquisitionOutcome.CONNECT_FAILURE) == 0) {
                    Thread.sleep(1);
                }
                return fake.connection();
            };
            Thread entering = new Thread(() -> {
                try {
                    pool.getConnection().close();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            entering.start();
            while (pool.state().entering() == 0) {
                Thread.sleep(1);
            }
            assertThatThrownBy(pool::getConnection).hasMessageContaining("not exhausted");
            entering.join();
            assertThat(pool.state().limit()).isEqualTo(1);
        }
    }
}
