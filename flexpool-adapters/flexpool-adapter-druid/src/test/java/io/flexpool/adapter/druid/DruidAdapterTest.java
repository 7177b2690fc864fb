// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.alibaba.druid.pool.DruidConnectionHolder;
import com.alibaba.druid.pool.DruidDataSource;
import com.alibaba.druid.pool.DruidPooledConnection;
import com.alibaba.druid.pool.GetConnectionTimeoutException;
import com.alibaba.druid.proxy.DruidDriver;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.DataSourceDriver;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolSnapshot;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class DruidAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        DruidDataSource pool = new DruidDataSource();
        pool.setDriver(new DataSourceDriver(database));
        pool.setUrl(DataSourceDriver.URL);
        pool.setMaxActive(max);
        pool.setMaxWait(timeout.isZero() ? -1 : timeout.toMillis());
        pool.setMinIdle(Math.min(2, max));
        pool.setInitialSize(Math.min(2, max));
        pool.setInitExceptionThrow(true);
        pool.setTestOnBorrow(true);
        pool.setValidConnectionChecker(new AliveChecker());
        // Of a failed connect; by default 500, which is as long as some tests wait.
        pool.setTimeBetweenConnectErrorMillis(50);
        pool.setTimeBetweenEvictionRunsMillis(1_000);
        return pool;
    }

    @Override
    protected boolean named(DataSource pool, String name) {
        ((DruidDataSource) pool).setName(name);
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(PoolQuirk.A_DRIVERS_ERROR_BREAKS_IT, PoolQuirk.ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING);
    }

    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        DruidDataSource manual = (DruidDataSource) pool(from, 1, timeout);
        manual.setDefaultAutoCommit(false);
        return List.of(pool(from, 1, timeout), manual);
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT,
                Capability.PER_CALL_TIMEOUT,
                Capability.EVICT);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(DruidDataSource.class, "druid-");
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        DruidDataSource pool = (DruidDataSource) pool(from, max, timeout);
        pool.setRemoveAbandoned(true);
        pool.setRemoveAbandonedTimeoutMillis(1_000);
        pool.setTimeBetweenEvictionRunsMillis(300);
        return List.of(pool);
    }

    @Override
    protected void evictByItself(DataSource pool) {
        DruidDataSource druid = (DruidDataSource) pool;
        druid.setMinIdle(0);
        druid.shrink();
    }

    @Override
    protected void throwAway(DataSource pool, Connection lease) throws Exception {
        DruidConnectionHolder holder = lease.unwrap(DruidPooledConnection.class).getConnectionHolder();
        ((DruidDataSource) pool).discardConnection(holder);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return GetConnectionTimeoutException.class;
    }

    @Override
    protected String maxSizeKey() {
        return "maxActive";
    }

    @Override
    protected int minIdle(int max) {
        return Math.min(2, max);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(3);
    }

    private DruidDataSource druid(int max, Duration timeout) {
        return (DruidDataSource) pool(database.dataSource(), max, timeout);
    }

    /** The pool reports why a connect failed, so there is no need to retry while a request waits. */
    @Test
    void aWakeInAnOutageEndsSoon() throws Exception {
        try (DruidDataSource pool = druid(1, Duration.ofSeconds(30));
                Crowd crowd = new Crowd()) {
            PoolAdapter adapter = adapter(pool);
            crowd.ask(1, pool).join();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> adapter.snapshot().pending() == 1))
                    .isTrue();
            database.fault(StubDatabase.Fault.REFUSED);
            adapter.resize(2);
            // Shorter than the 10 s after which a wake ends in any case.
            CompletableFuture.runAsync(() -> adapter.wake(1)).get(8, TimeUnit.SECONDS);
            assertThat(crowd.served()).isOne();
        }
    }

    /** The pool throws if they ever do. */
    @Test
    void theUsersSizesNeverStandAboveTheLimitAndComeBack() throws Exception {
        for (boolean started : new boolean[] {false, true}) {
            try (DruidDataSource pool = druid(10, Duration.ofSeconds(1))) {
                pool.setMinIdle(4);
                pool.setInitialSize(7);
                if (started) {
                    pool.getConnection().close();
                }
                PoolAdapter adapter = adapter(pool);
                adapter.prepare(3, 12);
                assertThat(pool.getInitialSize()).isEqualTo(started ? 7 : 3);
                for (int max : new int[] {3, 5, 12, 2}) {
                    adapter.resize(max);
                    assertThat(pool.getMaxActive())
                            .as("an unstarted one keeps the ceiling, with which its arrays are made")
                            .isEqualTo(started ? max : 12);
                    assertThat(pool.getMinIdle()).isEqualTo(Math.min(4, max));
                }
                adapter.restore();
                assertThat(pool.getMaxActive()).isEqualTo(10);
                assertThat(pool.getMinIdle()).isEqualTo(4);
                assertThat(pool.getInitialSize()).isEqualTo(7);
            }
        }
    }

    /** The pool connects inside its lock when it starts. */
    @Test
    void figuresAreReadWhileTheFirstConnectHangs() throws Exception {
        try (DruidDataSource pool = druid(3, Duration.ofSeconds(1));
                Crowd crowd = new Crowd()) {
            PoolAdapter adapter = adapter(pool);
            database.fault(StubDatabase.Fault.HANGING);
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.connectAttempts() == 1))
                    .isTrue();
            PoolSnapshot seen = CompletableFuture.supplyAsync(adapter::snapshot).get(3, TimeUnit.MINUTES);
            assertThat(seen.max()).isEqualTo(3);
            database.release();
            crowd.join();
        }
    }

    /** The bare pool answers null where there is nothing to unwrap, and asks a closed connection whether it is valid. */
    @Test
    void whatTheBarePoolGetsWrongIsMended() throws Exception {
        DruidDataSource raw = druid(2, Duration.ofSeconds(1));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThat((Object) raw.unwrap(Comparable.class)).isNull();
        assertThatThrownBy(() -> pool.unwrap(Comparable.class)).isInstanceOf(SQLException.class);
        Connection connection = pool.getConnection();
        assertThatThrownBy(() -> connection.unwrap(Comparable.class)).isInstanceOf(SQLException.class);
        assertThat(connection.isValid(1)).isTrue();
        connection.close();
        assertThat(connection.isValid(1)).isFalse();
        assertThat(pool.unwrap(DruidDataSource.class)).isSameAs(raw);
    }

    /** Its arrays are made with the max at the beginning: set meanwhile, the max once left them too short for ever. */
    @Test
    void theMaxIsNotSetWhileThePoolStarts() throws Exception {
        try (DruidDataSource raw = druid(1, Duration.ofSeconds(20));
                Crowd crowd = new Crowd()) {
            raw.setInitialSize(1);
            PoolAdapter adapter = adapter(raw);
            adapter.prepare(1, 5);
            database.connectTakes(Duration.ofMillis(300));
            crowd.ask(1, raw);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.connectAttempts() == 1))
                    .isTrue();
            adapter.restore();
            adapter.prepare(1, 5);
            crowd.join();
            adapter.resize(5);
            crowd.ask(4, raw);
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(crowd.served()).isEqualTo(5);
        }
    }

    @Test
    void whenItIsFullAndWhenItIsNot() throws Exception {
        try (DruidDataSource pool = druid(2, Duration.ofSeconds(1))) {
            PoolAdapter adapter = adapter(pool);
            PoolSnapshot full = new PoolSnapshot(2, 0, 2, 0, 2, 1);
            PoolSnapshot lacking = new PoolSnapshot(2, 0, 1, 0, 1, 1);
            SQLException connectFailure = new SQLException("any", "08001");
            SQLException timeout = new GetConnectionTimeoutException("any");
            SQLException inAnOutage = new GetConnectionTimeoutException("any", connectFailure);
            assertThat(adapter.classify(timeout, full, Duration.ofNanos(1)).kind())
                    .isEqualTo(Kind.EXHAUSTED);
            assertThat(adapter.classify(inAnOutage, full, Duration.ofNanos(1)).kind())
                    .as("of an outage that is over")
                    .isEqualTo(Kind.EXHAUSTED);
            assertThat(adapter.classify(timeout, lacking, Duration.ofNanos(1)).kind())
                    .as("of who had hardly any time left")
                    .isEqualTo(Kind.EXHAUSTED);
            Crowd.eventually(Duration.ofMillis(210), () -> false);
            assertThat(adapter.classify(timeout, lacking, Duration.ofMillis(200))
                            .kind())
                    .as("nothing was connected meanwhile")
                    .isEqualTo(Kind.CONNECT_FAILED);
            PoolSnapshot passedBy = new PoolSnapshot(3, 0, 1, 1, 2, 1);
            assertThat(adapter.classify(timeout, passedBy, Duration.ofMillis(200))
                            .kind())
                    .as("one came back too late for it")
                    .isEqualTo(Kind.EXHAUSTED);
            assertThat(adapter.classify(new SQLException("any"), lacking, Duration.ofNanos(1))
                            .kind())
                    .as("turned away, but not by a full pool")
                    .isEqualTo(Kind.OTHER);
            assertThat(adapter.classify(inAnOutage, lacking, Duration.ofNanos(1))
                            .kind())
                    .isEqualTo(Kind.CONNECT_FAILED);
            assertThat(adapter.classify(connectFailure, lacking, Duration.ofNanos(1))
                            .kind())
                    .isEqualTo(Kind.CONNECT_FAILED);
            assertThat(adapter.classify(new IllegalStateException(), full, Duration.ofNanos(1))
                            .kind())
                    .isEqualTo(Kind.OTHER);
        }
    }

    /** More than maxWaitThreadCount wait: the pool throws at once, and no class of its own. */
    @Test
    void aRequestThatMayNotWaitIsExhaustionToo() throws Exception {
        try (DruidDataSource pool = druid(1, Duration.ofSeconds(10));
                Crowd crowd = new Crowd()) {
            pool.setMaxWaitThreadCount(1);
            PoolAdapter adapter = adapter(pool);
            crowd.ask(4, pool);
            // 1.2.8 lets one wait, 1.2.28 two.
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> !crowd.failures().isEmpty()))
                    .isTrue();
            assertThat(crowd.failures())
                    .allSatisfy(thrown -> assertThat(adapter.classify(thrown, adapter.snapshot(), Duration.ofNanos(1))
                                    .kind())
                            .isEqualTo(Kind.EXHAUSTED));
        }
    }

    /** The wake's own request was once refused, or took the place of another request. */
    @Test
    void aWakeNeedsNoPlaceAmongFullWaiters() throws Exception {
        try (DruidDataSource pool = druid(1, Duration.ofSeconds(20));
                Crowd crowd = new Crowd()) {
            pool.setMaxWaitThreadCount(1);
            PoolAdapter adapter = adapter(pool);
            crowd.ask(1, pool).join();
            while (crowd.failures().isEmpty()) {
                // 1.2.8 lets one wait, 1.2.28 two.
                int waiting = adapter.snapshot().pending();
                crowd.ask(1, pool);
                assertThat(Crowd.eventually(
                                Duration.ofSeconds(5),
                                () -> adapter.snapshot().pending() > waiting
                                        || !crowd.failures().isEmpty()))
                        .isTrue();
            }
            int waiting = adapter.snapshot().pending();
            adapter.resize(3);
            adapter.wake(waiting);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> crowd.served() == 1 + waiting))
                    .as("served: %d", crowd.served())
                    .isTrue();
            assertThat(crowd.failures()).hasSize(1);
        }
    }

    /** Where Druid is the JVM's own its driver holds nothing that could go, and the application may want it yet. */
    @Test
    void theLastPoolsCloseLeavesOthersDruidDriver() throws Exception {
        DruidDataSource raw = druid(1, Duration.ofSeconds(1));
        FlexPoolDataSource pool = build(wrap(raw));
        pool.getConnection().close();
        pool.close();
        String url = DruidDriver.DEFAULT_PREFIX + "driver=" + DataSourceDriver.class.getName() + ":name=x:"
                + DataSourceDriver.URL;
        assertThat(DriverManager.drivers()).hasAtLeastOneElementOfType(DruidDriver.class);
        assertThat(DriverManager.getDriver(url)).isInstanceOf(DruidDriver.class);
    }

    @Test
    void aTimeoutAtTheGateEqualsOneOfThePool() throws Exception {
        try (DruidDataSource pool = druid(1, Duration.ofSeconds(1))) {
            SQLException down = new SQLException("any", "08001", 7);
            SQLException ours = adapter(pool).timeout("flexpool", down);
            assertThat((Throwable) ours)
                    .isInstanceOf(GetConnectionTimeoutException.class)
                    .hasCause(down);
            assertThat(ours.getSQLState()).isEqualTo("08001");
            assertThat(ours.getErrorCode()).isEqualTo(7);
            assertThat((Throwable) ours.getNextException()).isSameAs(down);
        }
    }

    /** The limit of a trim may have changed when it runs, in either direction. */
    @Test
    void aTrimKeepsWhatTheCurrentLimitAllows() throws Exception {
        try (DruidDataSource pool = druid(5, Duration.ofSeconds(1));
                Crowd crowd = new Crowd()) {
            PoolAdapter adapter = adapter(pool);
            crowd.ask(5, pool).join();
            crowd.letGo();
            adapter.trim(2);
            assertThat(database.open()).as("the max is 5 again").isEqualTo(5);
            adapter.resize(2);
            assertTrimmedTo(4, adapter);
            assertTrimmedTo(2, adapter);
        }
    }

    /** A trim waits a millisecond for each connection, which a busy machine may not have; it is repeated then. */
    private void assertTrimmedTo(int wanted, PoolAdapter adapter) throws InterruptedException {
        assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> {
                    adapter.trim(wanted);
                    return database.open() <= wanted;
                }))
                .as("%d open", database.open())
                .isTrue();
        assertThat(database.open()).isEqualTo(wanted);
    }

    /** Whether the ceiling was too low, or was made ready for while the pool had not started and then forgotten. */
    @Test
    void aMaxBeyondWhatThePoolHasPlacesForGetsThem() throws Exception {
        for (boolean forgotten : new boolean[] {false, true}) {
            try (DruidDataSource pool = druid(2, Duration.ofSeconds(5));
                    Crowd crowd = new Crowd()) {
                PoolAdapter adapter = adapter(pool);
                if (forgotten) {
                    adapter.prepare(1, 6);
                    adapter.restore();
                }
                pool.getConnection().close();
                adapter.resize(6);
                for (int round = 1; round <= 2; round++) {
                    crowd.ask(6, pool).join();
                    assertThat(crowd.failures()).isEmpty();
                    assertThat(crowd.served()).isEqualTo(6 * round);
                    crowd.letGo();
                    assertThat(crowd.broken()).isZero();
                    assertThat(adapter.snapshot().idle()).isEqualTo(6);
                }
            }
        }
    }

    /** One of the pool's threads works with them without a lock, and would end for good if they were shorter. */
    @Test
    void withinTheCeilingThePoolsPlacesAreNeverReplaced() throws Exception {
        try (DruidDataSource pool = druid(2, Duration.ofSeconds(1))) {
            PoolAdapter adapter = adapter(pool);
            pool.getConnection().close();
            adapter.prepare(2, 6);
            Object places = places(pool);
            for (int max : new int[] {6, 3, 1, 5}) {
                adapter.resize(max);
                assertThat(places(pool)).isSameAs(places);
            }
            adapter.restore();
            assertThat(places(pool)).isSameAs(places);
        }
    }

    private static Object places(DruidDataSource pool) throws ReflectiveOperationException {
        Field places = DruidDataSource.class.getDeclaredField("connections");
        places.setAccessible(true);
        return places.get(pool);
    }

    @Test
    void aPoolThatDoesNotEndItsStartIsNotWaitedForForEver() throws Exception {
        try (DruidDataSource pool = druid(1, Duration.ofSeconds(20));
                Crowd crowd = new Crowd()) {
            PoolAdapter adapter = adapter(pool);
            assertThat(adapter.started()).isFalse();
            database.fault(StubDatabase.Fault.HANGING);
            crowd.ask(1, pool);
            boolean starts = Crowd.eventually(Duration.ofSeconds(5), () -> database.connectAttempts() == 1);
            CompletableFuture<Void> prepared = CompletableFuture.runAsync(() -> adapter.prepare(1, 5));
            Crowd.eventually(Duration.ofSeconds(15), prepared::isDone);
            boolean waited = prepared.isCompletedExceptionally();
            database.release();
            assertThat(starts).isTrue();
            assertThat(waited).as("given up").isTrue();
            database.start();
            crowd.join();
            pool.getConnection().close();
            assertThat(adapter.started()).isTrue();
        }
    }

    @Test
    void theShortestTimeoutOfACallIsNotForEver() throws Exception {
        try (DruidDataSource pool = druid(1, Duration.ofSeconds(60));
                Crowd crowd = new Crowd()) {
            crowd.ask(1, pool).join();
            PoolAdapter adapter = adapter(pool);
            CompletableFuture<Throwable> thrown =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> adapter.connection(1)));
            assertThat(Crowd.eventually(Duration.ofSeconds(15), thrown::isDone)).isTrue();
            assertThat(thrown.get()).isExactlyInstanceOf(GetConnectionTimeoutException.class);
            assertThat(adapter.acquisitionTimeout()).contains(Duration.ofSeconds(60));
            pool.setMaxWait(0);
            assertThat(adapter.acquisitionTimeout()).as("0 is for ever").isEmpty();
        }
    }

    /** It would go past what the subclass does. */
    @Test
    void aSubclassHasNoTimeoutOfACall() throws Exception {
        try (DruidDataSource pool = new DruidDataSource() {}) {
            assertThat(adapter(pool).capabilities()).doesNotContain(Capability.PER_CALL_TIMEOUT);
        }
    }

    /** Connections stayed open after an eviction or a trim, because the millisecond of one request was over at its begin. */
    @Test
    void anEvictionAndATrimGoOnAfterATimeoutThatCameEarly() throws Exception {
        AtomicInteger early = new AtomicInteger();
        try (DruidDataSource pool = new DruidDataSource() {
                    @Override
                    public DruidPooledConnection getConnection(long maxWaitMillis) throws SQLException {
                        if (maxWaitMillis == 1 && early.getAndDecrement() > 0) {
                            throw new GetConnectionTimeoutException("wait millis 1, active 0, maxActive 4");
                        }
                        return super.getConnection(maxWaitMillis);
                    }
                };
                Crowd crowd = new Crowd()) {
            pool.setUrl("jdbc:h2:mem:early");
            pool.setMaxActive(4);
            PoolAdapter adapter = adapter(pool);
            crowd.ask(4, pool).join();
            crowd.letGo();
            adapter.resize(2);
            early.set(3);
            adapter.trim(2);
            assertThat(pool.getPoolingCount()).as("after the trim").isEqualTo(2);
            early.set(3);
            adapter.evict();
            assertThat(pool.getPoolingCount()).as("after the eviction").isZero();
        }
    }

    @Test
    void aDiscardedConnectionIsClosedAndNotHandedOutAgain() throws Exception {
        try (DruidDataSource pool = druid(1, Duration.ofSeconds(5))) {
            Connection connection = pool.getConnection();
            String number = connection.getCatalog();
            adapter(pool).discard(connection);
            assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
            try (Connection next = pool.getConnection()) {
                assertThat(next.getCatalog()).isNotEqualTo(number);
                assertThat(database.open()).isOne();
            }
        }
    }
}
