// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.faults.Crowd;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.junit.jupiter.api.Test;

class MyBatisAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        PooledDataSource pool =
                new PooledDataSource("io.flexpool.adapter.tck.database.StubDriver", database.url(), "app", "secret");
        pool.setPoolMaximumActiveConnections(max);
        pool.setPoolMaximumIdleConnections(max);
        pool.setPoolTimeToWait(50);
        pool.setPoolPingEnabled(true);
        pool.setPoolPingQuery("select 1");
        pool.setPoolMaximumCheckoutTime(600_000);
        return pool;
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        PooledDataSource pool = (PooledDataSource) pool(from, max, timeout);
        pool.setPoolMaximumCheckoutTime(1_000);
        return List.of(pool);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTransientConnectionException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    protected String maxSizeKey() {
        return "poolMaximumActiveConnections";
    }

    @Override
    protected boolean canWaitForEver() {
        return true;
    }

    /** It has no close, and opens again after {@code forceCloseAll}. */
    @Override
    protected boolean staysClosed() {
        return false;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.WAITS_AT_THE_GATE_ONLY,
                PoolQuirk.REPORTS_MAX_ONLY,
                PoolQuirk.RESETS_NOTHING,
                PoolQuirk.ITS_CLASSES_STAY,
                PoolQuirk.OPENS_NOTHING_PAST_ITSELF);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    private FlexPoolDataSource bound(int most, int overdueMillis) {
        PooledDataSource pool = (PooledDataSource) pool(database.dataSource(), most, Duration.ZERO);
        pool.setPoolMaximumCheckoutTime(overdueMillis);
        return build(wrap(pool).set("base", 1).set("acquisition-timeout", Duration.ofSeconds(60)));
    }

    /** It waited for a permit until its timeout, and the pool never got the request that would have found it full. */
    @Test
    void aRequestBehindAForgottenConnectionIsServed() throws Exception {
        FlexPoolDataSource pool = bound(1, 200);
        Connection forgotten = pool.getConnection();
        try (Connection next = pool.getConnection()) {
            assertThat(next.isValid(1)).isTrue();
            assertThat(forgotten.isClosed()).isTrue();
            forgotten.close();
            assertThat(pool.state().leased()).isOne();
        }
        assertThat(pool.statistics().total().leases().count()).isEqualTo(2);
        assertThat(database.open()).as("the same connection was lent again").isOne();
    }

    /** A pool that could lend more keeps what is leased, and opens nothing beyond the limit. */
    @Test
    void aPoolThatIsNotFullTakesNothingBack() throws Exception {
        isKept(bound(2, 200));
        assertThat(database.opened()).isOne();
    }

    @Test
    void whatIsNotOverdueIsNotTakenBack() throws Exception {
        isKept(bound(1, 60_000));
    }

    private static void isKept(FlexPoolDataSource pool) throws Exception {
        try (Crowd crowd = new Crowd()) {
            Connection held = pool.getConnection();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(2), () -> isClosed(held)))
                    .isFalse();
            held.close();
            crowd.join();
            assertThat(crowd.served()).isOne();
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException unknown) {
            return true;
        }
    }
}
