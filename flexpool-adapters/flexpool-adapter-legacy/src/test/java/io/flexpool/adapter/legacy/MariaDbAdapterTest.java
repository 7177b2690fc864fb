// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbPoolDataSource;

/** What can be tested without a server: the port has no listener. */
class MariaDbAdapterTest {
    /** Bound and deaf, so that no other process takes the port. */
    private final Socket deaf = new Socket();

    private MariaDbPoolDataSource pool;

    @BeforeEach
    void make() throws IOException, SQLException {
        deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        pool = new MariaDbPoolDataSource("jdbc:mariadb://127.0.0.1:" + deaf.getLocalPort()
                + "/test?user=app&password=secret&maxPoolSize=3&minPoolSize=1&connectTimeout=500&poolName=port"
                + deaf.getLocalPort());
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
