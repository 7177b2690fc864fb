// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.health.HealthCheck;
import io.flexpool.monitoring.PoolHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Unhealthy in an outage, and where requests get no connection in time. Borrows no connection. Thread-safe. */
final class PoolHealthCheck extends HealthCheck {
    private final PoolHealth health;

    PoolHealthCheck(PoolHealth health) {
        this.health = health;
    }

    @Override
    protected Result check() {
        PoolHealth.Findings findings = health.findings();
        ResultBuilder result = Result.builder();
        List<String> reasons = new ArrayList<>();
        findings.pools().forEach((pool, details) -> {
            result.withDetail(pool, details);
            if (details instanceof Map<?, ?> its && its.containsKey("reason")) {
                reasons.add(pool + ": " + its.get("reason"));
            }
        });
        if (!reasons.isEmpty()) {
            result.withMessage(String.join("; ", reasons));
        }
        // UNKNOWN: flexpool's housekeeping is late, and requests are served.
        return switch (findings.status()) {
            case "UP", "UNKNOWN" -> result.healthy().build();
            default -> result.unhealthy().build();
        };
    }
}
