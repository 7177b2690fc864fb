// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.tck.StubDatabase;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Not the whole contract: the pool loses a place for each connection that dies, and then lets its requests wait for ever. */
class PgPoolingAdapterTest {
    private final StubDatabase database = new StubDatabase();

    private StubPgPool pool(int max) {
        StubPgPool pool = new StubPgPool(database.dataSource());
        pool.setMaxConnections(max);
        return pool;
    }

    private static PoolAdapter adapter(StubPgPool pool) {
        return new LegacyAdapterProvider().adapt(pool).orElseThrow();
    }

    @Test
    void aLimitNeedsATimeoutAndThenRequestsWaitAtTheGate() throws Exception {
        StubPgPool raw = pool(2);
        FlexPoolBuilder without = FlexPool.wrap(raw).name("gate").base(1);
        assertThatThrownBy(without::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("acquisition-timeout")
                .hasMessageContaining("waits for ever");
        FlexPoolDataSource pool = FlexPool.wrap(raw)
                .name("gate")
                .base(1)
                .acquisitionTimeout(Duration.ofMillis(100))
                .build();
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            assertThatThrownBy(pool::getConnection)
                    .isExactlyInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("exhausted, every connection is out");
        }
        pool.getConnection().close();
        pool.close();
        assertThat(database.open()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "NO_SUCH_DATABASE", "TOO_MANY_CONNECTIONS"})
    void aDatabaseThatRefusesIsAConnectFailure(StubDatabase.Fault fault) {
        FlexPoolDataSource pool = FlexPool.wrap(pool(2)).name("refused").build();
        database.fault(fault);
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.CONNECT_FAILURE)
                        .count())
                .isOne();
        pool.close();
    }

    @Test
    void aPoolIsMadeWithTheCeilingAndARunningOneIsRefusedByTheNameOfItsSetting() throws Exception {
        StubPgPool raw = pool(2);
        PoolAdapter adapter = adapter(raw);
        adapter.prepare(1, 5);
        assertThat(raw.getMaxConnections()).isEqualTo(5);
        adapter.restore();
        assertThat(raw.getMaxConnections()).isEqualTo(2);
        raw.getConnection().close();
        assertThatThrownBy(() -> adapter.prepare(1, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxConnections");
        adapter.close();
    }

    @Test
    void aPoolThatWasClosedPastFlexpoolIsSaidToBeClosed() throws Exception {
        StubPgPool raw = pool(2);
        raw.getConnection().close();
        raw.close();
        PoolAdapter adapter = adapter(raw);
        assertThatThrownBy(raw::getConnection)
                .satisfies(thrown -> assertThat(
                                adapter.classify(thrown, adapter.snapshot(), 1).kind())
                        .isEqualTo(AcquisitionFailure.Kind.CLOSED));
    }
}
