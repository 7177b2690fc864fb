// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolEvent;
import io.flexpool.pool.PoolListener;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.PoolStatistics.Figures;
import io.flexpool.strategy.GrowOnWait;
import io.flexpool.strategy.RetryAcquisition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every adapter has to do right. A pool's test says how to make the pool and inherits all of this. Every test ends
 * with the invariants: nothing out, nobody pending, as many acquisitions as leases.
 */
public abstract class PoolAdapterContract {
    /** The database behind the pools of a test. */
    protected final StubDatabase database = new StubDatabase();

    private final Queue<FlexPoolDataSource> wrapped = new ConcurrentLinkedQueue<>();
    /** What the pool told, in order. */
    protected final Queue<PoolEvent> events = new ConcurrentLinkedQueue<>();

    /** For a pool's test. */
    protected PoolAdapterContract() {}

    /**
     * Makes a pool that has not connected yet.
     *
     * @param database where it connects
     * @param max its max size
     * @param timeout its acquisition timeout
     * @return the pool
     */
    protected abstract DataSource pool(DataSource database, int max, Duration timeout);

    /**
     * The class of exception that the pool throws when it is exhausted.
     *
     * @return the exact class
     */
    protected abstract Class<? extends SQLException> timeoutClass();

    /**
     * How long it takes until the pool's own housekeeping has run at least once.
     *
     * @return long enough
     */
    protected abstract Duration housekeeping();

    /**
     * Begins to wrap a pool, with a listener that keeps the events.
     *
     * @param pool the pool
     * @return a builder
     */
    protected FlexPoolBuilder wrap(DataSource pool) {
        return FlexPool.wrap(pool).name("contract").listener(new Keeper());
    }

