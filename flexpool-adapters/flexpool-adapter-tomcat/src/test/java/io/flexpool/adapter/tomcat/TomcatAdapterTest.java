// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

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
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import org.apache.tomcat.jdbc.pool.ConnectionPool;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.apache.tomcat.jdbc.pool.DataSourceProxy;
import org.apache.tomcat.jdbc.pool.PoolExhaustedException;
import org.apache.tomcat.jdbc.pool.PooledConnection;
import org.junit.jupiter.api.Test;

class TomcatAdapterTest extends PoolAdapterContract {
    @Override
    protected javax.sql.DataSource pool(javax.sql.DataSource database, int max, Duration timeout) {
        DataSource pool = new DataSource();
        pool.setDataSource(database);
        pool.setMaxActive(max);
        pool.setMaxWait(timeout.isZero() ? -1 : (int) timeout.toMillis());
        // By default 10, opened by the first acquisition.
        pool.setInitialSize(Math.min(2, max));
        pool.setMinIdle(max);
        pool.setMaxIdle(max);
        pool.setTestOnBorrow(true);
        pool.setValidationInterval(0);
        pool.setTimeBetweenEvictionRunsMillis(1_000);
        // Resets auto-commit and the like, which the pool does not do by itself.
        pool.setJdbcInterceptors("ConnectionState");
        pool.setDefaultAutoCommit(true);
        return pool;
    }

