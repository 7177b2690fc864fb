// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.shared.UniqueNames;
import io.flexpool.monitoring.PoolHealth;
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

    /** The open ones, by name and in its order; a copy. */
    Map<String, FlexPoolDataSource> byName() {
        Map<String, FlexPoolDataSource> now = new TreeMap<>(pools);
        now.values().removeIf(FlexPoolDataSource::closed);
        return now;
    }

    /** Frees the names of pools that were closed and are disabled: these do not report their end. */
    void forgetDisabled() {
        pools.forEach((name, pool) -> {
            if (!pool.enabled() && pool.closed() && pools.remove(name, pool)) {
                names.free(name);
            }
        });
    }

    /** A unique name: the one wanted, or the first free one of {@code wanted#2}, {@code wanted#3}… */
    String take(String wanted) {
        return names.take(wanted);
    }

    void add(FlexPoolDataSource pool) {
        pools.put(pool.name(), pool);
    }

    /** Frees the name of a pool that was closed or never made. */
    void remove(String name) {
        pools.remove(name);
        names.free(name);
    }
}
