// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.codahale.metrics.MetricRegistry;
import com.zaxxer.hikari.metrics.dropwizard.CodahaleMetricsTrackerFactory;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** HikariCP's own metrics, read as flexpool's in the same registry are. */
public final class HikariTrackers {
    private HikariTrackers() {}

    /**
     * In a Dropwizard registry.
     *
     * @return HikariCP with its tracker
     */
    public static Decorator dropwizard() {
        return pool -> {
            MetricRegistry registry = new MetricRegistry();
            pool.setMetricsTrackerFactory(new CodahaleMetricsTrackerFactory(registry));
            return new Decorated(pool, () -> DropwizardBackend.read(registry), pool);
        };
    }

    /**
     * In a Micrometer registry.
     *
     * @return HikariCP with its tracker
     */
    public static Decorator micrometer() {
        return pool -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            pool.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
            return new Decorated(pool, () -> MicrometerBackend.read(registry), pool);
        };
    }
}
