// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator suspends and resumes HikariCP by JMX, under flexpool and under load. */
@Timeout(600)
class HikariSuspensionTest {
    private static final int LIMIT = 3;
    private static final int CALLERS = 12;
    /** Over some seconds: a moment after the resumption the figures are right by chance. */
    private static final int STEADY_READS = 300;

    private final AtomicBoolean ends = new AtomicBoolean();

    private void use(FlexPoolDataSource pool) throws SQLException, InterruptedException {
        while (!ends.get()) {
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isReadOnly()).isFalse();
                Thread.sleep(50);
            }
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            Thread.sleep(10);
        }
    }

    /** After the resumption all leases counted as connections borrowed past flexpool, as long as the load lasted. */
    @Test
    void leasesAreCountedAfterASuspension() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:");
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(LIMIT);
        config.setAllowPoolSuspension(true);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (HikariDataSource pool = new HikariDataSource(config);
                FlexPoolDataSource monitored = FlexPool.wrap(pool)
                        .name("suspended")
                        .properties(Map.of("flexpool.base", "3", "flexpool.ceiling", "4"))
                        .build()) {
            List<Future<?>> used = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                used.add(callers.submit(() -> {
                    use(monitored);
                    return true;
                }));
            }
            await("all are leased", () -> monitored.state().leased() == LIMIT);
            pool.getHikariPoolMXBean().suspendPool();
            await(
                    "all callers are inside",
                    () -> monitored.state().waiting() == 0
                            && monitored.state().leased() == 0
                            && monitored.state().entering() == 0);
            pool.getHikariPoolMXBean().resumePool();
            AtomicInteger counted = new AtomicInteger();
            await("all leases are counted", () -> {
                boolean all =
                        monitored.state().leased() > 0 && monitored.state().foreign() == 0;
                return (all ? counted.incrementAndGet() : counted.getAndSet(0)) == STEADY_READS;
            });
            ends.set(true);
            for (Future<?> each : used) {
                each.get(2, TimeUnit.MINUTES);
            }
            await(
                    "no permit is lost or left",
                    () -> monitored.state().leased() == 0 && monitored.state().entering() == 0);
        } finally {
            ends.set(true);
            callers.shutdown();
        }
    }
}
