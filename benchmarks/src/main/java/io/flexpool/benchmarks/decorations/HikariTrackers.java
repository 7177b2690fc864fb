// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.codahale.metrics.MetricRegistry;
import com.zaxxer.hikari.metrics.dropwizard.CodahaleMetricsTrackerFactory;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** HikariCP's own metrics. */
public final class HikariTrackers {
    private HikariTrackers() {}

    /**
     * In a Dropwizard registry.
     *
     * @return HikariCP with its tracker
     */
    public static Decorator dropwizard() {
        return pool -> {
            pool.setMetricsTrackerFactory(new CodahaleMetricsTrackerFactory(new MetricRegistry()));
            return Decorated.of(pool, pool);
        };
    }

    /**
     * In a Micrometer registry.
     *
     * @return HikariCP with its tracker
     */
    public static Decorator micrometer() {
        return pool -> {
            pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(new SimpleMeterRegistry()));
            return Decorated.of(pool, pool);
        };
    }
}
