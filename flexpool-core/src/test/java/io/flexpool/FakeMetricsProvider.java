// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.RefusedValueException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A backend that remembers the pools it was bound to. Named in the test resources. */
public final class FakeMetricsProvider implements MetricsProvider {
    static final List<String> bound = new CopyOnWriteArrayList<>();

    /** Made by its name. */
    public FakeMetricsProvider() {}

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public List<ConfigKey> keys() {
        return List.of(
                new ConfigKey("jmx", ConfigKey.Kind.FLAG, "false", "true or false", "Whether it is seen."),
                new ConfigKey("every", ConfigKey.Kind.DURATION, "1s", "above PT0S", "How often it is seen."));
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        Duration every = values.duration("every").orElse(Duration.ofSeconds(1));
        if (every.toHours() > 1) {
            throw new RefusedValueException("every", every, "must be at most PT1H");
        }
        if (every.toSeconds() == 13) {
            throw new IllegalArgumentException("13 brings bad luck");
        }
        String rest = " jmx=" + values.flag("jmx").orElse(false) + " every=" + every;
        return pool -> {
            bound.add(pool.name() + rest);
            return () -> bound.remove(pool.name() + rest);
        };
    }
}
