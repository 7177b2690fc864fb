// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jolbox.bonecp.BoneCPDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.StubDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BoneCpAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        BoneCPDataSource pool = new BoneCPDataSource();
        pool.setDatasourceBean(source);
        pool.setPartitionCount(1);
        pool.setMaxConnectionsPerPartition(max);
        pool.setMinConnectionsPerPartition(0);
        // Else it forgets some of those who ask at once; see the adapter.
        pool.setAcquireIncrement(max);
        pool.setAcquireRetryAttempts(0);
        pool.setAcquireRetryDelayInMs(100);
        pool.setConnectionTimeoutInMs(timeout.toMillis());
        pool.setResetConnectionOnClose(true);
        pool.setDisableJMX(true);
        return pool;
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        BoneCPDataSource pool = (BoneCPDataSource) pool(from, max, timeout);
        pool.setCloseConnectionWatch(true);
        pool.setCloseConnectionWatchTimeoutInMs(1_000);
        return List.of(pool);
    }

    /** Its reset rolls back in auto-commit mode too, which PostgreSQL's driver refuses. */
    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        BoneCPDataSource pool = (BoneCPDataSource) pool(from, 1, timeout);
        pool.setResetConnectionOnClose(false);
        return List.of(pool);
    }

    /** With an increment of one it does not fill up by itself, so that one more means a connect. */
    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "TOO_MANY_CONNECTIONS", "HANGING"})
    void aPoolWithRoomThatCannotConnectIsNotExhausted(StubDatabase.Fault fault) throws Exception {
        BoneCPDataSource raw = (BoneCPDataSource) pool(database.dataSource(), 12, Duration.ofMillis(300));
        raw.setAcquireIncrement(1);
        FlexPoolDataSource pool = build(wrap(raw));
        List<Connection> out = new ArrayList<>();
        try {
            out.add(pool.getConnection());
            database.fault(fault);
            // First what it opened beside that one, which may have been on its way.
            assertThatThrownBy(() -> {
                        while (true) {
                            out.add(pool.getConnection());
                        }
                    })
                    .satisfies(thrown -> assertThat(thrown.getSuppressed())
                            .anySatisfy(report -> assertThat(report).hasMessageContaining("not exhausted")));
            assertThat(out).hasSizeLessThan(12);
        } finally {
            for (Connection connection : out) {
                connection.close();
            }
        }
    }

    /** Admitting a request for which no connection is opened would let it time out. */
    @Test
    void aBoundPoolOpensForAllConcurrentRequests() {
        BoneCPDataSource raw = (BoneCPDataSource) pool(database.dataSource(), 6, Duration.ofSeconds(1));
        raw.setAcquireIncrement(2);
        PoolAdapter adapter = adapter(raw);
        adapter.prepare(2, 9);
        assertThat(raw.getAcquireIncrement()).isEqualTo(9);
        assertThat(raw.getMaxConnectionsPerPartition()).isEqualTo(9);
        adapter.restore();
        assertThat(raw.getAcquireIncrement()).isEqualTo(2);
        assertThat(raw.getMaxConnectionsPerPartition()).isEqualTo(6);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    protected String maxSizeKey() {
        return "maxConnectionsPerPartition";
    }

    @Override
    protected boolean canWaitForEver() {
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.LEAVES_REQUESTS_WAITING,
                PoolQuirk.LENDS_DEAD_CONNECTIONS,
                PoolQuirk.LEAVES_LEASED_CONNECTIONS_OPEN,
                PoolQuirk.HIDES_WHY_A_CONNECT_FAILED,
                PoolQuirk.TAKES_NOTHING_BACK,
                PoolQuirk.KEEPS_ABORTED_CONNECTIONS);
    }

    /** Its thread opens as many as the increment, one after the other, and goes on when the requests are served. */
    @Override
    protected int opens(int requests, int max) {
        return max;
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }
}
