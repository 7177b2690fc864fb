// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.when;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.LifecycleAction;
import io.flexpool.event.PoolEvent.LifecycleChanged;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.PoolPhase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.InOrder;

/** What is done to a whole pool, where no real pool has the fault; the rest is in the contract of the adapters. */
@Timeout(300)
class LifecycleInPoolTest {
    private static final Duration LONG = Duration.ofSeconds(50);

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

    /** A thread counts the end of its lease before it returns the permit. */
    @AfterEach
    void nothingIsLeft() {
        for (FlexPoolDataSource pool : built) {
            try (pool) {
                eventually(() -> pool.state().leased() == 0 && pool.state().pending() == 0);
            }
        }
    }

    private static List<LifecycleChanged> actions(FlexPoolDataSource pool) {
        return pool.diagnosis().recentEvents().stream()
                .map(PoolEvent.Recent::event)
                .filter(LifecycleChanged.class::isInstance)
                .map(LifecycleChanged.class::cast)
                .toList();
    }

    private static CompletableFuture<Throwable> leased(FlexPoolDataSource pool) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> pool.getConnection().close()));
    }

    // ---- hold ----

    /** What waits for the hold to end is no demand. */
    @Test
    void aHeldPoolDoesNotGrow() throws Exception {
        FlexPoolDataSource pool = build(wrap().set("base", 1)
                .set("acquisition-timeout", LONG)
                .set("ceiling", 2)
                .set("grow-on-wait.enabled", true));
        Connection held = pool.getConnection();
        pool.pause();
        CompletableFuture<Throwable> waits = leased(pool);
        eventually(() -> pool.diagnosis().refusedGrowths().stream()
                .anyMatch(refused -> refused.reason() == RefusedGrowth.Reason.PAUSED));
        assertThat(pool.state().limit()).isEqualTo(1);
        held.close();
        assertThat(waits).isNotDone();
        pool.resume();
        assertThat(waits.get()).isNull();
    }

    @Test
    void aPoolWithClassesIsHeldAndResumed() throws Exception {
        FlexPoolDataSource pool = build(wrap().set("base", 2)
                .set("acquisition-timeout", LONG)
                .set("classes", "web, batch")
                .set("classes.web.guarantee", 0.5)
                .set("classes.batch.max", 1));
        pool.getConnection().close();
        try (Connection held = pool.getConnection()) {
            pool.pause();
            CompletableFuture<Throwable> waits = leased(pool);
            eventually(() -> pool.state().waiting() == 1);
            pool.getConnection().close();
            assertThat(waits).isNotDone();
            pool.resume();
            assertThat(waits.get()).isNull();
            assertThat(held.isClosed()).isFalse();
        }
    }

    @Test
    void anInterruptEndsTheWaitOfAWatchedPoolToo() throws Exception {
        FlexPoolDataSource pool = build(wrap());
        pool.pause();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread thread = new Thread(() -> failure.complete(catchThrowable(pool::getConnection)));
        thread.start();
        eventually(() -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
        thread.interrupt();
        assertThat(failure.get()).hasMessageContaining("interrupted");
        pool.resume();
        pool.getConnection().close();
    }

    // ---- evict ----

    @Test
    void aCloseDoesNotFailBecauseAnEvictedConnectionCannotBeClosed() throws Exception {
        fake.can(Capability.EVICT);
        FlexPoolDataSource pool = build(wrap().set("base", 2));
        Connection held = pool.getConnection();
        assertThat(pool.evict("a reason\nin two lines")).isTrue();
        fake.discardThrows = new SQLException("no");
        held.close();
        assertThat(fake.evicted).hasValue(1);
        assertThat(fake.discarded).hasSize(1);
        assertThat(fake.closed).as("else its place in the pool is lost").hasValue(1);
        assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                .isEqualTo(1);
        assertThat(actions(pool)).singleElement().satisfies(event -> {
            assertThat(event.action()).isEqualTo(LifecycleAction.EVICTED);
            assertThat(event.describe())
                    .startsWith("fake: all connections are evicted: a reason")
                    .doesNotContain("\n");
        });
    }

    /** Oracle's driver commits what is open when a connection is closed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasNotCommittedIsRolledBackBeforeAnEvictedConnectionIsClosed(boolean autoCommit) throws Exception {
        Connection connection = mock(Connection.class);
        when(connection.getAutoCommit()).thenReturn(autoCommit);
        doThrow(new IllegalStateException("a driver's")).when(connection).rollback();
        fake.can(Capability.EVICT);
        fake.answer = () -> connection;
        FlexPoolDataSource pool = build(wrap());
        Connection held = pool.getConnection();
        pool.evict("why");
        held.close();
        InOrder order = inOrder(connection);
        order.verify(connection, times(autoCommit ? 0 : 1)).rollback();
        order.verify(connection).close();
        assertThat(fake.discarded).hasSize(1);
    }

    @Test
    void aPoolThatClosesThemItselfIsNotHelped() throws Exception {
        fake.can(Capability.EVICT);
        fake.can(Capability.EVICT_LEASED);
        FlexPoolDataSource pool = build(wrap());
        Connection held = pool.getConnection();
        assertThat(pool.evict("why")).isTrue();
        held.close();
        assertThat(fake.discarded).isEmpty();
        assertThat(fake.closed).hasValue(1);
    }

    // ---- warm-up and drain ----

    @Test
    void aConfiguredWarmUpRunsInTheBackground() throws Exception {
        CompletableFuture<Void> database = new CompletableFuture<>();
        fake.answer = () -> {
            database.join();
            return fake.connection();
        };
        FlexPoolDataSource pool = build(wrap().set("base", 2).properties(Map.of("flexpool.warm-up.connections", "2")));
        assertThat(pool.phase()).isEqualTo(PoolPhase.WARMING);
        database.complete(null);
        eventually(() -> pool.phase() == PoolPhase.OPEN);
        assertThat(fake.calls).hasValue(2);
        assertThat(actions(pool))
                .singleElement()
                .satisfies(event -> assertThat(event.describe()).isEqualTo("fake: warmed up, 2 of 2 connections open"));
    }

    @Test
    void aWarmUpDoesNotWaitForAConnectThatHangs() {
        CompletableFuture<Void> database = new CompletableFuture<>();
        fake.answer = () -> {
            database.join();
            return fake.connection();
        };
        FlexPoolDataSource pool = build(wrap().set("base", 1).set("acquisition-timeout", LONG));
        assertThat(pool.warmUp(1, Duration.ofMillis(50))).isZero();
        assertThat(database).isNotDone();
        assertThat(pool.phase()).isEqualTo(PoolPhase.OPEN);
        database.complete(null);
        eventually(() ->
                pool.statistics().total().leases().count() == 1 && pool.state().leased() == 0);
    }

    /** A connection that is given back at once would be lent again, and no further one opened. */
    @Test
    void aWarmUpKeepsEachConnectionUntilAllAreOpen() {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger backBeforeTheLast = new AtomicInteger(-1);
        fake.answer = () -> {
            if (asked.incrementAndGet() == 2) {
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                backBeforeTheLast.set(fake.closed.get());
            }
            return fake.connection();
        };
        FlexPoolDataSource pool = build(wrap().set("base", 2).set("acquisition-timeout", LONG));
        assertThat(pool.warmUp(2, LONG)).isEqualTo(2);
        assertThat(backBeforeTheLast).hasValue(0);
        eventually(() -> fake.closed.get() == 2 && pool.state().leased() == 0);
    }

    @Test
    void anInterruptedDrainCloses() throws Exception {
        FlexPoolDataSource pool = build(wrap());
        Connection held = pool.getConnection();
        Thread.currentThread().interrupt();
        assertThat(pool.drain(LONG)).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(fake.poolClosed).hasValue(1);
        assertThat(actions(pool).get(1).reason())
                .startsWith("stopped waiting for 1 lease or request after ")
                .doesNotContain("50000");
        held.close();
    }

    /** Frameworks that close their pools themselves release them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCloseAndAReleaseDrainIfConfigured(boolean closes) throws Exception {
        FlexPoolDataSource pool = build(wrap().properties(Map.of("flexpool.drain.within", "50s")));
        Connection held = pool.getConnection();
        CompletableFuture<Void> close = CompletableFuture.runAsync(closes ? pool::close : pool::release);
        eventually(() -> pool.phase() == PoolPhase.DRAINING);
        assertThat(fake.poolClosed).hasValue(0);
        assertThat(close).isNotDone();
        held.close();
        close.get();
        assertThat(fake.poolClosed).hasValue(closes ? 1 : 0);
        assertThat(actions(pool))
                .extracting(LifecycleChanged::action)
                .containsExactly(LifecycleAction.DRAINING, LifecycleAction.DRAINED);
    }

    /** Spring releases its pools after its own timeout, and would wait twice. */
    @Test
    void aReleaseDuringADrainWaitsForNothing() throws Exception {
        FlexPoolDataSource pool = build(wrap().properties(Map.of("flexpool.drain.within", "1h")));
        Connection held = pool.getConnection();
        CompletableFuture<Integer> drain =
                CompletableFuture.supplyAsync(() -> pool.drainAndRelease(Duration.ofHours(1)));
        eventually(() -> pool.phase() == PoolPhase.DRAINING);
        pool.release();
        assertThat(pool.phase()).isEqualTo(PoolPhase.CLOSED);
        assertThat(drain.get()).isEqualTo(1);
        held.close();
    }

    @Test
    void aReleaseAtTheEndOfADrainLeavesThePoolOpen() {
        FlexPoolDataSource pool = build(wrap());
        assertThat(pool.drainAndRelease(LONG)).isZero();
        assertThat(pool.closed()).isTrue();
        assertThat(fake.poolClosed).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "0, PT1S, connections = 0",
        "10001, PT1S, connections = 10001",
        "1, PT0S, within = PT0S",
        "1, P2D, within"
    })
    void valuesOutOfRangeAreRefused(int connections, Duration within, String said) {
        FlexPoolDataSource pool = build(wrap());
        assertThatThrownBy(() -> pool.warmUp(connections, within))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("fake: " + said);
    }

    // ---- what is shown of a pool that has ended ----

    /** Backends have one place for each name. */
    @Test
    void aPoolUnderTheNameOfADrainedOneTakesItsPlace() {
        FakePool other = new FakePool();
        List<String> bound = new ArrayList<>();
        MetricsBinder backend = pool -> {
            bound.add(pool.type());
            return () -> bound.remove(pool.type());
        };
        build(wrap().metrics(backend)).drain(LONG);
        assertThat(bound).containsExactly("Fake");
        FlexPoolDataSource next = build(
                FlexPool.wrap(other.dataSource).name("fake").adapter(other).metrics(backend));
        assertThat(bound).as("one of them").containsExactly("Fake");
        next.close();
        assertThat(bound).isEmpty();
    }

    @Test
    void aDrainedDataSourceMayBeWrappedAgain() {
        FlexPoolDataSource drained = build(wrap());
        drained.drain(LONG);
        FlexPoolDataSource again = build(wrap());
        drained.close();
        assertThat(OpenPools.list()).contains(again);
        assertThat(again.phase()).isEqualTo(PoolPhase.OPEN);
    }

    @Test
    void aPoolThatWasClosedPastFlexpoolIsClosed() {
        FlexPoolDataSource pool = build(wrap());
        fake.shownClosed = true;
        assertThat(pool.phase()).isEqualTo(PoolPhase.CLOSED);
    }

    /** The page that was opened 24 s after an outage began said that nothing waits. */
    @Test
    void anOutageIsCountedUntilARequestIsServed() throws Exception {
        FlexPoolDataSource pool = build(wrap());
        assertThat(pool.diagnosis().connectFailuresInARow()).isZero();
        FakePool.Answer usual = fake.answer;
        fake.kind = Kind.CONNECT_FAILED;
        fake.answer = () -> {
            throw new SQLException("refused", "08001");
        };
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThat(pool.diagnosis().connectFailuresInARow()).isEqualTo(2);
        fake.answer = usual;
        pool.getConnection().close();
        assertThat(pool.diagnosis().connectFailuresInARow()).isZero();
    }

    @Test
    void aDisabledPoolDoesNoHarm() throws Exception {
        FlexPoolDataSource pool = wrap().set("enabled", false).build();
        assertThat(pool.pause()).isFalse();
        assertThat(pool.evict("why")).isFalse();
        assertThat(pool.warmUp(3, LONG)).isZero();
        pool.getConnection().close();
        assertThat(pool.drain(LONG)).isZero();
        assertThat(pool.phase()).isEqualTo(PoolPhase.CLOSED);
    }
}
