// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.util.Map;
import java.util.Objects;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of an endpoint: one pool with limits, one without. */
class PoolEndpointTest {
    private final WrappedPools pools = new WrappedPools();
    private final PoolEndpoint endpoint = new PoolEndpoint(pools);

    private void add(String name, Map<String, String> keys) {
        HikariDataSource pool = new HikariDataSource();
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:endpoint");
        pool.setDataSource(database);
        pool.setMaximumPoolSize(8);
        pools.build(FlexPool.wrap(pool).properties(keys), name, unique -> {});
    }

    @BeforeEach
    void addPools() {
        add("orders", Map.of("flexpool.base", "2", "flexpool.ceiling", "5"));
        add("reports", Map.of());
    }

    @AfterEach
    void close() {
        pools.byName().values().forEach(FlexPoolDataSource::close);
    }

    @Test
    void allPoolsAreListedInShortAndOneHasItsReport() {
        assertThat(endpoint.all().toString())
                .contains("name=orders", "name=reports", "mode=recommend", "phase=open", "figures={active=")
                .doesNotContain("report=", "NaN");
        PoolEndpoint.Answer one = endpoint.one("orders");
        assertThat(one.status()).isEqualTo(200);
        assertThat(one.body()).containsEntry("name", "orders").containsKeys("figures", "report");
    }

    @Test
    void anUnknownPoolIsNotFoundAndTheKnownOnesAreNamed() {
        PoolEndpoint.Answer one = endpoint.one("ordres\npassword=s3cret");
        assertThat(one.status()).isEqualTo(404);
        assertThat(one.body().toString())
                .contains("error=no pool 'ordres ", "pools=[orders, reports]")
                .doesNotContain("\n", "s3cret");
        assertThat(endpoint.change("ordres", "adapt", null, null).status()).isEqualTo(404);
    }

    @Test
    void aChangeIsAnsweredWithThePool() {
        PoolEndpoint.Answer changed = endpoint.change("orders", null, "3", "4");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.body()).containsEntry("changed", true).containsEntry("name", "orders");
        assertThat(endpoint.change("orders", null, "3", null).body()).containsEntry("changed", false);
        assertThat(Objects.requireNonNull(pools.byName().get("orders")).state().ceiling())
                .isEqualTo(4);
        assertThat(endpoint.change("orders", "monitor", null, null).body()).containsEntry("mode", "monitor");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            delimiter = '|',
            value = {
                "orders | - | - | - | 400 | nothing to change: give mode",
                "orders | adapt | 3 | - | 400 | more than one change at once",
                "orders | wacht | - | - | 400 | mode = wacht: must be monitor, recommend or adapt",
                "orders | - | few | - | 400 | base = few: must be a whole number",
                "orders | - | 9 | 2 | 400 | ceiling = 2: must not be below the base, 9",
                "reports | - | 3 | - | 409 | reports"
            })
    void aRefusedChangeSaysWhatIsAllowed(
            String name, String mode, String base, String ceiling, int status, String error) {
        PoolEndpoint.Answer refused = endpoint.change(name, mode, base, ceiling);
        assertThat(refused.body().toString()).contains(error);
        assertThat(refused.status()).isEqualTo(status);
    }
}
