// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import io.agroal.pool.DataSource;
import io.flexpool.event.PoolEvent;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.quarkus.FlexPools;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A backend of the application. Asks at its end whether the pool still gives connections. */
@Singleton
class Ends implements MetricsBinder {
    private final Set<String> bound = ConcurrentHashMap.newKeySet();
    private final FlexPools pools;

    Ends(FlexPools pools) {
        this.pools = pools;
    }

    Set<String> bound() {
        return bound;
    }

    @Override
    public Binding bind(PoolView pool) {
        bound.add(pool.name());
        return () -> System.setProperty(
                "flexpool.test.ended." + pool.name(), answer(pool.name()) + ", and drained: " + drained(pool));
    }

    private static boolean drained(PoolView pool) {
        return pool.diagnosis().recentEvents().stream()
                .anyMatch(recent -> recent.event() instanceof PoolEvent.LifecycleChanged changed
                        && changed.action() == PoolEvent.LifecycleAction.DRAINED);
    }

    private String answer(String pool) {
        try (Connection connection = pools.pool(pool).unwrap(DataSource.class).getConnection()) {
            return connection.isValid(1) ? "the pool is open" : "the pool's connection is not valid";
        } catch (SQLException closed) {
            return "the pool is closed: " + closed.getMessage();
        }
    }
}
