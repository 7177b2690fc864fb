// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.framework.PoolHealth;
import io.flexpool.framework.WrappedPools;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The wrapped pools of one application. Factories of data sources and bundles find them by the application's metric
 * registry, the only object that Dropwizard passes to both. So several applications may run in one JVM. Thread-safe.
 */
final class ApplicationPools {
    private static final ReentrantLock LOCK = new ReentrantLock();

    /**
     * The applications by metric registry; registries compare by identity. Closed pools do not keep a registry alive.
     */
    private static final Map<MetricRegistry, ApplicationPools> ALL = new WeakHashMap<>();

    private final WrappedPools pools = new WrappedPools();
    private final PoolHealth health = new PoolHealth();

    private ApplicationPools() {}

    static ApplicationPools of(MetricRegistry registry) {
        LOCK.lock();
        try {
            return ALL.computeIfAbsent(registry, first -> new ApplicationPools());
        } finally {
            LOCK.unlock();
        }
    }

    PoolHealth health() {
        return health;
    }

    /** The pools that the application has not stopped. */
    WrappedPools wrapped() {
        return pools;
    }
}
