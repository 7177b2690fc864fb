// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.QueryCountHolder;
import net.ttddyy.dsproxy.support.ProxyDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** docs/how-to/migrate-datasource-proxy.md: the figures of connections are flexpool's, those of queries stay. */
@Timeout(300)
class DatasourceProxyTest {
    @BeforeEach
    void countFromZero() {
        QueryCountHolder.clear();
    }

    /** What both programs are given to do; one connection stays open. */
    private static Connection work(DataSource orders) throws SQLException {
        for (int at = 0; at < 2; at++) {
            try (Connection one = orders.getConnection();
                    Statement statement = one.createStatement()) {
                statement.execute("select 1");
            }
        }
        return orders.getConnection();
    }

    private static Map<String, Long> datasourceProxy() throws Exception {
        DatasourceProxyBefore.Leases leases = new DatasourceProxyBefore.Leases();
        try (HikariDataSource pool = RealDatabase.hikariPool();
                ProxyDataSource orders = DatasourceProxyBefore.watched(pool, leases);
                Connection open = work(orders)) {
            assertThat(open.isClosed()).isFalse();
            return Map.of(
                    "acquired", leases.acquired.sum(),
                    "closed", leases.closed.sum(),
                    "open",
                            (long) orders.getConnectionIdManager()
                                    .getOpenConnectionIds()
                                    .size(),
                    "queries", QueryCountHolder.get("orders").getTotal());
        }
    }

    private static Map<String, Long> flexpool() throws Exception {
        DatasourceProxyAfter.Leases leases = new DatasourceProxyAfter.Leases();
        try (FlexPoolDataSource pool = DatasourceProxyAfter.watched(RealDatabase.hikariPool(), leases);
                ProxyDataSource orders = DatasourceProxyAfter.withQueries(pool);
                Connection open = work(orders)) {
            assertThat(open.isClosed()).isFalse();
            return Map.of(
                    "acquired", leases.acquired.sum(),
                    "closed", leases.closed.sum(),
                    "open", (long) pool.openLeases().size(),
                    "queries", QueryCountHolder.get("orders").getTotal());
        }
    }

    @Test
    void bothProgramsShowTheSameFigures() throws Exception {
        Map<String, Long> before = datasourceProxy();
        assertThat(before)
                .containsOnly(
                        Map.entry("acquired", 3L),
                        Map.entry("closed", 2L),
                        Map.entry("open", 1L),
                        Map.entry("queries", 2L));
        QueryCountHolder.clear();
        assertThat(flexpool()).isEqualTo(before);
        assertThat(DocumentTest.expectedOn("migrate-datasource-proxy.md")).isEqualTo(before);
    }

    /** Each lease was counted twice. */
    @Test
    void aSecondFlexpoolAroundTheProxyIsRefused() throws Exception {
        try (FlexPoolDataSource pool =
                        DatasourceProxyAfter.watched(RealDatabase.hikariPool(), new DatasourceProxyAfter.Leases());
                ProxyDataSource orders = DatasourceProxyAfter.withQueries(pool)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> FlexPool.wrap(orders).name("again").build())
                    .withMessage("orders: the data source to wrap (net.ttddyy.dsproxy.support.ProxyDataSource) contains"
                            + " flexpool's own wrapper of this pool");
        }
    }
}
