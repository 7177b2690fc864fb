// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.flexpool.framework.PoolHealth;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Checks whether the pools can serve requests: down while the database refuses connections, and while a pool is warming
 * up, paused, draining or closed. A full pool does not make the instance unready, because its requests would only fill
 * the pools of other instances; the data contains the reason. Borrows no connection. Thread-safe.
 */
@Readiness
@Singleton
public class FlexPoolHealthCheck implements HealthCheck {
    private static final String DOWN = "DOWN";
    /** The key of the phase, shown for a pool that serves no requests, or is warming up. */
    private static final String PHASE = "phase";

    private final PoolHealth health;
    private final FlexPools pools;

    @Inject
    FlexPoolHealthCheck(PoolHealth health, FlexPools pools) {
        this.health = health;
        this.pools = pools;
    }

    /**
     * Checks the figures of all pools.
     *
     * @return the response, named {@code flexpool}, with data {@code <pool>.<figure>}
     */
    @Override
    public HealthCheckResponse call() {
        PoolHealth.Findings findings = health.findings(pools.byName().values());
        HealthCheckResponseBuilder response =
                HealthCheckResponse.named("flexpool").status(!findings.status().equals(DOWN));
        findings.pools().forEach((pool, its) -> {
            Map<?, ?> figures = (Map<?, ?>) its;
            figures.forEach((figure, value) -> response.withData(pool + "." + figure, String.valueOf(value)));
            if (figures.containsKey(PHASE)) {
                response.down();
            }
        });
        return response.build();
    }
}
