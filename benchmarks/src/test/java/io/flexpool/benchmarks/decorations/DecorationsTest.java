// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecorationsTest {
    private static final List<String> WRITE_BY_THEMSELVES = List.of("-jfr", "-jfr-recording", "-jfr-recording-all");

    @ParameterizedTest
    @EnumSource(Variant.class)
    void aVariantHandsOutConnectionsAndEndsWithThePool(Variant variant) throws Exception {
        HikariDataSource pool = StubDataSource.pool("test-" + variant, StubConnection::new, 2);

        Decorated decorated = variant.decorator().around(pool);
        try (Connection connection = decorated.dataSource().getConnection()) {
            assertThat(connection).isNotNull();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        if ((variant.toString().startsWith("flexpool-") || variant.toString().startsWith("hikaricp-"))
                && WRITE_BY_THEMSELVES.stream().noneMatch(variant.toString()::endsWith)) {
            assertThat(decorated.scrape().getAsInt()).as("figures read").isGreaterThan(3);
        }
        decorated.end().close();

        assertThat(pool.isClosed()).isTrue();
    }

    @Test
    void aRecordingTakesAllEventsAndWithoutItNoneIsTaken() throws Exception {
        Decorated watched = around(Variant.FLEXPOOL_BOUND_JFR);
        assertThat(watched.scrape().getAsInt()).as("events recorded").isZero();

        Decorated recorded = around(Variant.FLEXPOOL_BOUND_JFR_RECORDING);
        assertThat(recorded.scrape().getAsInt()).as("events recorded").isEqualTo(9);
        recorded.end().close();

        assertThat(watched.scrape().getAsInt()).as("events recorded").isZero();
        watched.end().close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Variant.class,
            names = {
                "FLEXPOOL_BOUND_DROPWIZARD",
                "FLEXPOOL_BOUND_MICROMETER",
                "FLEXPOOL_BOUND_OPENTELEMETRY",
                "FLEXPOOL_BOUND_PROMETHEUS",
                "FLEXPOOL_BOUND_JMX"
            })
    void aReadThatHangsInThePoolHoldsUpNoRequest(Variant variant) throws Exception {
        ExecutorService reader = Executors.newSingleThreadExecutor();
        ExecutorService user = Executors.newSingleThreadExecutor();
        HangingPool pool = new HangingPool("test-hanging-" + variant);
        try {
            Decorated decorated = variant.decorator().around(pool);
            decorated.dataSource().getConnection().close();
            // A backend may have kept a reading, which it does for at most 100 ms.
            LockSupport.parkNanos(200_000_000);
            Future<Integer> read = reader.submit(() -> {
                pool.hangs.set(Thread.currentThread());
                return decorated.scrape().getAsInt();
            });
            assertThat(pool.hanging.await(3, TimeUnit.MINUTES)).isTrue();

            user.submit(() -> {
                        for (int cycle = 0; cycle < 100; cycle++) {
                            decorated.dataSource().getConnection().close();
                        }
                        return null;
                    })
                    .get(3, TimeUnit.MINUTES);

            assertThat(read).isNotDone();
            pool.goOn.countDown();
            assertThat(read.get(3, TimeUnit.MINUTES)).as("figures read").isGreaterThan(3);
            decorated.end().close();
        } finally {
            pool.goOn.countDown();
            reader.shutdown();
            user.shutdown();
        }
    }

    /** HikariCP whose figures do not come for as long as the test likes, on one thread. */
    private static final class HangingPool extends HikariDataSource {
        final AtomicReference<@Nullable Thread> hangs = new AtomicReference<>();
        final CountDownLatch hanging = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        HangingPool(String name) {
            setPoolName(name);
            setMaximumPoolSize(2);
            setDataSource(StubDataSource.of(StubConnection::new));
        }

        @Override
        public HikariPoolMXBean getHikariPoolMXBean() {
            if (Thread.currentThread() == hangs.get()) {
                hanging.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.getHikariPoolMXBean();
        }
    }

    private static Decorated around(Variant variant) {
        return variant.decorator().around(StubDataSource.pool("test-" + variant, StubConnection::new, 2));
    }
}
