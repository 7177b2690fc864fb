// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.util.List;

/** A backend that throws when its second key is read. Named in the test resources. */
public final class BrokenMetricsProvider implements MetricsProvider {
    /** Whether it is broken for the current thread; to the others it is one without keys. */
    static final ThreadLocal<Boolean> broken = ThreadLocal.withInitial(() -> false);

    /** Made by its name. */
    public BrokenMetricsProvider() {}

    @Override
    public String name() {
        return "broken";
    }

    @Override
    public List<ConfigKey> keys() {
        if (broken.get()) {
            throw new IllegalStateException("the backend's library is another version");
        }
        return List.of();
    }

    @Override
    public MetricsBinder create(ConfigKey.Values values) {
        return pool -> () -> {};
    }
}
