// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.isolated.StubConnection;
import io.flexpool.benchmarks.paired.isolated.StubDataSource;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecorationsTest {
    private static final List<String> WRITE_BY_THEMSELVES =
            List.of("-jfr", "-jfr-recording", "-jfr-recording-all", "-slf4j");

    @ParameterizedTest
    @EnumSource(Variant.class)
    void aVariantHandsOutThePoolsConnectionsAndEndsWithThePool(Variant variant) throws Exception {
        HikariDataSource pool = StubDataSource.pool("test-" + variant, StubConnection::new, 2);

        Decorated decorated = variant.decorator().around(pool);
        try (Connection connection = decorated.dataSource().getConnection()) {
            assertThat(connection).isNotNull();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        if (variant.toString().startsWith("flexpool-")
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

    @Test
    void theLogIsWrittenWithoutBeingAsked() throws Exception {
        Decorated decorated = around(Variant.FLEXPOOL_WATCHED_SLF4J);
        try (Connection connection = decorated.dataSource().getConnection()) {
            assertThat(connection).isNotNull();
            long giveUp = System.nanoTime() + 30_000_000_000L;
            while (decorated.scrape().getAsInt() == 0 && System.nanoTime() < giveUp) {
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(decorated.scrape().getAsInt()).as("lines").isPositive();
        }
        decorated.end().close();
    }

    private static Decorated around(Variant variant) {
        return variant.decorator().around(StubDataSource.pool("test-" + variant, StubConnection::new, 2));
    }
}
