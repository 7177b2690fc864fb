// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbPoolDataSource;

/** What can be tested without a server: the port has no listener. */
class MariaDbAdapterTest {
    private static final Set<PoolMetric> SHOWN =
            Set.of(PoolMetric.IDLE, PoolMetric.MAX, PoolMetric.MIN_IDLE, PoolMetric.LIMIT, PoolMetric.FOREIGN);

    /** Bound and deaf, so that no other process takes the port. */
    private final Socket deaf = new Socket();

    private String url;
    private MariaDbPoolDataSource pool;

    @BeforeEach
    void make() throws IOException, SQLException {
        deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        url = "jdbc:mariadb://127.0.0.1:" + deaf.getLocalPort()
                + "/test?user=app&password=secret&maxPoolSize=3&minPoolSize=1&connectTimeout=500&poolName=port"
                + deaf.getLocalPort();
        pool = new MariaDbPoolDataSource(url);
    }

    @AfterEach
    void end() throws IOException {
        deaf.close();
    }

    private PoolAdapter adapter() {
        return new LegacyAdapterProvider().adapt(pool).orElseThrow();
    }

    @Test
    void itsSizesAreThoseOfItsUrl() throws Exception {
        PoolAdapter adapter = adapter();
        assertThat(adapter.snapshot()).isEqualTo(new PoolSnapshot(3, 1, 0, 0, 0, 0));
        assertThat(adapter.acquisitionTimeout()).contains(Duration.ofMillis(500));
        assertThat(adapter.acquisitionTimeoutKey()).isEqualTo("connectTimeout");
        assertThat(adapter.capabilities()).containsExactly(Capability.PENDING_COUNT);
        adapter.prepare(1, 3);
        assertThatThrownBy(() -> adapter.prepare(1, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxPoolSize")
                .hasMessageContaining("4");
        adapter.close();
    }

    /** It had none for good: what is shown was decided by the figures of the moment, and a pool without a URL has none. */
    @Test
    void wrappedBeforeItsFirstUseItHasItsIdleSeries() throws Exception {
        MariaDbPoolDataSource unused = new MariaDbPoolDataSource();
        try (FlexPoolDataSource wrapped =
                FlexPool.wrap(unused).name("unused").set("base", 2).build()) {
            assertThat(wrapped.state().pool()).isEqualTo(PoolSnapshot.NOTHING_KNOWN);
            assertThat(SHOWN).allMatch(wrapped::supports);
            assertThat(PoolReading.of(wrapped).gauge(PoolMetric.IDLE)).isNaN();
            unused.setUrl(url);
            PoolReading started = PoolReading.of(wrapped);
            assertThat(started.state().pool()).isEqualTo(new PoolSnapshot(3, 1, 0, 0, 0, 0));
            assertThat(SHOWN).allMatch(wrapped::supports).noneMatch(gauge -> Double.isNaN(started.gauge(gauge)));
            assertThat(wrapped.capabilities()).as("constant").isEmpty();
        }
    }

    @Test
    void aClosedPortIsAConnectFailure() {
        try (FlexPoolDataSource wrapped = FlexPool.wrap(pool).name("refused").build()) {
            assertThatThrownBy(wrapped::getConnection).isExactlyInstanceOf(SQLException.class);
            assertThat(wrapped.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.CONNECT_FAILURE)
                            .count())
                    .isOne();
        }
    }

    @Test
    void onceClosedItIsSaidToBeClosed() throws Exception {
        PoolAdapter adapter = adapter();
        assertThat(adapter.isClosed()).isFalse();
        adapter.close();
        adapter.close();
        assertThat(adapter.isClosed()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("port" + deaf.getLocalPort()) && thread.isAlive());
    }
}
