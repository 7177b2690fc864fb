// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.pool.PoolState;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that recurses endlessly and requests a connection at each level: the stack ends anywhere. */
@Timeout(300)
class StackOverflowTest {
    private static final int LIMIT = 3;
    private static final int ROUNDS = 300;
    private static final long STACK_BYTES = 256 << 10;

    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger overflows = new AtomicInteger();
    /** Not yet closed. Written without a call, as nothing else can be at the end of a stack. */
    private volatile @Nullable Connection last;

    /** A connection without a mock's deep stack. */
    private static Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                StackOverflowTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> null);
    }

    private static DataSource source(Connection one) {
        return (DataSource) Proxy.newProxyInstance(
                StackOverflowTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> one);
    }

    private void recurse(MonitoredPool pool, int depth, int padding) throws SQLException {
        if (depth < padding) {
            recurse(pool, depth + 1, padding);
            return;
        }
        Connection connection = pool.acquiring().acquire();
        last = connection;
        connection.close();
        last = null;
        recurse(pool, depth + 1, padding);
    }

    private void overflow(MonitoredPool pool, int padding) {
        try {
            recurse(pool, 0, padding);
        } catch (StackOverflowError expected) {
            overflows.incrementAndGet();
            close(last);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** One that the stack had no room to call close() of; if it had, this is a second close and does nothing. */
    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereverTheStackEndsAllPermitsAreThereAfterwards(boolean classed) throws Exception {
        FakePool fake = new FakePool();
        fake.max = LIMIT;
        fake.total = LIMIT;
        fake.active = 0;
        fake.idle = LIMIT;
        Settings settings = new Settings();
        settings.ticker = ticker;
        settings.set(CoreKey.BASE, LIMIT);
        settings.classes = classed
                ? List.of(
                        ClassRule.named("web"),
                        ClassRule.named("odd").withMax(LIMIT - 1).withThreads(List.of("deep-*1", "deep-*3")))
                : List.of();
        MonitoredPool pool = new MonitoredPool(new ConfigChecks(settings, source(connection()), "deep", fake).check());
        for (int round = 0; round < ROUNDS; round++) {
            int padding = round;
            Thread thread = new Thread(null, () -> overflow(pool, padding), "deep-" + round, STACK_BYTES);
            thread.start();
            thread.join();
            for (int at = 0; at < 14; at++) {
                ticker.advance(Duration.ofMillis(250));
                pool.tick();
            }
            PoolState state = pool.state();
            assertThat(List.of(state.leased(), state.entering(), state.waiting()))
                    .as("leased, entering and waiting after round %s", round)
                    .containsOnly(0);
            assertThat(pool.openLeases()).isEmpty();
            assertThat(pool.classes())
                    .allSatisfy(its -> assertThat(its.leased()).isZero());
        }
        assertThat(overflows).hasValue(ROUNDS);
        List<Connection> all = new ArrayList<>();
        for (int at = 0; at < LIMIT; at++) {
            all.add(pool.acquiring().acquire());
        }
        assertThat(pool.state().leased()).isEqualTo(LIMIT);
        for (Connection lease : all) {
            lease.close();
        }
    }
}
