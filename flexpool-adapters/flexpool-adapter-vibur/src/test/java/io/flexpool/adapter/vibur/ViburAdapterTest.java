// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.vibur;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.vibur.dbcp.ViburDBCPDataSource;

class ViburAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        ViburDBCPDataSource pool = vibur(database, max, timeout);
        pool.start();
        return pool;
    }

    static ViburDBCPDataSource vibur(DataSource database, int max, Duration timeout) {
        ViburDBCPDataSource pool = new ViburDBCPDataSource();
        pool.setExternalDataSource(database);
        pool.setPoolInitialSize(0);
        pool.setPoolMaxSize(max);
        pool.setConnectionTimeoutInMs(timeout.toMillis());
        pool.setDefaultAutoCommit(true);
        pool.setResetDefaultsAfterUse(true);
        // Each time, not only after five seconds in the pool.
        pool.setConnectionIdleLimitInSeconds(0);
        return pool;
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        ViburDBCPDataSource pool = vibur(from, max, timeout);
        pool.setPoolEnableConnectionTracking(true);
        pool.setLogTakenConnectionsOnTimeout(true);
        pool.start();
        return List.of(pool);
    }

    @Override
    protected boolean named(DataSource pool, String name) {
        ((ViburDBCPDataSource) pool).setName(name);
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(PoolQuirk.TAKES_NOTHING_BACK, PoolQuirk.ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING);
    }

    @Override
    protected void evictByItself(DataSource pool) {
        ((ViburDBCPDataSource) pool).getPool().reduceCreatedTo(0, true);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTimeoutException.class;
    }

    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        return List.of(pool(from, 1, timeout), withDefaults(from, timeout, true), withDefaults(from, timeout, false));
    }

    private static DataSource withDefaults(DataSource from, Duration timeout, boolean reset) {
        ViburDBCPDataSource pool = vibur(from, 1, timeout);
        pool.setDefaultCatalog("configured");
        pool.setDefaultTransactionIsolation("READ_COMMITTED");
        pool.setResetDefaultsAfterUse(reset);
        pool.start();
        return pool;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.EXACT_TRIM, Capability.PHYSICAL_FOLLOWS_LIMIT, Capability.EVICT);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(ViburDBCPDataSource.class, "vibur-dbcp-");
    }

    @Override
    protected String maxSizeKey() {
        return "poolMaxSize";
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    @Test
    void anUnstartedPoolsMaxIsRaisedAndRestored() {
        ViburDBCPDataSource raw = vibur(database.dataSource(), 2, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(raw);
        adapter.prepare(2, 5);
        assertThat(raw.getPoolMaxSize()).isEqualTo(5);
        adapter.restore();
        assertThat(raw.getPoolMaxSize()).isEqualTo(2);
        adapter.prepare(2, 5);
        raw.start();
        build(wrap(raw));
        adapter.restore();
        assertThat(adapter.snapshot().max()).as("a running one keeps it").isEqualTo(5);
        assertThat(raw.getPoolMaxSize()).as("and says so").isEqualTo(5);
    }

    /** Vibur opens them at its start; flexpool's limit is lower. */
    @Test
    void theInitialConnectionsComeDownToTheLimit() throws Exception {
        ViburDBCPDataSource raw = vibur(database.dataSource(), 6, Duration.ofSeconds(1));
        raw.setPoolInitialSize(6);
        raw.start();
        assertThat(database.open()).isEqualTo(6);
        build(wrap(raw).set("base", 2));
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.open() == 2))
                .as("%d open", database.open())
                .isTrue();
    }

    @Test
    void aRequestOfAnUnstartedPoolIsAnOtherFailure() {
        ViburDBCPDataSource raw = vibur(database.dataSource(), 2, Duration.ofSeconds(1));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.ERROR)
                        .count())
                .isOne();
    }

    @Test
    void failuresOfDriverAndListenerAreDistinguished() {
        ViburDBCPDataSource raw = vibur(database.dataSource(), 2, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(raw);
        PoolSnapshot full = new PoolSnapshot(2, 0, 2, 0, 2, PoolSnapshot.UNKNOWN);
        SQLException interrupted = new SQLException("any", new InterruptedException());
        assertThat(adapter.classify(interrupted, full, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.INTERRUPTED);
        assertThat(adapter.classify(new IllegalStateException(), full, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.OTHER);
        assertThat(adapter.classify(new SQLException("any"), full, Duration.ofNanos(1))
                        .kind())
                .isEqualTo(Kind.CONNECT_FAILED);
    }

    /** As the pool's own, and with what the driver said where it said something. */
    @Test
    void aTimeoutAtTheGateEqualsOneOfThePool() throws Exception {
        ViburDBCPDataSource raw = vibur(database.dataSource(), 1, Duration.ofMillis(100));
        raw.start();
        PoolAdapter adapter = adapter(raw);
        try (Connection held = raw.getConnection()) {
            assertThat(held).isNotNull();
            SQLException its = catchThrowableOfType(SQLException.class, raw::getConnection);
            SQLException ours = adapter.timeout("flexpool", null);
            assertThat(ours.getClass()).isEqualTo(its.getClass());
            assertThat(ours.getSQLState()).isEqualTo(its.getSQLState());
        } finally {
            raw.close();
        }
        SQLException down = new SQLException("any", "08001", 7);
        SQLException inAnOutage = adapter.timeout("flexpool", down);
        assertThat((Throwable) inAnOutage)
                .isExactlyInstanceOf(SQLTimeoutException.class)
                .hasCause(down);
        assertThat(inAnOutage.getSQLState()).isEqualTo("08001");
        assertThat(inAnOutage.getErrorCode()).isEqualTo(7);
    }

    @Test
    void aDiscardedConnectionIsClosedAndAClosedPoolHasNone() throws Exception {
        ViburDBCPDataSource raw = vibur(database.dataSource(), 2, Duration.ofSeconds(1));
        raw.start();
        PoolAdapter adapter = adapter(raw);
        adapter.discard(raw.getConnection());
        assertThat(database.open()).isZero();
        assertThat(adapter.snapshot().active()).isZero();
        try (Connection out = raw.getConnection()) {
            assertThat(out.isValid(1)).isTrue();
            assertThat(adapter.snapshot().active()).isOne();
            adapter.close();
            assertThat(adapter.snapshot().total()).isZero();
        }
    }
}
