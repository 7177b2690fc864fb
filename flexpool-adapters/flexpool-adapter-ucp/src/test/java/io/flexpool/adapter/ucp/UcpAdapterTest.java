// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.ucp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.database.StubDriver;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;
import oracle.ucp.jdbc.ValidConnection;
import org.junit.jupiter.api.Test;

class UcpAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource unused, int max, Duration timeout) {
        return pool(database, max, timeout);
    }

    private static PoolDataSource pool(StubDatabase database, int max, Duration timeout) {
        PoolDataSource pool = asItComes(database, max, timeout);
        try {
            // Else 23.26 forgets one of several threads that ask at once; see the adapter.
            pool.setCreateConnectionInBorrowThread(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return pool;
    }

    private static PoolDataSource asItComes(StubDatabase database, int max, Duration timeout) {
        try {
            PoolDataSource pool = PoolDataSourceFactory.getPoolDataSource();
            pool.setConnectionFactoryClassName("io.flexpool.adapter.tck.database.StubDriver");
            pool.setURL(database.url());
            pool.setUser("app");
            pool.setPassword("secret");
            pool.setMaxPoolSize(max);
            pool.setMinPoolSize(1);
            pool.setValidateConnectionOnBorrow(true);
            pool.setConnectionWaitDuration(timeout);
            return pool;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected List<DataSource> takingBack(DataSource unused, int max, Duration timeout) {
        PoolDataSource abandoned = pool(database, max, timeout);
        PoolDataSource timeToLive = pool(database, max, timeout);
        try {
            abandoned.setAbandonedConnectionTimeout(1);
            abandoned.setTimeoutCheckInterval(1);
            timeToLive.setTimeToLiveConnectionTimeout(1);
            timeToLive.setTimeoutCheckInterval(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return List.of(abandoned, timeToLive);
    }

    @Override
    protected void throwAway(DataSource pool, Connection lease) throws Exception {
        lease.unwrap(ValidConnection.class).setInvalid();
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE, Capability.PHYSICAL_FOLLOWS_LIMIT, Capability.EVICT, Capability.EVICT_LEASED);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(PoolDataSource.class, "ucp-");
    }

    @Override
    protected String maxSizeKey() {
        return "maxPoolSize";
    }

    /** Its shortest is not to wait at all. */
    @Override
    protected boolean canWaitForEver() {
        return false;
    }

    @Override
    protected boolean named(DataSource pool, String name) throws SQLException {
        ((PoolDataSource) pool).setConnectionPoolName(name);
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.IGNORES_INTERRUPTS,
                PoolQuirk.RESETS_NOTHING,
                PoolQuirk.CLOSE_THROWS_AFTER_THE_POOLS,
                PoolQuirk.ITS_CLASSES_STAY,
                PoolQuirk.OPENS_NOTHING_PAST_ITSELF);
    }

    @Override
    protected int minIdle(int max) {
        return 1;
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    /** 23.26 lost one in fourteen rounds without it. */
    @Test
    void aLimitedPoolServesEveryRequest() throws Exception {
        for (int round = 0; round < 60; round++) {
            PoolDataSource raw = asItComes(database, 6, Duration.ofSeconds(3));
            try (FlexPoolDataSource pool = FlexPool.wrap(raw)
                            .name("round" + round)
                            .set("base", 6)
                            .build();
                    Crowd crowd = new Crowd()) {
                crowd.ask(6, pool).join();
                assertThat(crowd.failures()).as("round %d", round).isEmpty();
            }
        }
    }

    /** A trim sets the max to what it has just read; in between, the sizes were the user's again, and it undid that. */
    @Test
    void aTrimDoesNotUndoWhatIsRestoredMeanwhile() throws Exception {
        PoolDataSource raw = asItComes(database, 6, Duration.ofSeconds(1));
        UcpAdapter adapter = new UcpAdapter(raw);
        AtomicInteger trims = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> trimming = CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                adapter.trim(1);
                trims.getAndIncrement();
            }
        });
        try {
            for (int round = 0; round < 2_000; round++) {
                adapter.resize(1);
                adapter.restore();
                int begun = trims.get();
                while (trims.get() < begun + 2 && !trimming.isDone()) {
                    Thread.onSpinWait();
                }
                assertThat(raw.getMaxPoolSize()).as("round %d", round).isEqualTo(6);
            }
        } finally {
            done.set(true);
        }
        trimming.get();
    }

    @Test
    void borrowersConnectOnlyWhileThePoolIsLimited() {
        PoolDataSource raw = asItComes(database, 2, Duration.ofSeconds(1));
        assertThat(raw.isCreateConnectionInBorrowThread()).isFalse();
        FlexPoolDataSource pool = build(wrap(raw).set("base", 1));
        assertThat(raw.isCreateConnectionInBorrowThread()).isTrue();
        assertThat(pool.mode(PoolMode.MONITOR)).isTrue();
        assertThat(raw.isCreateConnectionInBorrowThread()).isFalse();
    }

    /** Reading it threw an IllegalArgumentException of UCP: a pool that starts has figures before it has a name. */
    @Test
    void aPoolThatStartsCanBeRead() throws Exception {
        for (int round = 0; round < 20; round++) {
            PoolDataSource raw = asItComes(database, 2, Duration.ofSeconds(5));
            PoolAdapter adapter = adapter(raw);
            AtomicBoolean started = new AtomicBoolean();
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
                while (!started.get()) {
                    adapter.snapshot();
                }
            });
            try {
                raw.getConnection().close();
            } finally {
                started.set(true);
            }
            reading.get();
            adapter.close();
        }
    }

    /** UCP's own count of what is available goes below zero then, and flexpool takes such a figure for unknown. */
    @Test
    void noFigureGetsLostWhileConnectionsAreClosed() throws Exception {
        PoolDataSource raw = pool(database, 4, Duration.ofMinutes(1));
        FlexPoolDataSource pool = build(wrap(raw));
        PoolAdapter adapter = adapter(raw);
        List<PoolSnapshot> lost = new ArrayList<>();
        try (Crowd crowd = new Crowd()) {
            crowd.cycle(8, pool, Duration.ZERO, Duration.ofSeconds(3));
            AtomicInteger round = new AtomicInteger();
            Crowd.eventually(Duration.ofMillis(2500), () -> {
                adapter.resize(2 + round.getAndIncrement() % 6);
                return lookFor(lost, adapter);
            });
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(crowd.served()).isPositive();
        }
        assertThat(lost).isEmpty();
    }

    private static boolean lookFor(List<PoolSnapshot> lost, PoolAdapter adapter) {
        for (int look = 0; look < 2_000; look++) {
            PoolSnapshot now = adapter.snapshot();
            if (Math.min(Math.min(now.active(), now.idle()), now.total()) < 0) {
                lost.add(now);
            }
        }
        return !lost.isEmpty();
    }

    /** Never an active one; 23.26 keeps as many idle ones as fit, 23.9 none. */
    @Test
    void aLowerMaxClosesIdleConnectionsAtOnce() throws Exception {
        PoolDataSource raw = pool(database, 5, Duration.ofSeconds(5));
        PoolAdapter adapter = adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(5, pool).join();
        }
        try (Connection out = pool.getConnection()) {
            assertThat(database.open()).isEqualTo(5);
            adapter.resize(3);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.open() <= 3))
                    .as("open: %d", database.open())
                    .isTrue();
            assertThat(out.isValid(1)).isTrue();
        }
    }

    /** Without a look at what it lends, UCP would lend it again. */
    @Test
    void anAbortedConnectionIsNotLentAgain() throws Exception {
        PoolDataSource raw = pool(database, 1, Duration.ofSeconds(5));
        raw.setValidateConnectionOnBorrow(false);
        FlexPoolDataSource pool = build(wrap(raw));
        pool.getConnection().abort(Runnable::run);
        // UCP may have opened another one by then.
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.open() == 0 || database.opened() > 1))
                .isTrue();
        try (Connection next = pool.getConnection()) {
            assertThat(next.getCatalog()).startsWith("stub-").isNotEqualTo("stub-1");
        }
    }

    /** UCP's close throws an Error then, with the handle closed, and the place stayed taken for good. */
    @Test
    void anAbortFreesThePlaceAlthoughAStatementCannotBeClosed() throws Exception {
        PoolDataSource raw = pool(database, 1, Duration.ofSeconds(60));
        raw.setConnectionFactoryClassName(NoStatementCloses.class.getName());
        FlexPoolDataSource pool = build(wrap(raw));
        Connection aborted = pool.getConnection();
        assertThat(aborted.createStatement()).isNotNull();
        aborted.abort(Runnable::run);
        try (Connection next = pool.getConnection()) {
            assertThat(next.getCatalog()).startsWith("stub-").isNotEqualTo("stub-1");
        }
    }

    /** Of connections whose statements throw where they are closed; UCP makes one by its name. */
    public static final class NoStatementCloses implements Driver {
        private final Driver driver = new StubDriver();

        @Override
        public Connection connect(String url, Properties info) throws SQLException {
            Connection connection = driver.connect(url, info);
            return proxy(Connection.class, connection, (method, result) -> {
                if (!method.equals("createStatement")) {
                    return result;
                }
                return proxy(Statement.class, result, (called, any) -> {
                    if (called.equals("close")) {
                        throw new SQLException("stub: not closed");
                    }
                    return any;
                });
            });
        }

        private interface Answer {
            Object of(String method, Object result) throws SQLException;
        }

        private static <T> T proxy(Class<T> type, Object target, Answer answer) {
            return type.cast(Proxy.newProxyInstance(
                    NoStatementCloses.class.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
                        try {
                            return answer.of(method.getName(), method.invoke(target, args));
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    }));
        }

        @Override
        public boolean acceptsURL(String url) throws SQLException {
            return driver.acceptsURL(url);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException("stub");
        }
    }
}
