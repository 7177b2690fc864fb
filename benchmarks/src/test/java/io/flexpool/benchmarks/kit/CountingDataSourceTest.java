// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class CountingDataSourceTest {
    /** A connection that runs an action when isClosed() is called. */
    private static Connection asked(BooleanSupplier closed) {
        return (Connection) Proxy.newProxyInstance(
                CountingDataSourceTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, its) -> {
                    assertThat(method.getName()).isIn("isClosed", "hashCode", "equals");
                    return switch (method.getName()) {
                        case "isClosed" -> closed.getAsBoolean();
                        case "equals" -> proxy == its[0];
                        default -> System.identityHashCode(proxy);
                    };
                });
    }

    @Test
    void twoThatWereNeverOpenAtOnceAreNotCountedAsTwo() throws Exception {
        AtomicBoolean firstIsClosed = new AtomicBoolean();
        Connection first = asked(firstIsClosed::get);
        // It is looked at after the first one, which is closed meanwhile.
        Connection second = asked(() -> {
            firstIsClosed.set(true);
            return false;
        });
        Deque<Connection> driver = new ArrayDeque<>(List.of(first, second));
        CountingDataSource counted = new CountingDataSource(new MinimalDataSource() {
            @Override
            public Connection getConnection() {
                return driver.remove();
            }
        });

        assertThat(counted.getConnection()).isSameAs(first);
        assertThat(counted.getConnection()).isSameAs(second);

        assertThat(counted.peak()).isEqualTo(1);
        assertThat(counted.open()).isEqualTo(1);
    }

    private final StubDatabase stub = new StubDatabase().connectTakes(Duration.ofMillis(2));
    private final CountingDataSource counting = new CountingDataSource(stub.dataSource());

    @Test
    void itCountsWhatTheDriverCounts() throws Exception {
        Connection first = counting.getConnection();
        Connection second = counting.getConnection();
        first.close();
        Connection third = counting.getConnection();

        assertThat(counting.open()).isEqualTo(stub.open()).isEqualTo(2);
        assertThat(counting.peak()).isEqualTo(stub.peak()).isEqualTo(2);
        second.close();
        third.close();
        assertThat(counting.open()).isEqualTo(stub.open()).isZero();
        counting.getConnection().close();
        assertThat(counting.peak()).isEqualTo(2);
        assertThat(counting.connectNanos()).hasSize(4).allMatch(nanos -> nanos >= 2_000_000);
    }
}
