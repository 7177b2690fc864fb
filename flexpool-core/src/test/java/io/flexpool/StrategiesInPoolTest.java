// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.CircuitBreaker;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fail-fast, the circuit breaker, strategies together, and the change from bound to watched and back. */
@Timeout(300)
class StrategiesInPoolTest {
    private final FakePool fake = new FakePool();
    private final List<FlexPoolDataSource> built = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Connection> held = new ConcurrentLinkedQueue<>();
    private final Queue<PoolEvent> events = new ConcurrentLinkedQueue<>();

    private FlexPoolBuilder wrap() {
        return FlexPool.wrap(fake.dataSource).name("fake").adapter(fake).listener(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.AcquisitionRejected rejected) {
                    events.add(rejected);
                } else if (event instanceof PoolEvent.CircuitChanged changed) {
                    events.add(changed);
                } else if (event instanceof PoolEvent.Resized resized) {
                    events.add(resized);
                }
            }
        });
    }

    private FlexPoolDataSource build(FlexPoolBuilder builder) {
        FlexPoolDataSource pool = builder.build();
        built.add(pool);
        return pool;
    }

    private void ask(FlexPoolDataSource pool, int requests) {
        for (int at = 0; at < requests; at++) {
            Thread thread = new Thread(() -> {
                try {
                    held.add(pool.getConnection());
                } catch (Throwable thrown) {
                    failures.add(thrown);
                }
            });
            threads.add(thread);
            thread.start();
        }
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        join();
        for (Connection connection; (connection = held.poll()) != null; ) {
            connection.close();
        }
        for (FlexPoolDataSource pool : built) {
            assertThat(pool.state().leased()).as("leased").isZero();
            assertThat(pool.state().pending()).as("pending").isZero();
            pool.close();
        }
    }

    private static long outcome(FlexPoolDataSource pool, AcquisitionOutcome outcome) {
        return pool.statistics().total().acquisition(outcome).count();
    }

    private List<CircuitPhase> phases() {
        return events.stream()
                .filter(PoolEvent.CircuitChanged.class::isInstance)
                .map(event -> ((PoolEvent.CircuitChanged) event).phase())
                .toList();
    }

    private void databaseDown() {
        fake.kind = Kind.CONNECT_FAILED;
        fake.answer = () -> {
            throw new SQLException("refused by the stub", "08006");
        };
    }

    private void databaseBack() {
        fake.answer = fake::connection;
    }

    @Nested
    class FailingFast {
        @Test
        void failFastRejectsOnlyBeyondMaxPending() throws Exception {
            fake.timeout = Duration.ofSeconds(20);
            FlexPoolDataSource pool = build(wrap().set("base", 1).set("fail-fast.max-pending", 3));
            fake.total = 1;
            Connection first = pool.getConnection();
            ask(pool, 3);
            eventually(() -> pool.state().waiting() == 3);
            assertThatThrownBy(pool::getConnection)
                    .isExactlyInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("rejected, 3 requests already wait, fail-fast.max-pending is 3");
            assertThat(events).singleElement().isInstanceOf(PoolEvent.AcquisitionRejected.class);
            assertThat(outcome(pool, AcquisitionOutcome.REJECTED)).isOne();
            first.close();
            for (int served = 0; served < 3; served++) {
                eventually(() -> !held.isEmpty());
                held.remove().close();
            }
            join();
            assertThat(failures).isEmpty();
            pool.getConnection().close();
        }

        /** Thirty at once found one another in the queue, and far more than needed could have been turned away. */
        @Test
        void ofManyAtOnceAsManyAsMayWaitDo() throws Exception {
            fake.timeout = Duration.ofSeconds(20);
            FlexPoolDataSource pool = build(wrap().set("base", 1).set("fail-fast.max-pending", 5));
            fake.total = 1;
            Connection first = pool.getConnection();
            ask(pool, 30);
            eventually(() -> failures.size() == 25);
            assertThat(pool.state().waiting()).isEqualTo(5);
            first.close();
            for (int served = 0; served < 5; served++) {
                eventually(() -> !held.isEmpty());
                held.remove().close();
            }
            join();
            assertThat(failures).hasSize(25);
        }

        @Test
        void failFastAloneMakesTheGateLimitThePoolAtItsOwnMax() {
            FlexPoolDataSource pool = build(wrap().set("fail-fast.max-pending", 0));
            assertThat(pool.state().limit()).isEqualTo(fake.max);
            assertThat(pool.state().bound()).isTrue();
        }

        @Test
        void growthBeforeFailFastServesTheRequest() throws Exception {
            FlexPoolDataSource pool = build(wrap().set("base", 1)
                    .set("ceiling", 3)
                    .set("grow-on-wait.enabled", true)
                    .set("grow-on-wait.after", Duration.ZERO)
                    .set("fail-fast.max-pending", 0));
            fake.total = 1;
            for (int at = 0; at < 3; at++) {
                held.add(pool.getConnection());
            }
            assertThat(pool.state().limit()).isEqualTo(3);
            assertThatThrownBy(pool::getConnection).hasMessageContaining("rejected");
        }

        /** A slow listener once kept the rejected request in the queue, where a free permit was handed to it. */
        @Test
        void aRejectedRequestLeavesTheQueueBeforeItsEvent() throws Exception {
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger inside = new AtomicInteger();
            FlexPoolDataSource pool =
                    build(wrap().set("base", 1).set("fail-fast.max-pending", 0).listener(new PoolListener() {
                        @Override
                        public void onEvent(PoolEvent event) {
                            if (event instanceof PoolEvent.AcquisitionRejected) {
                                inside.incrementAndGet();
                                try {
                                    go.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            }
                        }
                    }));
            fake.total = 1;
            Connection first = pool.getConnection();
            ask(pool, 1);
            eventually(() -> inside.get() == 1);
            assertThat(pool.state().waiting()).isZero();
            first.close();
            pool.getConnection().close();
            go.countDown();
            join();
            assertThat(failures).hasSize(1);
        }

        /** A delay that has no nanoseconds once threw ArithmeticException at the caller. */
        @Test
        void anAbsurdDelayIsNoRetry() {
            fake.answer = () -> {
                throw new SQLException("full");
            };
            FlexPoolDataSource pool = build(wrap().strategy(situation -> Verdict.retry(Duration.ofDays(200_000))));
            assertThatThrownBy(pool::getConnection).hasMessage("full");
        }
    }

    @Nested
    class Circuit {

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void theCircuitOpensProbesAndCloses(boolean bound) throws Exception {
            ManualTicker ticker = new ManualTicker();
            FlexPoolBuilder builder = wrap().framework(with -> with.ticker(ticker))
                    .strategy(CircuitBreaker.after(3, Duration.ofSeconds(5)));
            FlexPoolDataSource pool = build(bound ? builder.set("base", 2) : builder);
            databaseDown();
            for (int at = 0; at < 3; at++) {
                assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            }
            assertThat(fake.calls).hasValue(3);
            for (int at = 0; at < 10; at++) {
                assertThat(catchThrowable(pool::getConnection))
                        .isExactlyInstanceOf(SQLTransientConnectionException.class)
                        .hasMessageContaining("rejected, the circuit is open")
                        .hasMessageContaining("refused by the stub")
                        .cause()
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                cause -> assertThat(cause.getSQLState()).isEqualTo("08001"));
            }
            assertThat(fake.calls)
                    .as("the pool is not asked while the circuit is open")
                    .hasValue(3);
            ticker.advance(Duration.ofSeconds(5));
            assertThatThrownBy(pool::getConnection).as("the probe").hasMessage("refused by the stub");
            assertThatThrownBy(pool::getConnection).hasMessageContaining("the circuit is open");
            assertThat(fake.calls).hasValue(4);
            ticker.advance(Duration.ofSeconds(5));
            databaseBack();
            pool.getConnection().close();
            pool.getConnection().close();
            assertThat(fake.calls).hasValue(6);
            assertThat(phases())
                    .containsExactly(
                            CircuitPhase.OPEN,
                            CircuitPhase.HALF_OPEN,
                            CircuitPhase.OPEN,
                            CircuitPhase.HALF_OPEN,
                            CircuitPhase.CLOSED);
            assertThat(outcome(pool, AcquisitionOutcome.REJECTED)).isEqualTo(11);
            assertThat(outcome(pool, AcquisitionOutcome.CONNECT_FAILURE)).isEqualTo(4);
        }

        @Test
        void whileOneProbesTheOthersAreTurnedAway() throws Exception {
            ManualTicker ticker = new ManualTicker();
            FlexPoolDataSource pool = build(wrap().framework(with -> with.ticker(ticker))
                    .strategy(CircuitBreaker.after(1, Duration.ofSeconds(5))));
            databaseDown();
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            ticker.advance(Duration.ofSeconds(6));
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger inside = new AtomicInteger();
            fake.answer = () -> {
                inside.incrementAndGet();
                go.await();
                return fake.connection();
            };
            ask(pool, 1);
            eventually(() -> inside.get() == 1);
            assertThatThrownBy(pool::getConnection).hasMessageContaining("the circuit is half open");
            go.countDown();
            join();
            assertThat(failures).isEmpty();
            pool.getConnection().close();
            assertThat(inside).hasValue(2);
        }

        /** A probe that is interrupted once left the circuit half open for ever. */
        @Test
        void aProbeWithoutAResultLeavesRoomForTheNext() throws Exception {
            ManualTicker ticker = new ManualTicker();
            FlexPoolDataSource pool = build(wrap().framework(with -> with.ticker(ticker))
                    .strategy(CircuitBreaker.after(1, Duration.ofSeconds(5))));
            databaseDown();
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            ticker.advance(Duration.ofSeconds(6));
            fake.kind = Kind.OTHER;
            fake.answer = () -> {
                throw new IllegalStateException("neither here nor there");
            };
            assertThatThrownBy(pool::getConnection).hasMessage("neither here nor there");
            databaseBack();
            pool.getConnection().close();
            assertThat(phases()).last().isEqualTo(CircuitPhase.CLOSED);
        }

        /**
         * An acquisition after the trip started the count again, and one failed probe after another went to the database.
         */
        @Test
        void aFailedProbeOpensForAsLongForAnyCount() throws Exception {
            ManualTicker ticker = new ManualTicker();
            FlexPoolDataSource pool = build(wrap().framework(with -> with.ticker(ticker))
                    .strategy(CircuitBreaker.after(2, Duration.ofSeconds(5))));
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger inside = new AtomicInteger();
            fake.answer = () -> {
                inside.incrementAndGet();
                go.await();
                return fake.connection();
            };
            ask(pool, 1);
            eventually(() -> inside.get() == 1);
            databaseDown();
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            go.countDown();
            join();
            ticker.advance(Duration.ofSeconds(5));
            assertThatThrownBy(pool::getConnection).as("the probe").hasMessage("refused by the stub");
            assertThatThrownBy(pool::getConnection).hasMessageContaining("the circuit is open");
            ticker.advance(Duration.ofMillis(4_999));
            assertThatThrownBy(pool::getConnection).hasMessageContaining("the circuit is open");
        }

        /** On a pool without a gate an open circuit could not be switched off. */
        @Test
        void backToMonitorClosesTheCircuitWithoutAGateToo() throws Exception {
            FlexPoolDataSource pool = build(wrap().strategy(CircuitBreaker.after(1, Duration.ofMinutes(5))));
            databaseDown();
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            assertThatThrownBy(pool::getConnection).hasMessageContaining("the circuit is open");
            assertThat(pool.mode(PoolMode.MONITOR)).isTrue();
            databaseBack();
            pool.getConnection().close();
            assertThat(pool.mode(PoolMode.RECOMMEND)).isTrue();
        }

        @Test
        void anAcquisitionBetweenTwoFailuresStartsTheCountAgain() throws Exception {
            FlexPoolDataSource pool = build(wrap().strategy(CircuitBreaker.after(2, Duration.ofSeconds(5))));
            for (int round = 0; round < 5; round++) {
                databaseDown();
                assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
                databaseBack();
                pool.getConnection().close();
            }
            assertThat(phases()).isEmpty();
        }

        /**
         * Seen with c3p0 behind a black hole: requests at the gate failed as an outage, no connect had failed yet, and
         * a second later the pool grew.
         */
        @Test
        void noGrowthAfterAConnectFailureAtTheGate() throws Exception {
            CountDownLatch connects = new CountDownLatch(1);
            fake.answer = () -> {
                connects.await();
                return fake.connection();
            };
            FlexPoolDataSource pool = build(wrap().set("base", 1)
                    .set("ceiling", 3)
                    .set("grow-on-wait.enabled", true)
                    .set("grow-on-wait.after", Duration.ofMillis(50)));
            ask(pool, 1);
            eventually(() -> fake.calls.get() == 1);
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            assertThat(outcome(pool, AcquisitionOutcome.CONNECT_FAILURE)).isOne();
            connects.countDown();
            join();
            assertThat(pool.state().leased()).isOne();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            assertThat(pool.state().limit()).isOne();
            assertThat(events).isEmpty();
        }

        @Test
        void exhaustionNeverOpensTheCircuit() {
            FlexPoolDataSource pool = build(wrap().strategy(CircuitBreaker.after(1, Duration.ofSeconds(5))));
            fake.answer = () -> {
                throw new SQLException("full");
            };
            for (int at = 0; at < 3; at++) {
                assertThatThrownBy(pool::getConnection).hasMessage("full");
            }
            assertThat(phases()).isEmpty();
        }

        @Test
        void anOpenCircuitRejectsRequestsAtTheGate() throws Exception {
            fake.timeout = Duration.ofSeconds(20);
            FlexPoolDataSource pool =
                    build(wrap().set("base", 1).strategy(CircuitBreaker.after(1, Duration.ofSeconds(30))));
            CountDownLatch go = new CountDownLatch(1);
            fake.kind = Kind.CONNECT_FAILED;
            fake.answer = () -> {
                go.await();
                if (fake.calls.get() > 1) {
                    // Let in by the first one's permit, just before that one opened the circuit.
                    eventually(() -> !phases().isEmpty());
                }
                throw new SQLException("refused by the stub", "08006");
            };
            ask(pool, 4);
            eventually(() -> pool.state().waiting() == 3);
            go.countDown();
            join();
            assertThat(failures).hasSize(4);
            assertThat(fake.calls).hasValueLessThanOrEqualTo(2);
            assertThat(failures)
                    .filteredOn(thrown -> String.valueOf(thrown.getMessage()).contains("rejected, the circuit is open"))
                    .hasSizeGreaterThanOrEqualTo(2);
        }

        @Test
        void aCircuitBeforeARetryStopsTheRetry() {
            databaseDown();
            FlexPoolDataSource pool = build(wrap().strategy(circuitAfterTwo()).strategy(fourAttempts()));
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            assertThat(fake.calls).as("the second failure opened it").hasValue(2);
        }

        @Test
        void aCircuitAfterARetryWaitsForIt() {
            databaseDown();
            FlexPoolDataSource pool = build(wrap().strategy(fourAttempts()).strategy(circuitAfterTwo()));
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            assertThat(fake.calls).as("all attempts first").hasValue(4);
            assertThatThrownBy(pool::getConnection).hasMessageContaining("the circuit is open");
        }

        private static CircuitBreaker circuitAfterTwo() {
            return CircuitBreaker.after(2, Duration.ofSeconds(30));
        }

        private static RetryAcquisition fourAttempts() {
            return RetryAcquisition.times(4, Duration.ZERO, Duration.ofSeconds(5))
                    .withConnectFailures();
        }

        /** Half a second of an outage was a second and a half for the caller. */
        @ParameterizedTest
        @CsvSource({"false, 1", "true, 4"})
        void aConnectFailureIsRetriedOnlyIfConfigured(boolean asked, int attempts) {
            databaseDown();
            RetryAcquisition retry = RetryAcquisition.times(4, Duration.ZERO, Duration.ofSeconds(5));
            FlexPoolDataSource pool = build(wrap().strategy(asked ? retry.withConnectFailures() : retry));
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            assertThat(fake.calls).hasValue(attempts);
        }
    }

    @Nested
    class Storms {
        @ParameterizedTest
        @ValueSource(ints = {2, 7, 40})
        void aStormNeverGrowsPastTheCeilingNorBeyondNeed(int requests) throws Exception {
            // Long enough for forty threads on a busy machine; those without room wait for all of it.
            fake.timeout = Duration.ofSeconds(2);
            FlexPoolDataSource pool = build(wrap().set("base", 2)
                    .set("ceiling", 20)
                    .set("grow-on-wait.enabled", true)
                    .set("grow-on-wait.after", Duration.ofMillis(5))
                    .strategy(RetryAcquisition.times(3, Duration.ofMillis(5), Duration.ofSeconds(3))));
            ask(pool, requests);
            join();
            int expected = Math.min(20, requests);
            assertThat(held).hasSize(expected);
            assertThat(failures).hasSize(requests - expected);
            assertThat(pool.state().limit()).isEqualTo(Math.max(2, expected));
            assertThat(events)
                    .filteredOn(PoolEvent.Resized.class::isInstance)
                    .allSatisfy(event ->
                            assertThat(((PoolEvent.Resized) event).to()).isLessThanOrEqualTo(expected));
        }
    }

    @Nested
    class OneDeadline {
        /** The product of attempts and timeouts used to be the deadline elsewhere; here it is the one that is stated. */
        @Test
        void allAttemptsShareOneDeadline() {
            ManualTicker ticker = new ManualTicker();
            fake.perCallTimeout();
            fake.answer = () -> {
                ticker.advance(Duration.ofMillis(150));
                throw new SQLException("full");
            };
            FlexPoolDataSource pool = build(wrap().framework(with -> with.ticker(ticker))
                    .set("base", 2)
                    .strategy(RetryAcquisition.times(50, Duration.ZERO, Duration.ofMillis(350))));
            assertThatThrownBy(pool::getConnection).hasMessage("full");
            assertThat(fake.calls).as("at 0, 150 and 300 ms").hasValue(3);
            assertThat(fake.perCall).as("the last one has what is left").containsExactly(Duration.ofMillis(50));
        }
    }

    @Nested
    class BoundWatchedDisabled {
        @Test
        void backToWatchedRestoresThePoolAndReleasesWaiters() throws Exception {
            fake.max = 7;
            fake.timeout = Duration.ofSeconds(20);
            FlexPoolDataSource pool = build(wrap().set("base", 1)
                    .set("ceiling", 3)
                    .set("grow-on-wait.enabled", true)
                    .set("grow-on-wait.after", Duration.ofSeconds(9)));
            assertThat(fake.max).isEqualTo(1);
            held.add(pool.getConnection());
            ask(pool, 4);
            eventually(() -> pool.state().waiting() == 4);
            assertThat(pool.mode(PoolMode.MONITOR)).isTrue();
            join();
            assertThat(failures).isEmpty();
            assertThat(held).hasSize(5);
            assertThat(fake.max).isEqualTo(7);
            assertThat(pool.state().bound()).isFalse();
            assertThat(pool.state().leased()).isEqualTo(5);
            assertThat(pool.mode(PoolMode.MONITOR)).as("a second time").isFalse();
        }

        @Test
        void aWatchedPoolConsultsNoStrategy() {
            FlexPoolDataSource pool = build(wrap().set("base", 1)
                    .strategy(CircuitBreaker.after(1, Duration.ofSeconds(30)))
                    .strategy(RetryAcquisition.times(5, Duration.ZERO, Duration.ofSeconds(9))
                            .withConnectFailures()));
            databaseDown();
            assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            assertThatThrownBy(pool::getConnection).hasMessageContaining("the circuit is open");
            fake.calls.set(0);
            pool.mode(PoolMode.MONITOR);
            for (int at = 0; at < 3; at++) {
                assertThatThrownBy(pool::getConnection).hasMessage("refused by the stub");
            }
            assertThat(fake.calls).as("one attempt each, no circuit").hasValue(3);
        }

        @Test
        void afterMonitorItLimitsFromTheBase() throws Exception {
            fake.max = 7;
            FlexPoolDataSource pool =
                    build(wrap().set("base", 2).set("ceiling", 4).set("grow-on-wait.enabled", true));
            pool.mode(PoolMode.MONITOR);
            for (int at = 0; at < 3; at++) {
                held.add(pool.getConnection());
            }
            assertThat(pool.mode(PoolMode.RECOMMEND)).isTrue();
            assertThat(pool.mode(PoolMode.RECOMMEND)).isFalse();
            assertThat(fake.max).isEqualTo(2);
            assertThat(pool.state().limit()).isEqualTo(2);
            fake.total = 1;
            assertThatThrownBy(pool::getConnection).hasMessageContaining("exhausted");
            held.remove().close();
            held.remove().close();
            held.add(pool.getConnection());
            assertThat(pool.state().leased()).isEqualTo(2);
        }

        @Test
        void aWatchedOrClosedPoolHasNothingToGiveUp() {
            FlexPoolDataSource watched = build(wrap().set("mode", PoolMode.MONITOR));
            assertThat(watched.mode(PoolMode.MONITOR)).isFalse();
            watched.close();
            FlexPoolDataSource bound = build(wrap().set("base", 1));
            bound.close();
            assertThat(bound.mode(PoolMode.MONITOR)).isFalse();
        }

        @Test
        void afterItsCloseADisabledWrapperGivesNothingEither() throws SQLException {
            FlexPoolDataSource pool = wrap().set("enabled", false).build();
            pool.getConnection().close();
            pool.close();
            pool.close();
            assertThat(fake.poolClosed).hasValue(1);
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("is closed");
            assertThatThrownBy(() -> pool.getConnection("u", "p")).isInstanceOf(SQLException.class);
            assertThat(fake.calls).hasValue(1);
        }
    }
}
