// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.framework.PoolHealth;
import io.flexpool.framework.WrappedPools;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;

/**
 * The health indicator {@code flexpool}: down in an outage, and while requests get no connection in time. It is for
 * readiness, not liveness, because a restart would not help. Borrows no connection.
 */
@Singleton
@Readiness
@Requires(classes = HealthIndicator.class)
@Requires(beans = HealthEndpoint.class)
@Requires(property = HealthEndpoint.PREFIX + ".flexpool.enabled", notEquals = "false")
final class FlexPoolHealthIndicator implements HealthIndicator {
    private final PoolHealth health;
    private final WrappedPools pools;

    FlexPoolHealthIndicator(PoolHealth health, WrappedPools pools) {
        this.health = health;
        this.pools = pools;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        PoolHealth.Findings findings = health.findings(pools.byName().values());
        HealthStatus status = switch (findings.status()) {
            case "UP" -> HealthStatus.UP;
            // flexpool's housekeeping is late, but requests are served.
            case "UNKNOWN" -> HealthStatus.UNKNOWN;
            // Micronaut responds with 503 only for this status.
            default -> HealthStatus.DOWN;
        };
        return Publishers.just(HealthResult.builder("flexpool", status)
                .details(findings.pools())
                .build());
    }
}
