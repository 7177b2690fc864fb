// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.CircuitBreaker;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Every lease ends exactly once, and nothing that is thrown loses a connection. */
@Timeout(300)
class ExactlyOnceTest {
    private final FakePool fake = new FakePool();

    private FlexPoolBuilder wrap() {
        return FlexPool.wrap(fake.dataSource).name("fake").adapter(fake);
    }

    private static Connection target() throws SQLException {
        Connection target = mock(Connection.class, withSettings().stubOnly());
        Statement statement = mock(Statement.class, withSettings().stubOnly());
        DatabaseMetaData metaData = mock(DatabaseMetaData.class, withSettings().stubOnly());
        when(target.createStatement()).thenReturn(statement);
        when(target.getMetaData()).thenReturn(metaData);
        when(statement.getConnection()).thenReturn(target);
        when(metaData.getConnection()).thenReturn(target);
        return target;
    }

    @Nested
    class OneEnd {
        /** Counts the reports of lease ends. */
        private static final class Ends implements PoolListener, LeaseObserver {
            private final AtomicInteger events = new AtomicInteger();
            private final AtomicInteger released = new AtomicInteger();

            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.LeaseLong) {
                    events.incrementAndGet();
                }
            }

            @Override
            public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {}

            @Override
            public void released(long acquiredNanos, long releasedNanos) {
                released.incrementAndGet();
            }
        }

        @Test
        void howeverManyEndALeaseAtOnceItEndsOnce() throws Exception {
            int rounds = 2_000;
            Connection physical = target();
            fake.answer = () -> physical;
            Ends ends = new Ends();
            ExecutorService threads = Executors.newFixedThreadPool(5);
            try (FlexPoolDataSource pool = wrap().set("base", 2)
                    .set("long-lease", Duration.ofNanos(1))
                    .listener(ends)
                    .observer(ends)
                    .build()) {
                for (int round = 0; round < rounds; round++) {
                    Connection lease = pool.getConnection();
                    Statement statement = lease.createStatement();
                    DatabaseMetaData metaData = lease.getMetaData();
                    CyclicBarrier together = new CyclicBarrier(5);
                    List<Callable<Void>> enders = List.of(
                            () -> end(together, lease::close),
                            () -> end(together, () -> lease.abort(Runnable::run)),
                            () -> end(together, () -> ((LeasedConnection) lease).end("for the test", target -> {})),
                            () -> end(together, () -> close(statement::getConnection)),
                            () -> end(together, () -> close(metaData::getConnection)));
                    for (Future<Void> done : threads.invokeAll(enders)) {
                        done.get();
                    }
                }
                assertThat(ends.events).hasValue(rounds);
                assertThat(ends.released).hasValue(rounds);
                assertThat(pool.statistics().total().leases().count()).isEqualTo(rounds);
                assertThat(pool.state().leased()).isZero();
                assertThat(pool.openLeases()).isEmpty();
                assertThat(pool.state().entering()).isZero();
            } finally {
                threads.shutdownNow();
            }
        }

        private interface Act {
            void act() throws SQLException;
        }

        private interface BackPointer {
            Connection connection() throws SQLException;
        }

        private static Void end(CyclicBarrier together, Act act) throws Exception {
            together.await();
            act.act();
            return null;
        }

        /** After the lease, a statement may refuse to return its connection. */
        private static void close(BackPointer from) throws SQLException {
            try {
                from.connection().close();
            } catch (SQLException ended) {
                assertThat(ended.getSQLState()).isIn("08003", "HY010");
            }
        }

        @Test
        void aLateCloseNeverTouchesTheNextBorrower() throws SQLException {
            Connection physical = mock(Connection.class);
            Statement statement = mock(Statement.class);
            when(physical.createStatement()).thenReturn(statement);
            fake.answer = () -> physical;
            try (FlexPoolDataSource pool = wrap().set("base", 1).build()) {
                Connection first = pool.getConnection();
                Statement late = first.createStatement();
                first.close();
                Connection second = pool.getConnection();
                first.close();
                first.abort(Runnable::run);
                assertThatThrownBy(late::getConnection).isInstanceOf(SQLException.class);
                assertThatThrownBy(late::cancel).isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> late.execute("select 1")).isInstanceOf(SQLException.class);
                assertThatThrownBy(first::rollback).isInstanceOf(SQLException.class);
                verify(physical, times(1)).close();
                verify(physical, never()).abort(any());
                verify(physical, never()).rollback();
                verify(statement, never()).cancel();
                verify(statement, never()).execute("select 1");
                assertThat(second.isClosed()).isFalse();
                assertThat(pool.state().leased()).isOne();
                second.close();
            }
        }

        static List<Throwable> thrown() {
            return List.of(
                    new SQLException("mine", "HY000", 7),
                    new IllegalStateException("mine"),
                    new OutOfMemoryError("mine"));
        }

        @ParameterizedTest
        @MethodSource("thrown")
        void theLeaseEndsThoughTheTargetsCloseThrows(Throwable own) throws SQLException {
            Connection physical = mock(Connection.class);
            doThrow(own).when(physical).close();
            fake.answer = () -> physical;
            try (FlexPoolDataSource pool = wrap().set("base", 1).build()) {
                Connection lease = pool.getConnection();
                assertThat(catchThrowable(lease::close)).isSameAs(own);
                lease.close();
                assertThat(pool.state().leased()).isZero();
                assertThat(pool.state().entering()).isZero();
                assertThat(pool.statistics().total().leases().count()).isOne();
            }
        }
    }

    @Nested
    class BetweenHandOverAndReturn {
        /** A clock that fails at one reading: the only thing between hand-over and return that is not guarded. */
        private static final class FailingTicker implements Ticker {
            private final AtomicInteger failAt = new AtomicInteger(-1);
            private final Thread owner = Thread.currentThread();

            @Override
            public long nanos() {
                if (Thread.currentThread() == owner && failAt.getAndDecrement() == 0) {
                    throw new OutOfMemoryError("clock");
                }
                return System.nanoTime();
            }
        }

        @Test
        void anErrorAfterThePoolsHandOverGivesTheConnectionBack() throws SQLException {
            FailingTicker ticker = new FailingTicker();
            try (FlexPoolDataSource pool =
                    wrap().set("base", 1).framework(with -> with.ticker(ticker)).build()) {
                ticker.failAt.set(1);
                assertThatThrownBy(pool::getConnection).isInstanceOf(OutOfMemoryError.class);
                assertThat(fake.calls).hasValue(1);
                assertThat(fake.closed).as("given back").hasValue(1);
                assertThat(pool.state().leased()).isZero();
                assertThat(pool.state().entering()).isZero();
                pool.getConnection().close();
            }
        }

        /** An appender that threw an Error once made the log throw, and the log the acquisition. */
        private static final class BrokenAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
            @Override
            public void doAppend(ILoggingEvent event) {
                throw new StackOverflowError("appender");
            }

            @Override
            protected void append(ILoggingEvent event) {
                throw new AssertionError("never reached");
            }
        }

        @Test
        void notEvenALogThatThrowsReachesTheCaller() throws SQLException {
            BrokenAppender appender = new BrokenAppender();
            appender.start();
            try (FlexPoolDataSource pool = wrap().set("base", 1)
                    .set("slow-acquisition", Duration.ofNanos(1))
                    .listener(new PoolListener() {
                        @Override
                        public void onEvent(PoolEvent event) {
                            if (event instanceof PoolEvent.AcquisitionSlow) {
                                throw new IllegalStateException("listener");
                            }
                        }
                    })
                    .build()) {
                Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
                logger.addAppender(appender);
                logger.setLevel(Level.WARN);
                try {
                    pool.getConnection().close();
                } finally {
                    logger.setLevel(null);
                    logger.detachAppender(appender);
                }
                assertThat(fake.closed).hasValue(1);
                assertThat(pool.state().leased()).isZero();
                assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                        .isGreaterThanOrEqualTo(2);
            }
        }
    }

    @Nested
    class Interrupt {
        @Test
        void anInterruptEndsTheWaitAndIsNoTimeout() throws Exception {
            fake.timeout = Duration.ofSeconds(50);
            try (FlexPoolDataSource pool = wrap().set("base", 1).build()) {
                Connection held = pool.getConnection();
                fake.total = 1;
                AtomicReference<Throwable> failure = new AtomicReference<>();
                AtomicReference<Boolean> flag = new AtomicReference<>();
                Thread waiting = new Thread(() -> {
                    failure.set(catchThrowable(pool::getConnection));
                    flag.set(Thread.currentThread().isInterrupted());
                });
                waiting.start();
                while (pool.state().waiting() == 0) {
                    Thread.sleep(1);
                }
                waiting.interrupt();
                waiting.join();
                assertThat(failure.get())
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("interrupted")
                        .hasCauseInstanceOf(InterruptedException.class);
                assertThat(flag.get()).isTrue();
                assertThat(pool.statistics()
                                .total()
                                .acquisition(AcquisitionOutcome.INTERRUPTED)
                                .count())
                        .isOne();
                assertThat(pool.statistics()
                                .total()
                                .acquisition(AcquisitionOutcome.TIMEOUT)
                                .count())
                        .isZero();
                held.close();
            }
        }
    }

    @Nested
    class Listeners {
        private static PoolListener listener(Set<String> received, boolean throwing) {
            return new PoolListener() {
                @Override
                public void onEvent(PoolEvent event) {
                    receive(event.kind().toString());
                }

                @Override
                public void onClosed(String pool) {
                    receive("closed");
                }

                private void receive(String what) {
                    received.add(what);
                    if (throwing) {
                        throw new StackOverflowError(what);
                    }
                }
            };
        }

        /** A new kind of event has to be raised here too, else this test fails. */
        @Test
        void everyCallbackIsGuardedForTheNextListener() throws Exception {
            Set<String> first = new ConcurrentSkipListSet<>();
            Set<String> second = new ConcurrentSkipListSet<>();
            FlexPoolDataSource pool = wrap().set("base", 1)
                    .set("slow-acquisition", Duration.ofNanos(1))
                    .set("long-lease", Duration.ofNanos(1))
                    .set("leak.threshold", Duration.ofMillis(100))
                    .strategy(CircuitBreaker.after(1, Duration.ofMillis(1)))
                    .set("ceiling", 2)
                    .set("grow-on-wait.enabled", true)
                    .set("grow-on-wait.after", Duration.ZERO)
                    .set("fail-fast.max-pending", 1)
                    .listener(listener(first, true))
                    .listener(listener(second, false))
                    .build();
            fake.total = 1;
            List<Connection> held = new ArrayList<>(List.of(pool.getConnection(), pool.getConnection()));
            assertThatThrownBy(pool::getConnection).hasMessageContaining("exhausted");
            AtomicBoolean rejected = new AtomicBoolean();
            // Again and again: one request may have timed out before the next one comes to be turned away.
            Thread waiting = new Thread(() -> {
                while (!rejected.get()) {
                    assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
                }
            });
            waiting.start();
            while (!second.contains("rejected")) {
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            }
            rejected.set(true);
            waiting.join();
            // Both are suspected in one walk.
            while (pool.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED) < 2
                    || !second.contains("leak-suspected")) {
                Thread.sleep(10);
            }
            // The connections of the growth are there, and still requests wait: that is reported after a second.
            fake.total = 2;
            while (!second.contains("sizing-decided")) {
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            }
            for (Connection connection : held) {
                connection.close();
            }
            fake.kind = Kind.CONNECT_FAILED;
            fake.answer = () -> {
                throw new SQLException("refused", "08001");
            };
            assertThatThrownBy(pool::getConnection).hasMessage("refused");
            assertThat(pool.pause()).isTrue();
            pool.close();
            Set<String> all = new ConcurrentSkipListSet<>(Arrays.stream(PoolEvent.Kind.values())
                    // This pool has no part: see PoolPartsTest.
                    .filter(kind -> kind != PoolEvent.Kind.PART)
                    .map(PoolEvent.Kind::toString)
                    .toList());
            all.add("closed");
            assertThat(first).isEqualTo(all);
            assertThat(second).isEqualTo(all);
            assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                    .isGreaterThanOrEqualTo(all.size());
        }
    }

    @Nested
    class End {
        @Test
        void aPoolIsClosedWithLeasesAndWaitingRequests() throws Exception {
            fake.timeout = Duration.ofSeconds(50);
            FlexPoolDataSource pool = wrap().set("base", 1).build();
            Connection out = pool.getConnection();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread waiting = new Thread(() -> failure.set(catchThrowable(pool::getConnection)));
            waiting.start();
            while (pool.state().waiting() == 0) {
                Thread.sleep(1);
            }
            pool.close();
            waiting.join();
            assertThat(failure.get()).isInstanceOf(SQLException.class).hasMessageContaining("is closed");
            out.close();
            out.close();
            assertThat(fake.closed).hasValue(1);
            assertThat(pool.state().leased()).isZero();
            // The bare pool would open again: this one answers all the same.
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("is closed");
            assertThat(fake.calls).hasValue(1);
        }
    }
}
