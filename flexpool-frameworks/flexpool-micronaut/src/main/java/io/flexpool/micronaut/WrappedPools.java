// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.spi.UniqueNames;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The wrapped pools of one application context. One that was closed or drained stays, with the phase {@code CLOSED}, until its
 * factory ends: the application still has it and can serve nothing. Thread-safe.
 */
@Singleton
final class WrappedPools {
    private final Map<String, FlexPoolDataSource> pools = new ConcurrentHashMap<>();
    private final UniqueNames names = new UniqueNames();

    /** By name and in its order; a copy. */
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

    /** Frees the name of a pool whose factory has ended, or that was never made. */
    void remove(String name) {
        pools.remove(name);
        names.free(name);
    }
}
