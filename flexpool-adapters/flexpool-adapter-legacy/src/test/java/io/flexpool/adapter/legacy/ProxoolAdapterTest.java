// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.tck.StubDatabase;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.logicalcobwebs.proxool.ProxoolDataSource;
import org.logicalcobwebs.proxool.ProxoolFacade;

/** Not the whole contract: where many ask at once, Proxool itself refuses one now and then although there is room. */
class ProxoolAdapterTest {
    private final StubDatabase database = new StubDatabase();

    private ProxoolDataSource pool(int max) {
        ProxoolDataSource pool = new ProxoolDataSource();
        pool.setAlias("stub-" + database.url());
        pool.setDriver("io.flexpool.adapter.tck.StubDriver");
        pool.setDriverUrl(database.url());
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMaximumConnectionCount(max);
        return pool;
    }

    private static long count(FlexPoolDataSource pool, AcquisitionOutcome outcome) {
        return pool.statistics().total().acquisition(outcome).count();
    }

    @Test
    void aFullPoolIsExhaustedAtOnceAndTellsItsFigures() throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(2)).name("full").build();
        assertThat(pool.state().pool()).isEqualTo(new PoolSnapshot(2, 0, 0, 0, 0, PoolSnapshot.UNKNOWN));
        assertThat(database.connectAttempts()).as("a look at it starts it").isZero();
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(one.getCatalog()).isNotEqualTo(two.getCatalog());
            assertThat(pool.state().pool()).isEqualTo(new PoolSnapshot(2, 0, 2, 0, 2, PoolSnapshot.UNKNOWN));
            assertThatThrownBy(pool::getConnection).isExactlyInstanceOf(SQLException.class);
        }
        assertThat(pool.state().pool()).isEqualTo(new PoolSnapshot(2, 0, 0, 2, 2, PoolSnapshot.UNKNOWN));
        assertThat(count(pool, AcquisitionOutcome.TIMEOUT)).isOne();
        pool.close();
        assertThat(database.open()).isZero();
    }

    @Test
    void withATimeoutRequestsWaitAtTheGateAndGetThePoolsClass() throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(2))
                .name("gate")
                .base(1)
                .acquisitionTimeout(Duration.ofMillis(100))
                .build();
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            assertThatThrownBy(pool::getConnection)
                    .isExactlyInstanceOf(SQLException.class)
                    .hasMessageContaining("exhausted, every connection is out");
        }
        pool.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "NO_SUCH_DATABASE", "TOO_MANY_CONNECTIONS"})
    void aDatabaseThatRefusesIsAConnectFailure(StubDatabase.Fault fault) throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(2)).name("refused").build();
        database.fault(fault);
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        database.fault(StubDatabase.Fault.NONE);
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            database.fault(fault);
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        }
        assertThat(count(pool, AcquisitionOutcome.CONNECT_FAILURE)).isEqualTo(2);
        assertThat(count(pool, AcquisitionOutcome.TIMEOUT)).isZero();
        pool.close();
    }

    @Test
    void aPoolIsMadeWithTheCeilingAndARunningOneIsRefusedByTheNameOfItsSetting() throws Exception {
        ProxoolDataSource raw = pool(2);
        PoolAdapter adapter = new LegacyAdapterProvider().adapt(raw).orElseThrow();
        adapter.prepare(2, 20);
        assertThat(raw.getMaximumConnectionCount()).isEqualTo(20);
        assertThat(raw.getSimultaneousBuildThrottle()).isEqualTo(20);
        adapter.restore();
        assertThat(raw.getMaximumConnectionCount()).isEqualTo(2);
        assertThat(raw.getSimultaneousBuildThrottle()).isEqualTo(10);
        raw.getConnection().close();
        assertThatThrownBy(() -> adapter.prepare(2, 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maximumConnectionCount");
        adapter.close();
    }

    @Test
    void anAbortedConnectionIsNotLentAgain() throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(1)).name("aborted").build();
        Connection aborted = pool.getConnection();
        String which = aborted.getCatalog();
        aborted.abort(Runnable::run);
        try (Connection next = pool.getConnection()) {
            assertThat(next.getCatalog()).isNotEqualTo(which);
        }
        pool.close();
    }

    @Test
    void afterCloseTheAliasIsGoneAndNoRequestMakesItAnew() throws Exception {
        ProxoolDataSource raw = pool(1);
        FlexPoolDataSource pool = FlexPool.wrap(raw).name("closed").build();
        pool.getConnection().close();
        pool.close();
        assertThat(ProxoolFacade.getAliases()).doesNotContain(raw.getAlias());
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThat(ProxoolFacade.getAliases()).doesNotContain(raw.getAlias());
        assertThat(database.open()).isZero();
    }
}