    /**
     * Builds, and closes at the end of the test.
     *
     * @param builder ready to build
     * @return the wrapped pool
     */
    protected FlexPoolDataSource build(FlexPoolBuilder builder) {
        FlexPoolDataSource built = builder.build();
        wrapped.add(built);
        return built;
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (FlexPoolDataSource pool : wrapped) {
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5),
                            () -> pool.state().leased() == 0 && pool.state().pending() == 0))
                    .as("leased and pending at the end: %s", pool.state())
                    .isTrue();
            Figures total = pool.statistics().total();
            assertThat(total.leases().count())
                    .isEqualTo(total.acquisition(AcquisitionOutcome.OK).count());
            assertThat(total.listenerErrors()).isZero();
            pool.close();
        }
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.open() == 0))
                .as("physical connections after close: %d", database.open())
                .isTrue();
    }

    private void start(DataSource pool) throws SQLException {
        pool.getConnection().close();
    }

    private List<PoolEvent.Resized> resized() {
        return events.stream()
                .filter(PoolEvent.Resized.class::isInstance)
                .map(PoolEvent.Resized.class::cast)
                .toList();
    }

    // ---- growth ----

    @Test
    void growthServesThreadsThatAlreadyWait() throws Exception {
        growthServes(20, pool(database.dataSource(), 4, Duration.ofSeconds(4)));
    }

    /** So many that a pool which opens a few at each housekeeping would not do by chance. */
    @Test
    void growthOfAStartedPoolServesThreadsThatAlreadyWait() throws Exception {
        DataSource pool = pool(database.dataSource(), 4, Duration.ofSeconds(4));
        start(pool);
        growthServes(40, pool);
    }

    private void growthServes(int more, DataSource raw) throws Exception {
        int all = 4 + more;
        FlexPoolDataSource pool = build(wrap(raw).base(4).strategy(GrowOnWait.upTo(all)));
        database.connectTakes(Duration.ofMillis(5));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(4, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(3), () -> crowd.served() == 4))
                    .isTrue();
            crowd.ask(more, pool);
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(crowd.served()).isEqualTo(all);
            assertThat(pool.state().limit()).isEqualTo(all);
            assertThat(database.peak()).isLessThanOrEqualTo(all);
            // By demand, not by one.
            assertThat(resized()).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void growthStopsAtTheCeiling() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 2, Duration.ofSeconds(1)))
                .base(2)
                .strategy(GrowOnWait.upTo(5)));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(9, pool);
            crowd.join();
            assertThat(crowd.served()).isEqualTo(5);
            assertThat(crowd.failures()).hasSize(4).allSatisfy(this::isATimeoutOfThePool);
            assertThat(pool.state().limit()).isEqualTo(5);
            assertThat(database.peak()).isLessThanOrEqualTo(5);
        }
    }

    @Test
    void growthComesByDemandAndNotBeforeItIsNeeded() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 4, Duration.ofSeconds(2)))
                .base(4)
                .strategy(GrowOnWait.upTo(20)));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(7, pool);
            crowd.join();
            assertThat(crowd.served()).isEqualTo(7);
            assertThat(pool.state().limit()).isEqualTo(7);
        }
    }

    // ---- shrink ----

    @Test
    void afterCalmThePoolReturnsToItsBaseAndTheBaseReallyLimits() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 2, Duration.ofSeconds(1)))
                .base(2)
                .strategy(GrowOnWait.upTo(6)));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(6, pool);
            crowd.join();
            assertThat(pool.state().limit()).isEqualTo(6);
        }
        assertThat(Crowd.eventually(Duration.ofSeconds(25), () -> pool.state().limit() == 2))
                .isTrue();
        assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> database.open() <= 2))
                .as("physical connections after calm: %d", database.open())
                .isTrue();
        assertThat(resized()).last().satisfies(last -> {
            assertThat(last.cause()).isEqualTo(PoolEvent.ResizeCause.CALM);
            assertThat(last.to()).isEqualTo(2);
        });
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            assertThat(pool.state().leased()).isEqualTo(2);
            assertThat(database.open()).isEqualTo(2);
        }
    }

    @Test
    void withTheBaseOutAndNobodyWaitingThePoolHasTheBasePhysically() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 20, Duration.ofSeconds(2)))
                .base(5)
                .strategy(GrowOnWait.upTo(20)));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(5, pool);
            crowd.join();
            assertThat(Crowd.eventually(housekeeping(), () -> database.open() != 5))
                    .as("the pool's housekeeping moved the physical connections: %d", database.open())
                    .isFalse();
            assertThat(database.peak()).isEqualTo(5);
        }
    }

    @Test
    void aStartedPoolComesDownToItsBaseBeforeTheFirstRequest() throws Exception {
        DataSource pool = pool(database.dataSource(), 8, Duration.ofSeconds(2));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(8, pool);
            crowd.join();
            assertThat(database.open()).isEqualTo(8);
        }
        FlexPoolDataSource bound = build(wrap(pool).base(3).strategy(GrowOnWait.upTo(8)));
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.open() == 3))
                .as("%d physical connections: %s", database.open(), bound.state())
                .isTrue();
    }

    // ---- a database that is down ----

    @Test
    void whileTheDatabaseIsDownTheLimitNeverMoves() throws Exception {
        int base = 5;
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), base, Duration.ofSeconds(1)))
                .base(base)
                .strategy(GrowOnWait.upTo(20))
                .strategy(RetryAcquisition.times(3, Duration.ofMillis(50), Duration.ofSeconds(3))));
        pool.getConnection().close();
        database.stop();
        try (Crowd crowd = new Crowd()) {
            crowd.cycle(3 * base, pool, Duration.ZERO, Duration.ofSeconds(10));
            crowd.join();
            assertThat(crowd.failures()).isNotEmpty().allSatisfy(this::isAConnectFailureOfThePool);
        }
        assertThat(resized()).isEmpty();
        assertThat(pool.state().limit()).isEqualTo(base);
        assertThat(pool.statistics().total().connectFailures()).isPositive();
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.TIMEOUT)
                        .count())
                .as("timeouts in an outage are connect failures")
                .isZero();
        database.start();
        assertThat(Crowd.eventually(Duration.ofSeconds(15), () -> works(pool))).isTrue();
    }

    private static boolean works(DataSource pool) {
        try (Connection connection = pool.getConnection()) {
            return connection.isValid(1);
        } catch (SQLException down) {
            return false;
        }
    }

    @Test
    void growthIsTakenBackWhenTheDatabaseTurnsOutToBeDown() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 2, Duration.ofSeconds(1)))
                .base(2)
                .strategy(GrowOnWait.upTo(10)));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            database.fault(StubDatabase.Fault.REFUSED);
            crowd.ask(4, pool);
            crowd.join();
            assertThat(crowd.served()).isEqualTo(2);
            assertThat(crowd.failures()).hasSize(4);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().limit() == 2))
                    .isTrue();
            assertThat(resized()).hasSizeLessThanOrEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "NO_SUCH_DATABASE", "TOO_MANY_CONNECTIONS"})
    void aConnectFailureIsNamedAsSuchOnAPoolThatNeverStarted(StubDatabase.Fault fault) throws Exception {
        database.fault(fault);
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 4, Duration.ofSeconds(1))));
        isNamedAConnectFailure(pool, fault);
    }

    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "NO_SUCH_DATABASE", "TOO_MANY_CONNECTIONS"})
    void aConnectFailureIsNamedAsSuchWithConnectionsOut(StubDatabase.Fault fault) throws Exception {
        DataSource raw = pool(database.dataSource(), 4, Duration.ofSeconds(1));
        FlexPoolDataSource pool = build(wrap(raw));
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(one).isNotSameAs(two);
            // Whatever else the pool has opened goes too.
            database.fault(fault);
            try (Crowd others = new Crowd()) {
                others.ask(Math.max(0, database.open() - 2), pool);
                others.join();
                isNamedAConnectFailure(pool, fault);
            }
        }
    }

    private void isNamedAConnectFailure(FlexPoolDataSource pool, StubDatabase.Fault fault) {
        assertThatThrownBy(pool::getConnection)
                .as("%s", fault)
                .isInstanceOf(SQLException.class)
                .satisfies(this::isAConnectFailureOfThePool);
        assertThat(events).anySatisfy(event -> assertThat(event).isInstanceOf(PoolEvent.ConnectFailed.class));
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.CONNECT_FAILURE)
                        .count())
                .isOne();
    }

    /** The report once said "exhausted, every connection is out" with active 0, because no connect had failed yet. */
    @Test
    void aPoolWithNothingOutIsNeverCalledExhausted() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(pool(database.dataSource(), 2, Duration.ofMillis(500))).base(1));
        start(pool);
        database.stop();
        database.fault(StubDatabase.Fault.HANGING);
        // The pool's own connection is broken now, and the next one hangs.
        Crowd.eventually(Duration.ofSeconds(1), () -> false);
        try (Crowd crowd = new Crowd()) {
            crowd.ask(3, pool);
            crowd.join();
            assertThat(crowd.failures())
                    .hasSize(3)
                    .allSatisfy(thrown -> assertThat(reports(thrown)).contains("not exhausted"));
        } finally {
            database.release();
        }
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.TIMEOUT)
                        .count())
                .isZero();
        assertThat(events.stream()
                        .filter(PoolEvent.ConnectFailed.class::isInstance)
                        .count())
                .as("each of the requests is told, also the ones that gave up at the gate")
                .isEqualTo(3);
    }

    // ---- exhaustion ----

    @Test
    void exhaustionIsNamedAsSuchAndThrowsThePoolsOwnObject() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 2, Duration.ofMillis(500))));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
        }
        assertThat(events).anySatisfy(event -> assertThat(event).isInstanceOf(PoolEvent.AcquisitionTimedOut.class));
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.TIMEOUT)
                        .count())
                .isOne();
    }

    @Test
    void exhaustionAtTheGateThrowsTheClassThatThePoolThrows() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(pool(database.dataSource(), 4, Duration.ofMillis(500))).base(2));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
            assertThat(database.open()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void retriesShareOneDeadline() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 1, Duration.ofMillis(300)))
                .strategy(RetryAcquisition.times(20, Duration.ofMillis(20), Duration.ofMillis(900))));
        try (Connection held = pool.getConnection()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
        }
        Figures total = pool.statistics().total();
        assertThat(total.retries().max()).isBetween(1, 3);
    }

    @Test
    void anInterruptWhileWaitingIsPromptAndNoTimeout() throws Exception {
        anInterruptIsPromptAndNoTimeout(build(
                wrap(pool(database.dataSource(), 1, Duration.ofSeconds(30))).base(1)));
    }

    @Test
    void anInterruptInsideThePoolIsPromptAndNoTimeout() throws Exception {
        anInterruptIsPromptAndNoTimeout(build(wrap(pool(database.dataSource(), 1, Duration.ofSeconds(30)))));
    }

    private static void anInterruptIsPromptAndNoTimeout(FlexPoolDataSource pool) throws Exception {
        try (Connection held = pool.getConnection();
                Crowd crowd = new Crowd()) {
            assertThat(held).isNotNull();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pending() == 1))
                    .isTrue();
            crowd.interrupt();
            crowd.join();
            assertThat(crowd.failures()).singleElement().isInstanceOf(SQLException.class);
        }
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.INTERRUPTED)
                        .count())
                .isOne();
    }

    // ---- the rest of the boundary ----

    @Test
    void aPoolThatIsOnlyWatchedIsLeftAsItIs() throws Exception {
        DataSource pool = pool(database.dataSource(), 7, Duration.ofSeconds(1));
        start(pool);
        FlexPoolDataSource watched = build(wrap(pool));
        PoolState before = watched.state();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(7, watched);
            crowd.join();
            assertThat(watched.state().leased()).isEqualTo(7);
        }
        PoolState after = watched.state();
        assertThat(after.bound()).isFalse();
        assertThat(after.pool().max()).isEqualTo(before.pool().max());
        assertThat(after.pool().minIdle()).isEqualTo(before.pool().minIdle());
    }

    /** Wrapping may fail after the pool was made ready for it; a pool made alike and never touched tells how it was. */
    @Test
    void backToWatchedPutsThePoolsSizesBackAndServesWhoWaits() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(pool(database.dataSource(), 6, Duration.ofSeconds(10))).base(1));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(6, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().waiting() == 5))
                    .isTrue();
            assertThat(pool.watchOnly()).isTrue();
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(pool.state().bound()).isFalse();
            assertThat(database.peak()).isEqualTo(6);
        }
        assertThat(pool.limitAgain()).isTrue();
        assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> database.open() <= 1))
                .as("physical connections once it is limited again: %d", database.open())
                .isTrue();
        assertThat(pool.state().limit()).isEqualTo(1);
    }

    @Test
    void whatThePoolResetsWhenAConnectionComesBackItStillResets() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(pool(database.dataSource(), 1, Duration.ofSeconds(2))).base(1));
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
        }
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
        }
    }

    @Test
    void aPoolWhoseWrappingFailedIsAsItWas() throws Exception {
        DataSource pool = pool(database.dataSource(), 6, Duration.ofSeconds(1));
        start(pool);
        FlexPoolBuilder failing = wrap(pool)
                .base(2)
                .strategy(GrowOnWait.upTo(9))
                .metrics(view -> {
                    throw new IllegalStateException("no such backend");
                });
        assertThatThrownBy(failing::build).hasMessage("no such backend");
        DataSource alike = pool(database.dataSource(), 6, Duration.ofSeconds(1));
        start(alike);
        PoolSnapshot was = build(wrap(alike)).state().pool();
        PoolSnapshot is = build(wrap(pool)).state().pool();
        assertThat(is.max()).isEqualTo(was.max());
        assertThat(is.minIdle()).isEqualTo(was.minIdle());
    }

    /** An abort closes the connection behind the pool's back: a pool that is not told counts it as out for ever. */
    @Test
    void anAbortedConnectionFreesItsPlace() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 2, Duration.ofSeconds(2))));
        for (int at = 0; at < 2; at++) {
            pool.getConnection().abort(Runnable::run);
        }
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(pool.state().leased()).isEqualTo(2);
            assertThat(database.open()).isEqualTo(2);
        }
    }

    @Test
    void connectionsTakenPastTheWrapperCountAgainstTheLimit() throws Exception {
        DataSource pool = pool(database.dataSource(), 4, Duration.ofSeconds(2));
        FlexPoolDataSource bound = build(wrap(pool).base(4));
        start(bound);
        try (Connection past = pool.getConnection()) {
            assertThat(past).isNotNull();
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> bound.state().foreign() == 1))
                    .isTrue();
        }
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> bound.state().foreign() == 0))
                .isTrue();
    }

    private boolean agrees(PoolSnapshot snapshot, int out) {
        int open = database.open();
        return snapshot.total() == open && snapshot.active() == out && snapshot.idle() == open - out;
    }

    @Test
    void theSnapshotAgreesWithTheDatabase() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 6, Duration.ofSeconds(2))));
        // A pool may fill up by itself: only before it starts is it surely not full.
        assertThat(pool.state().pool().total()).isEqualTo(database.open());
        try (Crowd crowd = new Crowd()) {
            crowd.ask(3, pool);
            crowd.join();
            assertThat(pool.state().leased()).isEqualTo(3);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> agrees(pool.state().pool(), 3)))
                    .as("%s while %d are open", pool.state(), database.open())
                    .isTrue();
        }
    }

    @Test
    void afterCloseEveryRequestIsRefused() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(pool(database.dataSource(), 2, Duration.ofSeconds(30))).base(1));
        Connection held = pool.getConnection();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().waiting() == 1))
                    .isTrue();
            pool.close();
            crowd.join();
            assertThat(crowd.failures()).singleElement().isInstanceOf(SQLException.class);
        }
        held.close();
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        pool.close();
    }

    private void isATimeoutOfThePool(Throwable thrown) {
        assertThat(thrown).isExactlyInstanceOf(timeoutClass());
        assertThat(reports(thrown))
                .contains("exhausted, every connection is out")
                .doesNotContain("not exhausted");
    }

    private void isAConnectFailureOfThePool(Throwable thrown) {
        assertThat(reports(thrown)).contains("not exhausted: the database refuses");
        assertThat(((SQLException) thrown).getSQLState()).isIn("08001", "28P01", "3D000", "53300");
        Throwable deepest = thrown;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        assertThat(deepest.getMessage())
                .satisfiesAnyOf(
                        message -> assertThat(message).isEqualTo("connection refused"),
                        message -> assertThat(message).startsWith("stub: "));
    }

    private static String reports(Throwable thrown) {
        StringBuilder all = new StringBuilder(String.valueOf(thrown.getMessage()));
        for (Throwable suppressed : thrown.getSuppressed()) {
            all.append('\n').append(suppressed.getMessage());
        }
        return all.toString();
    }

    private final class Keeper implements PoolListener {
        @Override
        public void onAcquisitionTimedOut(PoolEvent.AcquisitionTimedOut event) {
            events.add(event);
        }

        @Override
        public void onConnectFailed(PoolEvent.ConnectFailed event) {
            events.add(event);
        }

        @Override
        public void onResized(PoolEvent.Resized event) {
            events.add(event);
        }
    }
}
