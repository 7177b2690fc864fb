// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** docs/how-to/migrate-druid.md: Druid's own figures and flexpool's. */
@Timeout(300)
class DruidMonitorTest {
    private static final int AT_ONCE = 3;

    /** What both programs are given to do. */
    private static void work(DataSource orders, ThrowingRunnable whileHeld) throws Throwable {
        List<Connection> held = new ArrayList<>();
        for (int at = 0; at < AT_ONCE; at++) {
            held.add(orders.getConnection());
        }
        whileHeld.run();
        for (Connection one : held) {
            try (Statement statement = one.createStatement()) {
                statement.execute("select 1");
            }
            one.close();
        }
        orders.getConnection().close();
    }

    private static Map<String, Long> druid() throws Throwable {
        try (DruidDataSource orders = DruidMonitorBefore.watched(RealDatabase.druidPool())) {
            work(orders, () -> assertThat(orders.getActiveCount()).isEqualTo(AT_ONCE));
            return Map.of(
                    "acquired", orders.getConnectCount(),
                    "returned", orders.getCloseCount(),
                    "in use at most", (long) orders.getActivePeak(),
                    "in use", (long) orders.getActiveCount(),
                    "open", (long) orders.getPoolingCount(),
                    "size", (long) orders.getMaxActive(),
                    "leaked", orders.getRemoveAbandonedCount());
        }
    }

    private static Map<String, Long> flexpool() throws Throwable {
        try (FlexPoolDataSource orders = DruidMonitorAfter.watched(RealDatabase.druidPool())) {
            work(
                    orders,
                    () -> await().until(() -> orders.statistics()
                                    .recent()
                                    .numbers(PoolMetric.ACTIVE_SAMPLED)
                                    .max()
                            == AT_ONCE));
            PoolStatistics.Figures total = orders.statistics().total();
            // What StatFilter says of SQL is still there.
            assertThat(orders.unwrap(DruidDataSource.class).getDataSourceStat().getSqlStatMap())
                    .containsKey("select 1");
            return Map.of(
                    "acquired", total.acquisition(AcquisitionOutcome.OK).count(),
                    "returned", total.leases().count(),
                    "in use at most",
                            (long) orders.statistics()
                                    .recent()
                                    .numbers(PoolMetric.ACTIVE_SAMPLED)
                                    .max(),
                    "in use", (long) orders.state().leased(),
                    "open", (long) orders.unwrap(DruidDataSource.class).getPoolingCount(),
                    "size",
                            (long) orders.statistics()
                                    .recent()
                                    .numbers(PoolMetric.LIMIT_SAMPLED)
                                    .max(),
                    "leaked", total.counter(PoolMetric.LEAKS_SUSPECTED));
        }
    }

    @Test
    void bothProgramsShowTheSameFigures() throws Throwable {
        Map<String, Long> before = druid();
        assertThat(before).containsEntry("acquired", 4L).containsEntry("in use at most", 3L);
        assertThat(flexpool()).isEqualTo(before);
        assertThat(DocumentTest.expectedOn("migrate-druid.md")).isEqualTo(before);
    }
}
