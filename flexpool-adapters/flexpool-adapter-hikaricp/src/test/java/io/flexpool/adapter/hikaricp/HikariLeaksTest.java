// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.PoolMetric;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases that do not end, on the real pool. */
@Timeout(300)
class HikariLeaksTest {
    private static final int LEAKED = 12;
    private static final int MAX = 20;

    private final StubDatabase database = new StubDatabase();
    private final Events events = new Events();

    private static final class Events implements PoolListener {
        private final CountDownLatch suspected = new CountDownLatch(LEAKED);
        private final CountDownLatch resolved = new CountDownLatch(LEAKED);
        private final List<OpenLease> leases = new CopyOnWriteArrayList<>();
        private final List<PoolEvent.LeakResolved> taken = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.LeakSuspected suspectedEvent) {
                leases.add(suspectedEvent.lease());
                suspected.countDown();
            } else if (event instanceof PoolEvent.LeakResolved resolvedEvent) {
                taken.add(resolvedEvent);
                resolved.countDown();
            }
        }
    }

    @Test
    void leaksOfTwelveAreNamed() throws Exception {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setDataSource(database.dataSource());
        hikari.setMaximumPoolSize(MAX);
        hikari.setConnectionTimeout(5_000);
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari)
                .name("leaking")
                .set("call-sites.sample-every", 1)
                .set("leak.threshold", Duration.ofMillis(200))
                .listener(events)
                .build()) {
            List<Connection> leaked = new ArrayList<>();
            int first = line() + 3;
            for (int times = 0; times < LEAKED / 2; times++) {
                // Two lines that leak.
                leaked.add(pool.getConnection());
                leaked.add(pool.getConnection());
            }
            assertThat(events.suspected.await(3, TimeUnit.MINUTES))
                    .as("all are named")
                    .isTrue();
            String method = "HikariLeaksTest.leaksOfTwelveAreNamed";
            assertThat(events.leases)
                    .extracting(OpenLease::callSite)
                    .containsOnly(
                            method + "(HikariLeaksTest.java:" + first + ")",
                            method + "(HikariLeaksTest.java:" + (first + 1) + ")");
            assertThat(events.leases)
                    .extracting(OpenLease::thread)
                    .containsOnly(Thread.currentThread().getName());

            for (Connection late : leaked) {
                late.close();
            }
            assertThat(events.resolved.await(3, TimeUnit.MINUTES)).isTrue();
            assertThat(events.taken)
                    .extracting(PoolEvent.LeakResolved::reclaimed)
                    .containsOnly(false);
            assertThat(pool.openLeases()).isEmpty();
            assertThat(pool.state().leased()).isZero();
            // Before others are leased: where the machine is busy, they last for longer than the threshold.
            assertThat(pool.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED))
                    .isEqualTo(LEAKED);
            allCanBeHad(pool);
            assertThat(database.peak()).isLessThanOrEqualTo(MAX);
        }
    }

    private static void allCanBeHad(FlexPoolDataSource pool) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int times = 0; times < MAX; times++) {
            all.add(pool.getConnection());
        }
        assertThat(pool.openLeases()).hasSize(MAX);
        for (Connection one : all) {
            one.close();
        }
    }

    /** The line that calls this. */
    private static int line() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(1).findFirst().orElseThrow().getLineNumber());
    }
}
