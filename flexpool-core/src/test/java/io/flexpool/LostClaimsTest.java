// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Permits that two quiet ticks contradict. Here a request that is held inside the pool stands for one that is gone:
 * what a look from outside sees is the same, and it can come back after all.
 */
@Timeout(300)
class LostClaimsTest {
    private static final int LIMIT = 3;
    private static final Duration TICK = Duration.ofMillis(250);

    private final ManualTicker ticker = new ManualTicker();
    private final FakePool fake = new FakePool();
    private final CountDownLatch held = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private MonitoredPool pool = pool();

    @AfterEach
    void end() {
        held.countDown();
        threads.shutdownNow();
    }

    private MonitoredPool pool() {
        Settings settings = new Settings();
        settings.ticker = ticker;
        settings.set(CoreKey.BASE, LIMIT);
        settings.strategies.add(FailFast.above(0));
        fake.max = LIMIT;
        fake.total = LIMIT;
        fake.active = 0;
        fake.idle = LIMIT;
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "sweep", fake).check());
    }

    private void ticks(int number) {
        for (int at = 0; at < number; at++) {
            ticker.advance(TICK);
            pool.tick();
        }
    }

    /** A request that has a permit and does not come out of the pool. */
    private Future<Connection> inside() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        fake.answer = () -> {
            inside.countDown();
            held.await();
            return fake.connection();
        };
        Future<Connection> request = threads.submit(() -> pool.acquiring().acquire());
        assertThat(inside.await(5, TimeUnit.MINUTES)).isTrue();
        fake.answer = fake::connection;
        return request;
    }

    private @Nullable Connection acquire() throws Exception {
        return threads.submit(() -> {
                    try {
                        return pool.acquiring().acquire();
                    } catch (SQLException turnedAway) {
                        return null;
                    }
                })
                .get();
    }

    /** How many connections can be out at once beside those that are. */
    private int room() throws Exception {
        List<Connection> all = new ArrayList<>();
        Connection next;
        while ((next = acquire()) != null) {
            all.add(next);
        }
        for (Connection one : all) {
            one.close();
        }
        return all.size();
    }

    @Test
    void aLostPermitReturnsAfterTwoQuietTicks() throws Exception {
        Future<Connection> gone = inside();
        assertThat(room()).isEqualTo(LIMIT - 1);
        ticks(1);
        assertThat(pool.state().entering()).as("one tick is no proof").isOne();
        ticks(1);
        assertThat(pool.state().entering()).isZero();
        assertThat(room()).isEqualTo(LIMIT);
        assertThat(gone).isNotDone();
    }

    @Test
    void oneThatComesBackAfterAllIsNotThereTwice() throws Exception {
        Future<Connection> late = inside();
        ticks(3);
        held.countDown();
        Connection lease = late.get();
        fake.active = 1;
        ticks(3);
        assertThat(room()).as("beside the open lease").isEqualTo(LIMIT - 1);
        lease.close();
        fake.active = 0;
        ticks(3);
        assertThat(room()).isEqualTo(LIMIT);
    }

    @Test
    void aConnectWithoutIdleConnectionsIsNotWrittenOff() throws Exception {
        fake.idle = 0;
        Future<Connection> connecting = inside();
        ticks(50);
        assertThat(pool.state().entering()).isOne();
        assertThat(room()).isEqualTo(LIMIT - 1);
        assertThat(connecting).isNotDone();
    }

    @Test
    void noTickIsQuietInWhichALeaseEnds() throws Exception {
        Future<Connection> request = inside();
        for (int at = 0; at < 20; at++) {
            pool.acquiring().acquire().close();
            ticks(1);
        }
        assertThat(pool.state().entering()).isOne();
        assertThat(request).isNotDone();
    }
}
