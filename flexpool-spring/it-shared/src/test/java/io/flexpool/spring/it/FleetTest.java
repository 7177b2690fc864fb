// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.server.SessionBudget;
import io.flexpool.spring.FlexPools;
import io.flexpool.spring.actuator.FlexPoolEndpoint;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** A pool in a fleet, as the endpoint shows it. The database is H2, whose sessions no module sees. */
class FleetTest {
    @Test
    void theEndpointShowsTheMembersAndWhatTheServerHasLeft() {
        Contexts.boot()
                .withPropertyValues(
                        "spring.datasource.hikari.pool-name=orders",
                        "flexpool.fleet=local",
                        "flexpool.fleet.name=fleet-test",
                        "flexpool.fleet.max=20",
                        "flexpool.fleet.instances-max=2",
                        "flexpool.base=3",
                        "flexpool.acquisition-timeout=PT1S")
                .run(context -> {
                    FlexPoolDataSource pool = Contexts.pool(context, "orders");
                    pool.getConnection().close();
                    await().atMost(Duration.ofMinutes(3))
                            .until(() -> status(pool).source() == Source.GRANT
                                    && pool.view(SessionBudget.class).isPresent());
                    Object body = new FlexPoolEndpoint(context.getBean(FlexPools.class))
                            .pool("orders", null, null)
                            .getBody();
                    Map<?, ?> shown = (Map<?, ?>) Objects.requireNonNull(body);
                    assertThat(shown.get("fleet"))
                            .asInstanceOf(InstanceOfAssertFactories.MAP)
                            .containsEntry("name", "fleet-test")
                            .containsEntry("source", "grant")
                            .containsEntry("members", 1)
                            .containsEntry("cap", 20)
                            .extractingByKey("shown")
                            .asString()
                            .contains("name=" + status(pool).member(), "silent=false");
                    assertThat(shown.get("sessions"))
                            .asInstanceOf(InstanceOfAssertFactories.MAP)
                            .containsEntry("fit", "unknown")
                            .extractingByKey("text")
                            .asString()
                            .startsWith("orders: the number of free sessions on the server is unknown: no module");
                });
    }

    private static FleetStatus status(FlexPoolDataSource pool) {
        return pool.view(FleetStatus.class).orElseThrow();
    }
}
