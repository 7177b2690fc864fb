// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.health.HealthCheck;
import io.flexpool.framework.PoolHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Unhealthy in an outage, and while requests get no connection in time. Borrows no connection. Thread-safe. */
final class PoolHealthCheck extends HealthCheck {
    private final ApplicationPools pools;

    PoolHealthCheck(ApplicationPools pools) {
        this.pools = pools;
    }

    @Override
    protected Result check() {
        PoolHealth.Findings findings =
                pools.health().findings(pools.wrapped().byName().values());
        ResultBuilder result = Result.builder();
        List<String> reasons = new ArrayList<>();
        findings.pools().forEach((pool, details) -> {
            result.withDetail(pool, details);
            if (details instanceof Map<?, ?> its && (its.containsKey("reason") || its.containsKey("phase"))) {
                Object reason = its.get("reason");
                reasons.add(pool + ": " + (reason != null ? reason : "the pool is " + its.get("phase")));
            }
        });
        if (!reasons.isEmpty()) {
            result.withMessage(String.join("; ", reasons));
        }
        // UNKNOWN: flexpool's housekeeping is late, but requests are served.
        return switch (findings.status()) {
            case "UP", "UNKNOWN" -> result.healthy().build();
            default -> result.unhealthy().build();
        };
    }
}
