// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.ConnectionFactory;
import org.apache.commons.dbcp2.DataSourceConnectionFactory;
import org.apache.commons.dbcp2.managed.BasicManagedDataSource;
import org.junit.jupiter.api.Test;

class Dbcp2AdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        BasicDataSource pool = new OverDataSource(database);
        pool.setMaxTotal(max);
        // By default 8, and what comes back beyond it is closed at once.
        pool.setMaxIdle(max);
        pool.setMaxWait(timeout.isZero() ? Duration.ofMillis(-1) : timeout);
        return pool;
    }

    /** BasicDataSource connects by a driver, this one by a data source. */
    private static final class OverDataSource extends BasicDataSource {
        private final DataSource database;

        OverDataSource(DataSource database) {
            this.database = database;
        }

        @Override
        protected ConnectionFactory createConnectionFactory() {
            return new DataSourceConnectionFactory(database);
        }
    }

    /**
     * DBCP 2 asks for all drivers when its class is loaded. With the drivers gone its classes are collected where it is
     * tested alone, and not where other tests ran before in the same JVM.
     */
    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.REGISTERS_EVERY_DRIVER,
                PoolQuirk.ITS_CLASSES_STAY,
                PoolQuirk.THROWS_RUNTIME_EXCEPTIONS_WHILE_IT_CLOSES,
                PoolQuirk.ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING);
    }

    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        BasicDataSource keeps = (BasicDataSource) pool(from, 1, timeout);
        keeps.setRollbackOnReturn(false);
        BasicDataSource defaults = (BasicDataSource) pool(from, 1, timeout);
        defaults.setDefaultCatalog("configured");
        defaults.setDefaultSchema("public");
        defaults.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return List.of(pool(from, 1, timeout), keeps, defaults);
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT,
                Capability.EVICT);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(BasicDataSource.class, "commons-dbcp2-");
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        BasicDataSource onMaintenance = (BasicDataSource) pool(from, max, timeout);
        onMaintenance.setRemoveAbandonedOnMaintenance(true);
        onMaintenance.setRemoveAbandonedTimeout(Duration.ofSeconds(1));
        onMaintenance.setDurationBetweenEvictionRuns(Duration.ofMillis(300));
        BasicDataSource onBorrow = (BasicDataSource) pool(from, max, timeout);
        onBorrow.setRemoveAbandonedOnBorrow(true);
        onBorrow.setRemoveAbandonedTimeout(Duration.ofSeconds(1));
        return List.of(onMaintenance, onBorrow);
    }

    @Override
    protected void evictByItself(DataSource pool) {
        ((BasicDataSource) pool).getConnectionPool().clear();
    }

    @Override
    protected void throwAway(DataSource pool, Connection lease) throws Exception {
        ((BasicDataSource) pool).invalidateConnection(lease);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected String maxSizeKey() {
        return "maxTotal";
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    private BasicDataSource basic(int max, Duration timeout) {
        return (BasicDataSource) pool(database.dataSource(), max, timeout);
    }

    /** The application's close would end a connection whose JTA transaction has not been committed yet. */
    @Test
    void aPoolOfJtaTransactionsIsNotEvicted() {
        PoolAdapter adapter =
                new Dbcp2AdapterProvider().adapt(new BasicManagedDataSource()).orElseThrow();
        assertThat(adapter.capabilities()).contains(Capability.LIVE_RESIZE).doesNotContain(Capability.EVICT);
    }

    @Test
    void idleSizesNeverExceedTheLimitAndAreRestored() throws Exception {
        try (BasicDataSource pool = basic(10, Duration.ofSeconds(1))) {
            pool.setMinIdle(4);
            pool.setMaxIdle(6);
            PoolAdapter adapter = adapter(pool);
            for (int max : new int[] {3, 5, 12, 2}) {
                adapter.resize(max);
                assertThat(pool.getMaxTotal()).isEqualTo(max);
                assertThat(pool.getMinIdle()).isEqualTo(Math.min(4, max));
                assertThat(pool.getMaxIdle()).isEqualTo(Math.min(6, max));
            }
            adapter.restore();
            assertThat(pool.getMaxTotal()).isEqualTo(10);
            assertThat(pool.getMinIdle()).isEqualTo(4);
            assertThat(pool.getMaxIdle()).isEqualTo(6);
        }
    }

    @Test
    void aPoolWithoutLimitIsLimitedAndGetsItsFreedomBack() throws Exception {
        try (BasicDataSource pool = basic(-1, Duration.ofSeconds(1))) {
            PoolAdapter adapter = adapter(pool);
            assertThat(adapter.snapshot().max()).isEqualTo(Integer.MAX_VALUE);
            adapter.prepare(2, 5);
            assertThat(adapter.snapshot().max()).isEqualTo(2);
            assertThat(pool.getMaxTotal()).isEqualTo(2);
            assertThat(pool.getMaxIdle()).isEqualTo(2);
            adapter.restore();
            assertThat(pool.getMaxTotal()).isNegative();
            assertThat(pool.getMaxIdle()).isNegative();
            assertThat(adapter.snapshot().max()).isEqualTo(Integer.MAX_VALUE);
            pool.getConnection().close();
            assertThat(adapter.snapshot().max()).as("started").isEqualTo(Integer.MAX_VALUE);
        }
    }

    /** Its getters are synchronized, and the first acquisition connects inside that monitor. */
    @Test
    void figuresAreReadWhileTheFirstConnectHangs() throws Exception {
        try (BasicDataSource pool = basic(3, Duration.ofSeconds(1));
                Crowd crowd = new Crowd()) {
            PoolAdapter adapter = adapter(pool);
            FlexPoolDataSource watched = build(wrap(pool));
            database.fault(StubDatabase.Fault.HANGING);
            crowd.ask(1, watched);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.connectAttempts() == 1))
                    .isTrue();
            PoolSnapshot seen = CompletableFuture.supplyAsync(adapter::snapshot).get(3, TimeUnit.MINUTES);
            CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(adapter::isClosed);
            Crowd.eventually(Duration.ofSeconds(5), closed::isDone);
            assertThat(closed).isCompletedWithValue(false);
            assertThat(seen.max()).isEqualTo(3);
            database.release();
            crowd.join();
        }
    }

    @Test
    void whenItIsFullAndWhenItIsNot() throws Exception {
        try (BasicDataSource pool = basic(2, Duration.ofSeconds(1))) {
            PoolAdapter adapter = adapter(pool);
            PoolSnapshot full = new PoolSnapshot(2, 0, 2, 0, 2, 1);
            PoolSnapshot lacking = new PoolSnapshot(2, 0, 1, 0, 1, 1);
            SQLException timeout = new SQLException("any", new NoSuchElementException("any"));
            assertThat(adapter.classify(timeout, full, Duration.ofNanos(1)).kind())
                    .isEqualTo(Kind.EXHAUSTED);
            assertThat(adapter.classify(timeout, lacking, Duration.ofNanos(1)).kind())
                    .isEqualTo(Kind.CONNECT_FAILED);
            SQLException useless =
                    new SQLException("any", new NoSuchElementException("any", new SQLException("any", "57P01")));
            assertThat(adapter.classify(useless, full, Duration.ofNanos(1)).kind())
                    .isEqualTo(Kind.CONNECT_FAILED);
            SQLException noDriver = new SQLException("any", new ClassNotFoundException("any"));
            assertThat(adapter.classify(noDriver, full, Duration.ofNanos(1)).kind())
                    .isEqualTo(Kind.OTHER);
            assertThat(adapter.classify(new SQLFeatureNotSupportedException("any"), full, Duration.ofNanos(1))
                            .kind())
                    .isEqualTo(Kind.OTHER);
            assertThat(adapter.classify(new UnsupportedOperationException(), full, Duration.ofNanos(1))
                            .kind())
                    .isEqualTo(Kind.OTHER);
        }
    }

    /** The pool interrupts those who wait when it is closed. */
    @Test
    void aFailureOfAClosedPoolIsReportedAsSuch() throws Exception {
        PoolSnapshot none = new PoolSnapshot(1, 0, 0, 0, 0, 0);
        SQLException interrupted = new SQLException("any", new InterruptedException());
        SQLException refused = new SQLException("any", "08001");
        BasicDataSource closedByUs = basic(1, Duration.ofSeconds(1));
        closedByUs.getConnection().close();
        PoolAdapter adapter = adapter(closedByUs);
        assertThat(adapter.classify(interrupted, none, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.INTERRUPTED);
        adapter.close();
        assertThat(adapter.classify(interrupted, none, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.CLOSED);
        BasicDataSource closedBefore = basic(1, Duration.ofSeconds(1));
        closedBefore.close();
        PoolAdapter other = adapter(closedBefore);
        assertThat(other.classify(new SQLException("any"), none, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.CLOSED);
        assertThat(other.classify(refused, none, Duration.ofNanos(1)).kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(other.classify(new SQLException("any", refused), none, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.CONNECT_FAILED);
    }

    /** With maxIdle 0 the pool opens none but for who asks. */
    @Test
    void aWakeOfAPoolThatKeepsNothingIdleEndsSoon() throws Exception {
        try (BasicDataSource pool = basic(1, Duration.ofSeconds(30));
                Crowd crowd = new Crowd()) {
            pool.setMaxIdle(0);
            PoolAdapter adapter = adapter(pool);
            crowd.ask(1, pool).join();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> adapter.snapshot().pending() == 1))
                    .isTrue();
            adapter.resize(2);
            // Shorter than the 10 s after which a wake ends in any case.
            CompletableFuture.runAsync(() -> adapter.wake(1)).get(8, TimeUnit.SECONDS);
            assertThat(crowd.served()).isOne();
        }
    }

    @Test
    void aTimeoutOfZeroIsNotNone() throws Exception {
        try (BasicDataSource pool = basic(1, Duration.ofSeconds(1))) {
            pool.setMaxWait(Duration.ZERO);
            assertThat(adapter(pool).acquisitionTimeout()).contains(Duration.ZERO);
        }
    }

    @Test
    void aPoolThatWasSeenOpenIsSeenToBeClosedByOthers() throws Exception {
        BasicDataSource pool = basic(1, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(pool);
        Connection out = pool.getConnection();
        assertThat(adapter.isClosed()).isFalse();
        pool.close();
        assertThat(adapter.isClosed()).isTrue();
        assertThatThrownBy(() -> adapter.discard(out)).isInstanceOf(SQLException.class);
        out.close();
    }

    @Test
    void aDiscardedConnectionIsClosedAndNotHandedOutAgain() throws Exception {
        try (BasicDataSource pool = basic(1, Duration.ofSeconds(5))) {
            Connection connection = pool.getConnection();
            String number = connection.getCatalog();
            adapter(pool).discard(connection);
            try (Connection next = pool.getConnection()) {
                assertThat(next.getCatalog()).isNotEqualTo(number);
                assertThat(database.open()).isOne();
            }
        }
    }

    /** The limit of a trim may have changed when it runs, in either direction. */
    @Test
    void aTrimKeepsWhatTheCurrentLimitAllows() throws Exception {
        try (BasicDataSource pool = basic(5, Duration.ofSeconds(1));
                Crowd crowd = new Crowd()) {
            PoolAdapter adapter = adapter(pool);
            crowd.ask(5, pool).join();
            crowd.letGo();
            adapter.trim(2);
            assertThat(database.open()).as("the max is 5 again").isEqualTo(5);
            adapter.resize(2);
            adapter.trim(4);
            assertThat(database.open()).isEqualTo(4);
            adapter.trim(2);
            assertThat(database.open()).isEqualTo(2);
        }
    }

    /** As the pool's own: a plain SQLException, caused by a NoSuchElementException. */
    @Test
    void aTimeoutAtTheGateEqualsOneOfThePool() throws Exception {
        try (BasicDataSource pool = basic(1, Duration.ofMillis(100));
                Connection held = pool.getConnection()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(pool::getConnection)
                    .isExactlyInstanceOf(SQLException.class)
                    .hasCauseExactlyInstanceOf(NoSuchElementException.class);
            SQLException down = new SQLException("any", "08001", 7);
            SQLException ours = adapter(pool).timeout("flexpool", down);
            assertThat((Throwable) ours)
                    .isExactlyInstanceOf(SQLException.class)
                    .hasCauseExactlyInstanceOf(NoSuchElementException.class)
                    .hasRootCause(down);
            assertThat(ours.getSQLState()).isEqualTo("08001");
            assertThat(ours.getErrorCode()).isEqualTo(7);
        }
    }

    /** A restart makes a new pool. What the former one has lent belongs to its holder until it is closed. */
    @Test
    void aRestartTakesNothingBack() throws Exception {
        try (BasicDataSource pool = basic(2, Duration.ofSeconds(1));
                Connection held = pool.getConnection();
                Connection thrownAway = pool.getConnection()) {
            Predicate<Connection> takenBack =
                    Objects.requireNonNull(adapter(pool).takenBack());
            pool.invalidateConnection(thrownAway);
            assertThat(takenBack).accepts(thrownAway).rejects(held);
            pool.restart();
            assertThat(takenBack).rejects(held);
            assertThat(held.isValid(1)).isTrue();
        }
    }
}
