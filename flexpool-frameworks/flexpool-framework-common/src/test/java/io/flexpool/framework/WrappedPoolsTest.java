// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.util.Optional;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Names of pools, and the pools of an application. */
class WrappedPoolsTest {
    private final WrappedPools pools = new WrappedPools();

    private static HikariDataSource hikari() {
        HikariDataSource pool = new HikariDataSource();
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:pools");
        pool.setDataSource(database);
        return pool;
    }

    private FlexPoolDataSource build(String name) {
        return pools.build(FlexPool.wrap(hikari()), name, unique -> {});
    }

    @Test
    void aTakenNameGetsANumberUntilItIsFree() {
        FlexPoolDataSource first = build("orders");
        FlexPoolDataSource second = build("orders");
        assertThat(second.name()).isEqualTo("orders#2");
        assertThat(pools.byName()).containsOnlyKeys("orders", "orders#2");
        first.close();
        pools.remove(first);
        try (second;
                FlexPoolDataSource third = build("orders")) {
            assertThat(third.name()).isEqualTo("orders");
        }
    }

    @Test
    void aRefusedPoolLeavesItsNameFree() {
        assertThatThrownBy(() -> pools.build(FlexPool.wrap(hikari()), "orders", unique -> {
                    throw new IllegalArgumentException("refused");
                }))
                .hasMessage("refused");
        assertThat(pools.byName()).isEmpty();
        try (FlexPoolDataSource pool = build("orders")) {
            assertThat(pool.name()).isEqualTo("orders");
        }
    }

    @Test
    void aClosedPoolStaysUntilItIsRemoved() {
        FlexPoolDataSource pool = build("orders");
        pool.close();
        assertThat(pools.byName()).containsOnlyKeys("orders");
        pools.remove(pool);
        pools.remove(pool);
        assertThat(pools.byName()).isEmpty();
        try (FlexPoolDataSource next = build("orders")) {
            assertThat(next.name()).isEqualTo("orders");
        }
    }

    @Test
    void aPoolOfTheApplicationsOwnIsAdoptedOnce() {
        FlexPoolDataSource own = FlexPool.wrap(hikari()).name("own").build();
        try (FlexPoolDataSource other = FlexPool.wrap(hikari()).name("own").build()) {
            assertThat(pools.adopt(own)).isTrue();
            assertThat(pools.adopt(own)).isTrue();
            assertThat(pools.adopt(other)).as("another open pool of that name").isFalse();
            try (FlexPoolDataSource wrapped = build("own")) {
                assertThat(wrapped.name()).isEqualTo("own#2");
            }
            own.close();
            assertThat(pools.adopt(other)).as("the first one is closed").isTrue();
            assertThat(pools.byName()).containsEntry("own", other);
        }
    }

    @Test
    void theConfiguredNameIsTheOnlyOneElseThePoolsOwnGoesBeforeThatOfItsDataSource() {
        HikariDataSource named = hikari();
        named.setPoolName("main");
        try (named) {
            assertThat(NamedPool.of(Optional.of("book"), FlexPool.wrap(named), "orders")
                            .inProperties())
                    .containsExactly("book");
            assertThat(NamedPool.of(Optional.empty(), FlexPool.wrap(named), "orders")
                            .inProperties())
                    .containsExactly("main", "orders");
            assertThat(NamedPool.of(Optional.empty(), FlexPool.wrap(named), "main")
                            .inProperties())
                    .containsExactly("main");
        }
        assertThat(NamedPool.of("orders").name()).isEqualTo("orders");
    }
}
