// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Without a name in code or properties a pool is called as HikariCP calls it, if the application said so. */
class HikariNameTest {
    private final HikariDataSource hikari = new HikariDataSource();

    HikariNameTest() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:hikari-name");
        hikari.setDataSource(h2);
        hikari.setMaximumPoolSize(3);
    }

    @AfterEach
    void close() {
        hikari.close();
    }

    @Test
    void thePoolsNameIsFlexpools() {
        hikari.setPoolName("orders");
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari).build()) {
            assertThat(pool.name()).isEqualTo("orders");
            assertThat(pool.otherNames()).isEmpty();
        }
    }

    @Test
    void aNameInCodeHoldsAndTheOtherIsReported() {
        hikari.setPoolName("orders");
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari).name("shop").build()) {
            assertThat(pool.name()).isEqualTo("shop");
            assertThat(pool.otherNames()).containsExactly("orders");
            assertThat(pool.report()).startsWith("shop (HikariCP, also called orders): ");
        }
    }

    @Test
    void keysOfThePoolsNameAreItsKeys() {
        hikari.setPoolName("orders");
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari)
                .properties(Map.of("flexpool.base", "1", "flexpool.pools.orders.base", "2"))
                .build()) {
            assertThat(pool.name()).isEqualTo("orders");
            assertThat(pool.state().base()).isEqualTo(2);
        }
    }

    @Test
    void aNameInPropertiesHolds() {
        hikari.setPoolName("orders");
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari)
                .properties(Map.of("flexpool.name", "shop", "flexpool.pools.shop.base", "2"))
                .build()) {
            assertThat(pool.name()).isEqualTo("shop");
            assertThat(pool.state().base()).isEqualTo(2);
        }
    }

    @Test
    void aNameThatHikariCpMadeUpIsNone() throws SQLException {
        hikari.getConnection().close();
        assertThat(hikari.getPoolName()).startsWith("HikariPool-");
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari).build()) {
            assertThat(pool.name()).startsWith("HikariCP-");
            assertThat(pool.otherNames()).isEmpty();
        }
    }

    @Test
    void aNameThatNoLogCouldShowIsNotTaken() {
        hikari.setPoolName("or\nders");
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari).build()) {
            assertThat(pool.name()).startsWith("HikariCP-");
        }
    }
}
