// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PoolHealth;
import io.flexpool.spi.UniqueNames;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The wrapped pools of one application. Its metric registry is the only thing that Dropwizard gives to factories of data sources
 * and to bundles alike: by it they find each other, also where several applications run in one JVM. Thread-safe.
 */
final class ApplicationPools {
    private static final ReentrantLock LOCK = new ReentrantLock();

    /** Registries compare by identity. One whose pools are closed is referred to by nothing here. */
    private static final Map<MetricRegistry, ApplicationPools> ALL = new WeakHashMap<>();

    private final Map<String, FlexPoolDataSource> pools = new ConcurrentHashMap<>();
    private final UniqueNames names = new UniqueNames();
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

    /**
     * By name and in its order; a copy. A pool that was closed or drained stays, with the phase {@code CLOSED}, until its data
     * source is stopped: the application still has it and can serve nothing.
     */
    Map<String, FlexPoolDataSource> byName() {
        return new TreeMap<>(pools);
    }

    /** A unique name: the one wanted, or the first free one of {@code wanted#2}, {@code wanted#3}… */
    String take(String wanted) {
        return names.take(wanted);
    }

    void add(FlexPoolDataSource pool) {
        pools.put(pool.name(), pool);
    }

    /** Frees the name of a pool whose data source was stopped. Twice has no further effect. */
    void remove(FlexPoolDataSource pool) {
        if (pools.remove(pool.name(), pool)) {
            names.free(pool.name());
        }
    }

    /** Frees the name of a pool that was never made. */
    void free(String name) {
        names.free(name);
    }
}
