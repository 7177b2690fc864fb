// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.PoolPhase;
import java.time.Duration;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The health of pools that were drained or closed; failures and their times are in the starter's tests. */
class PoolHealthTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final PoolHealth health = new PoolHealth();

    private static HikariDataSource hikari() {
        HikariDataSource pool = new HikariDataSource();
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:health");
        pool.setDataSource(database);
        return pool;
    }

    private FlexPoolDataSource pool(String name) {
        return FlexPool.wrap(hikari()).name(name).metrics(health).build();
    }

    /** The health was UP, and the figures were gone, although the application could serve nothing. */
    @Test
    void aDrainedPoolIsShownAsClosedUntilItsOwnerClosesIt() {
        FlexPoolDataSource pool = pool("orders");
        assertThat(health.findings().status()).isEqualTo("UP");
        pool.drain(LONG);
        assertThat(health.findings().status()).isEqualTo("OUT_OF_SERVICE");
        assertThat(String.valueOf(health.findings().pools().get("orders")))
                .contains("status=OUT_OF_SERVICE", "phase=closed", "active=0");
        pool.close();
        assertThat(health.findings().pools()).isEmpty();
        assertThat(health.findings().status()).as("a health without a pool").isEqualTo("UNKNOWN");
        assertThat(new PoolHealth().findings().status()).as("there was none").isEqualTo("UP");
    }

    @Test
    void anOpenPoolDoesNotAnswerForADrainedOne() {
        FlexPoolDataSource orders = pool("orders");
        try (FlexPoolDataSource audit = pool("audit")) {
            orders.drain(LONG);
            assertThat(health.findings().status()).isEqualTo("OUT_OF_SERVICE");
            orders.close();
            assertThat(health.findings().status())
                    .as("its owner has given it up")
                    .isEqualTo("UP");
            PoolHealth.Findings all = health.findings(List.of(orders, audit));
            assertThat(all.status()).as("an application that still has it").isEqualTo("OUT_OF_SERVICE");
            assertThat(all.pools()).containsOnlyKeys("audit", "orders");
        }
    }

    @Test
    void aPoolThatWasClosedPastFlexpoolIsOutOfService() {
        HikariDataSource hikari = hikari();
        try (FlexPoolDataSource pool =
                FlexPool.wrap(hikari).name("orders").metrics(health).build()) {
            hikari.close();
            assertThat(pool.phase()).isEqualTo(PoolPhase.CLOSED);
            assertThat(health.findings().status()).isEqualTo("OUT_OF_SERVICE");
        }
    }
}
