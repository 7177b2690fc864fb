// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.framework.PoolHealth;
import io.flexpool.framework.WrappedPools;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The wrapped pools of one application. Its metric registry is the only thing that Dropwizard gives to factories of data sources
 * and to bundles alike: by it they find each other, also where several applications run in one JVM. Thread-safe.
 */
final class ApplicationPools {
    private static final ReentrantLock LOCK = new ReentrantLock();

    /** Registries compare by identity. One whose pools are closed is referred to by nothing here. */
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

    /** Those that the application has not stopped. */
    WrappedPools wrapped() {
        return pools;
    }
}
