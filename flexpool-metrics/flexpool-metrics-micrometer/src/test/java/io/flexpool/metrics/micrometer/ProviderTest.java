// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Properties, and a real database. */
class ProviderTest {
    private static final String PASSWORD = "s3cret-of-this-test";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void addToGlobal() {
        Metrics.addRegistry(registry);
    }

    @AfterEach
    void removeFromGlobal() {
        Metrics.removeRegistry(registry);
    }

    @Test
    void propertiesBindToTheGlobalRegistry() throws SQLException {
        try (FlexPoolDataSource pool = pool(Map.of("flexpool.metrics", "micrometer"))) {
            pool.getConnection().close();
            // No request has timed out.
            assertThat(registry.get("db.client.connection.wait_time")
                            .tag("outcome", "ok")
                            .functionTimers())
                    .hasSize(1);
            assertThat(registry.find("db.client.connection.wait_time").functionTimers())
                    .hasSize(1);
            // H2's data source is no pool and has none.
            assertThat(registry.find("db.client.connection.count")
                            .tag("state", "idle")
                            .gauge())
                    .isNull();
            assertThat(registry.find("flexpool.attempt_time").meter()).isNull();
            assertThat(registry.getMeters().toString()).doesNotContain(PASSWORD);
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void propertiesShowAll() {
        Map<String, String> properties = new HashMap<>(Map.of("flexpool.metrics", "micrometer"));
        properties.put("flexpool.metrics.micrometer.level", "all");
        try (FlexPoolDataSource pool = pool(properties)) {
            assertThat(registry.find("flexpool.attempt_time").meter()).isNotNull();
            assertThat(pool.closed()).isFalse();
        }
        properties.put("flexpool.metrics.micrometer.level", "most");
        assertThatThrownBy(() -> pool(properties))
                .hasMessageContaining("flexpool.metrics.micrometer.level = most: must be essential or all");
    }

    @Test
    void propertiesSwitchHistogramOn() throws SQLException {
        try (FlexPoolDataSource pool =
                pool(Map.of("flexpool.metrics", "micrometer", "flexpool.metrics.micrometer.histogram", "true"))) {
            for (int at = 0; at < 20; at++) {
                pool.getConnection().close();
            }
            var acquired = registry.get("db.client.connection.wait_time")
                    .tag("outcome", "ok")
                    .timer();
            assertThat(acquired.count()).isEqualTo(20);
            // Connecting to H2 takes longer than 1 µs and less than a minute.
            assertThat(acquired.mean(TimeUnit.SECONDS)).isBetween(1e-6, 60.0);
            assertThat(registry.get("db.client.connection.use_time").timer().count())
                    .isEqualTo(20);
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    private static FlexPoolDataSource pool(Map<String, String> properties) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:micrometer-test;DB_CLOSE_DELAY=-1");
        h2.setUser("sa");
        h2.setPassword(PASSWORD);
        return FlexPool.wrap(h2).name("h2").properties(properties).build();
    }
}
