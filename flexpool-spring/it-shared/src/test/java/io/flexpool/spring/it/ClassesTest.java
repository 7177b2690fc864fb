// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolScope;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.spring.FlexPools;
import io.flexpool.spring.actuator.FlexPoolEndpoint;
import java.sql.Connection;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Kinds of requests of one pool, from the application's properties to the endpoint. */
class ClassesTest {
    @Test
    void propertiesSayTheClassesAndTheEndpointShowsThem() {
        Contexts.boot()
                .withPropertyValues(
                        "spring.datasource.hikari.pool-name=orders",
                        "flexpool.base=4",
                        "flexpool.classes=interactive,batch",
                        "flexpool.classes.interactive.guarantee=0.5",
                        "flexpool.pools.orders.classes.batch.max=2")
                .run(context -> {
                    FlexPoolDataSource pool = Contexts.pool(context, "orders");
                    try (PoolScope.Opened scope = PoolScope.of("batch").open();
                            Connection held = pool.getConnection()) {
                        assertThat(scope).isNotNull();
                        assertThat(held.isClosed()).isFalse();
                        Object body = new FlexPoolEndpoint(context.getBean(FlexPools.class))
                                .pool("orders", null, null)
                                .getBody();
                        Map<?, ?> shown = (Map<?, ?>) Objects.requireNonNull(body);
                        assertThat(String.valueOf(shown.get("classes")))
                                .isEqualTo(
                                        "[{name=interactive, guaranteed=2, leased=0, waiting=0, acquired=0, timeouts=0, shed=0},"
                                                + " {name=batch, guaranteed=0, max=2, leased=1, waiting=0, acquired=1, timeouts=0, shed=0,"
                                                + " recentWaitP99Millis=0.0}]");
                    }
                });
    }

    @Test
    void aSlipInAClassIsRefusedWithTheNearestKey() {
        Contexts.boot()
                .withPropertyValues("flexpool.classes=interactive,batch", "flexpool.classes.btach.max=2")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("flexpool.classes.btach.max = 2: no such key; the nearest is"
                                + " flexpool.classes.batch.max"));
    }

    /** They have neither capitals nor hyphens, which the name of a class may have; and they take precedence. */
    @Test
    void environmentVariablesReachTheKeysOfAClass() {
        Contexts.boot()
                .withPropertyValues(
                        "spring.datasource.hikari.pool-name=orders",
                        "flexpool.base=4",
                        "flexpool.classes=interactive,night-Batch",
                        "flexpool.classes.night-Batch.max=3")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(
                                        "FLEXPOOL_CLASSES_INTERACTIVE_GUARANTEE", "0.5",
                                        "FLEXPOOL_CLASSES_NIGHTBATCH_MAX", "2",
                                        "FLEXPOOL_POOLS_ORDERS_CLASSES_NIGHT_BATCH_GUARANTEE", "0.25"))))
                .run(context -> assertThat(Contexts.pool(context, "orders").classes())
                        .extracting(RequestClass::describe)
                        .containsExactly(
                                "interactive holds 0 and no request waits, 2 guaranteed",
                                "night-Batch holds 0 of 2 and no request waits, 1 guaranteed"));
    }

    @Test
    void aPoolWithoutClassesShowsNone() {
        Contexts.boot()
                .withPropertyValues("spring.datasource.hikari.pool-name=orders")
                .run(context -> {
                    Object body = new FlexPoolEndpoint(context.getBean(FlexPools.class))
                            .pool("orders", null, null)
                            .getBody();
                    assertThat(((Map<?, ?>) Objects.requireNonNull(body)).containsKey("classes"))
                            .isFalse();
                });
    }
}
