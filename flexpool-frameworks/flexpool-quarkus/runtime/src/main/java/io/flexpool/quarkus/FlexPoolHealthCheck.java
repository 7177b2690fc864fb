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
 * Whether the pools can serve requests: down while the database refuses connections, and while a pool is warmed up, paused,
 * drained or closed. A pool that is full does not make the
 * instance unready, because its requests would go to others, whose pools then are full too; the reason is among the data.
 * Borrows no connection. Thread-safe.
 */
@Readiness
@Singleton
public class FlexPoolHealthCheck implements HealthCheck {
    private static final String DOWN = "DOWN";
    /** Shown of a pool that answers no request, or is being warmed up. */
    private static final String PHASE = "phase";

    private final PoolHealth health;
    private final FlexPools pools;

    @Inject
    FlexPoolHealthCheck(PoolHealth health, FlexPools pools) {
        this.health = health;
        this.pools = pools;
    }

    /**
     * Looks at the figures of all pools.
     *
     * @return named {@code flexpool}, with data {@code <pool>.<figure>}
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