    @Override
    protected List<javax.sql.DataSource> restoring(javax.sql.DataSource from, Duration timeout) {
        DataSource rollsBack = (DataSource) pool(from, 1, timeout);
        rollsBack.setDefaultAutoCommit(false);
        rollsBack.setRollbackOnReturn(true);
        DataSource wouldRollBack = (DataSource) pool(from, 1, timeout);
        wouldRollBack.setRollbackOnReturn(true);
        DataSource defaults = (DataSource) pool(from, 1, timeout);
        defaults.setDefaultCatalog("configured");
        defaults.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        DataSource unused = (DataSource) pool(from, 1, timeout);
        unused.setDefaultCatalog("configured");
        unused.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        unused.setJdbcInterceptors(null);
        return List.of(pool(from, 1, timeout), rollsBack, wouldRollBack, defaults, unused);
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT,
                Capability.EVICT,
                Capability.EVICT_LEASED);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(DataSource.class, "tomcat-jdbc-");
    }

    /** With an interceptor for which each call of a handle is a use of the connection. */
    @Override
    protected List<javax.sql.DataSource> takingBack(javax.sql.DataSource from, int max, Duration timeout) {
        List<javax.sql.DataSource> pools = new ArrayList<>();
        for (boolean facade : new boolean[] {true, false}) {
            DataSource pool = (DataSource) pool(from, max, timeout);
            pool.setRemoveAbandoned(true);
            pool.setRemoveAbandonedTimeout(1);
            pool.setTimeBetweenEvictionRunsMillis(300);
            pool.setJdbcInterceptors("ConnectionState;ResetAbandonedTimer");
            pool.setUseDisposableConnectionFacade(facade);
            pools.add(pool);
        }
        return pools;
    }

    @Override
    protected void throwAway(javax.sql.DataSource pool, Connection lease) throws Exception {
        lease.unwrap(PooledConnection.class).setDiscarded(true);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return PoolExhaustedException.class;
    }

    @Override
    protected String maxSizeKey() {
        return "maxActive";
    }

    @Override
    protected boolean named(javax.sql.DataSource pool, String name) {
        ((DataSource) pool).setName(name);
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.LEAVES_REQUESTS_WAITING,
                PoolQuirk.A_DRIVERS_ERROR_BREAKS_IT,
                PoolQuirk.MAY_LEAVE_OPEN_WHAT_COMES_BACK_WHILE_IT_CLOSES);
    }

    @Override
    protected int minIdle(int max) {
        return max;
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(3);
    }

    @Override
    protected boolean staysClosed() {
        return false;
    }

    private DataSource tomcat(int max, Duration timeout) {
        return (DataSource) pool(database.dataSource(), max, timeout);
    }

    /** As Dropwizard's, which was watched as any data source: no idle connections, no max size, no resizing. */
    private static final class OtherDataSource extends DataSourceProxy implements javax.sql.DataSource {
        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    @Test
    void aDataSourceOfAnotherClassOverTheSamePoolIsAdapted() {
        OtherDataSource pool = new OtherDataSource();
        pool.setMaxActive(7);
        PoolAdapter adapter = adapter(pool);
        assertThat(adapter.type()).isEqualTo("Tomcat JDBC");
        assertThat(adapter.snapshot().max()).isEqualTo(7);
    }

    @Test
    void theUsersSizesNeverStandAboveTheLimitAndComeBack() {
        DataSource pool = tomcat(10, Duration.ofSeconds(1));
        pool.setInitialSize(7);
        pool.setMinIdle(4);
        pool.setMaxIdle(6);
        PoolAdapter adapter = adapter(pool);
        for (int max : new int[] {3, 5, 12, 2}) {
            adapter.resize(max);
            assertThat(pool.getMaxActive()).isEqualTo(max);
            assertThat(pool.getInitialSize()).isEqualTo(Math.min(7, max));
            assertThat(pool.getMinIdle()).isEqualTo(Math.min(4, max));
            assertThat(pool.getMaxIdle()).isEqualTo(Math.min(6, max));
        }
        adapter.restore();
        assertThat(pool.getMaxActive()).isEqualTo(10);
        assertThat(pool.getInitialSize()).isEqualTo(7);
        assertThat(pool.getMinIdle()).isEqualTo(4);
        assertThat(pool.getMaxIdle()).isEqualTo(6);
    }

    /** Asking this pool for its figures makes it start, and a closed one start again. */
    @Test
    void lookingNeitherStartsThePoolNorOpensItAgain() throws Exception {
        DataSource pool = tomcat(3, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(pool);
        assertThat(adapter.snapshot().total()).isZero();
        assertThat(adapter.isClosed()).isFalse();
        assertThat(database.connectAttempts()).isZero();
        pool.getConnection().close();
        assertThat(adapter.snapshot().total()).isEqualTo(2);
        adapter.close();
        assertThat(adapter.isClosed()).isTrue();
        long attempts = database.connectAttempts();
        assertThat(adapter.snapshot().total()).isZero();
        adapter.trim(1);
        adapter.wake(1);
        assertThat(database.connectAttempts()).isEqualTo(attempts);
        assertThat(database.open()).isZero();
    }

    /** A close between two looks of the adapter once opened a new pool. */
    @Test
    void lookingAtAPoolThatIsBeingClosedDoesNotOpenItAgain() throws Exception {
        DataSource pool = new DataSource() {
            @Override
            public int getPoolSize() {
                int size = super.getPoolSize();
                close();
                return size;
            }
        };
        pool.setDataSource(database.dataSource());
        pool.setInitialSize(1);
        PoolAdapter adapter = adapter(pool);
        pool.getConnection().close();
        adapter.snapshot();
        adapter.isClosed();
        pool.close();
        assertThat(adapter.snapshot().total()).isZero();
        assertThat(adapter.isClosed()).isTrue();
        assertThat(database.connectAttempts()).isOne();
        assertThat(database.open()).isZero();
    }

    /** If the idle one is taken first: a trim once waited for its return, without a maxWait for ever. */
    @Test
    void aTrimDoesNotWaitForATakenConnection() throws Exception {
        try (OneTooManyIdle pool = new OneTooManyIdle(database.dataSource());
                Crowd crowd = new Crowd()) {
            crowd.ask(2, pool).join();
            PoolAdapter adapter = adapter(pool);
            adapter.resize(1);
            Thread helper = new Thread(() -> adapter.trim(1));
            helper.setDaemon(true);
            helper.start();
            assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> !helper.isAlive()))
                    .as("ended")
                    .isTrue();
            assertThat(database.open()).as("both are leased").isEqualTo(2);
        }
    }

    /** Reports one more idle connection than there is, like a reading just before one is taken. */
    private static final class OneTooManyIdle extends DataSource implements AutoCloseable {
        OneTooManyIdle(javax.sql.DataSource database) {
            setDataSource(database);
            setMaxActive(2);
            setMaxWait(-1);
            setInitialSize(0);
        }

        @Override
        public synchronized ConnectionPool createPool() throws SQLException {
            if (pool == null) {
                pool = new ConnectionPool(getPoolProperties()) {
                    @Override
                    public int getIdle() {
                        return 1 + super.getIdle();
                    }
                };
            }
            return pool;
        }
    }

    /** The bare pool's statements lead to the driver's connection, and its unwrap and its data source's answer null. */
    @Test
    void whatTheBarePoolGetsWrongIsMended() throws Exception {
        DataSource raw = tomcat(2, Duration.ofSeconds(1));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThat(raw.unwrap(DataSource.class)).isNull();
        assertThat(pool.unwrap(DataSource.class)).isSameAs(raw);
        assertThat(pool.isWrapperFor(DataSource.class)).isTrue();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
        }
        pool.close();
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThat(raw.getPoolSize()).as("opened again").isZero();
    }

    @Test
    void whenItIsFullAndWhenItIsNot() {
        PoolAdapter adapter = adapter(tomcat(2, Duration.ofSeconds(1)));
        PoolSnapshot full = new PoolSnapshot(2, 0, 2, 0, 2, 1);
        PoolSnapshot lacking = new PoolSnapshot(2, 0, 1, 0, 1, 1);
        SQLException timeout = new PoolExhaustedException("any");
        assertThat(adapter.classify(timeout, full, Duration.ofNanos(1)).kind()).isEqualTo(Kind.EXHAUSTED);
        assertThat(adapter.classify(timeout, lacking, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.CONNECT_FAILED);
        SQLException noDriver = new SQLException("any", new ClassNotFoundException("any"));
        assertThat(adapter.classify(noDriver, full, Duration.ofNanos(1)).kind()).isEqualTo(Kind.OTHER);
        assertThat(adapter.classify(new SQLException("any"), full, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.CONNECT_FAILED);
        assertThat(adapter.classify(new SQLFeatureNotSupportedException("any"), full, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.OTHER);
        assertThat(adapter.classify(new UnsupportedOperationException(), full, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.OTHER);
    }

    /** Closed by the adapter that had not looked at the pool before; afterwards nothing may ask the data source. */
    @Test
    void aRequestOfAClosedPoolIsReportedAsSuch() throws Exception {
        DataSource pool = tomcat(2, Duration.ofSeconds(1));
        pool.getConnection().close();
        PoolAdapter adapter = adapter(pool);
        adapter.close();
        assertThat(adapter.isClosed()).isTrue();
        PoolSnapshot none = adapter.snapshot();
        assertThat(adapter.classify(new SQLException("any"), none, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.CLOSED);
        SQLException refused = new SQLException("any", "08001");
        assertThat(adapter.classify(refused, none, Duration.ofNanos(1)).kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(adapter.isClosed()).isTrue();
    }

    @Test
    void aReopenedPoolReportsItsNewFigures() throws Exception {
        DataSource pool = tomcat(2, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(pool);
        pool.getConnection().close();
        assertThat(adapter.snapshot().active()).isZero();
        pool.close();
        assertThat(adapter.isClosed()).isTrue();
        try (Connection out = pool.getConnection()) {
            assertThat(adapter.isClosed()).isFalse();
            assertThat(adapter.snapshot().active()).isOne();
            assertThat(out.isValid(1)).isTrue();
        } finally {
            pool.close();
        }
    }

    /** The limit of a trim may have changed when it runs, in either direction. */
    @Test
    void aTrimKeepsWhatTheCurrentLimitAllows() throws Exception {
        DataSource pool = tomcat(5, Duration.ofSeconds(1));
        try (Crowd crowd = new Crowd()) {
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
        } finally {
            pool.close();
        }
    }

    /** The pool's own size counts it: a pool whose connects hang would look full, and its timeouts as exhaustion. */
    @Test
    void aConnectionThatIsStillBeingOpenedIsNotThereYet() throws Exception {
        DataSource pool = tomcat(2, Duration.ofSeconds(20));
        pool.setInitialSize(1);
        pool.setMinIdle(1);
        try (Crowd crowd = new Crowd();
                Connection out = pool.getConnection()) {
            PoolAdapter adapter = adapter(pool);
            database.fault(StubDatabase.Fault.HANGING);
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.connectAttempts() == 2))
                    .isTrue();
            PoolSnapshot seen = adapter.snapshot();
            database.release();
            assertThat(seen.total()).isOne();
            assertThat(seen.active()).isOne();
            assertThat(out.isValid(1)).isTrue();
        } finally {
            pool.close();
        }
    }

    /** It is neither active nor idle then: demand on a full pool was explained as connections that are still opening. */
    @Test
    void aConnectionThatIsValidatedIsStillOpen() throws Exception {
        DataSource pool = tomcat(1, Duration.ofSeconds(60));
        CountDownLatch validating = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        AtomicBoolean waits = new AtomicBoolean();
        pool.setValidator((connection, action) -> {
            if (waits.get()) {
                validating.countDown();
                try {
                    answered.await();
                } catch (InterruptedException interrupted) {
                    return false;
                }
            }
            return true;
        });
        PoolAdapter adapter = adapter(pool);
        pool.getConnection().close();
        assertThat(adapter.snapshot().total()).isOne();
        waits.set(true);
        try (Crowd crowd = new Crowd()) {
            crowd.ask(1, pool);
            validating.await();
            PoolSnapshot meanwhile = adapter.snapshot();
            answered.countDown();
            crowd.join();
            assertThat(meanwhile.active() + meanwhile.idle()).isZero();
            assertThat(meanwhile.total()).isOne();
            assertThat(crowd.failures()).isEmpty();
        }
        pool.close();
        // A pool that opens again has nothing of the former one.
        assertThat(adapter.snapshot().total()).isZero();
    }

    @Test
    void theConfigurationIsReadAsThePoolTakesIt() {
        DataSource pool = tomcat(2, Duration.ofSeconds(1));
        pool.setMinIdle(5);
        PoolAdapter adapter = adapter(pool);
        assertThat(adapter.snapshot().minIdle()).as("lowered by its start").isEqualTo(2);
        assertThat(adapter.acquisitionTimeout()).contains(Duration.ofSeconds(1));
        pool.setMaxWait(0);
        assertThat(adapter.acquisitionTimeout()).as("0 is for ever").isEmpty();
    }

    /** On its way from one borrower to the next a connection is neither out nor idle for a moment. */
    @Test
    void aPoolThatWasFullWhileTheRequestWaitedWasExhausted() throws Exception {
        DataSource pool = tomcat(2, Duration.ofSeconds(1));
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(one).isNotSameAs(two);
            PoolAdapter adapter = adapter(pool);
            assertThat(adapter.snapshot().total()).isEqualTo(2);
            PoolSnapshot onItsWay = new PoolSnapshot(2, 0, 1, 0, 1, 1);
            PoolSnapshot none = new PoolSnapshot(2, 0, 0, 0, 0, 1);
            PoolSnapshot validated = new PoolSnapshot(2, 0, 1, 0, 2, 1);
            SQLException timeout = new PoolExhaustedException("any");
            assertThat(adapter.classify(timeout, onItsWay, Duration.ofNanos(Long.MAX_VALUE))
                            .kind())
                    .isEqualTo(Kind.EXHAUSTED);
            assertThat(adapter.classify(timeout, onItsWay, Duration.ofNanos(1)).kind())
                    .isEqualTo(Kind.CONNECT_FAILED);
            assertThat(adapter.classify(timeout, validated, Duration.ofNanos(1)).kind())
                    .isEqualTo(Kind.EXHAUSTED);
            assertThat(adapter.classify(timeout, none, Duration.ofNanos(Long.MAX_VALUE))
                            .kind())
                    .isEqualTo(Kind.CONNECT_FAILED);
        } finally {
            pool.close();
        }
    }

    @Test
    void aTimeoutAtTheGateEqualsOneOfThePool() {
        PoolAdapter adapter = adapter(tomcat(1, Duration.ofSeconds(1)));
        SQLException down = new SQLException("any", "08001", 7);
        SQLException ours = adapter.timeout("flexpool", down);
        assertThat((Throwable) ours)
                .isExactlyInstanceOf(PoolExhaustedException.class)
                .hasCause(down);
        assertThat(ours.getSQLState()).isEqualTo("08001");
        assertThat(ours.getErrorCode()).isEqualTo(7);
        assertThat((Throwable) ours.getNextException()).isSameAs(down);
    }
}
