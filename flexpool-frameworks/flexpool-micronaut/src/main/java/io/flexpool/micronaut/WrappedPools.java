// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.shared.UniqueNames;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The wrapped pools of one application context. Thread-safe. */
@Singleton
final class WrappedPools {
    private final Map<String, FlexPoolDataSource> pools = new ConcurrentHashMap<>();
    private final UniqueNames names = new UniqueNames();

    /** The open ones, by name and in its order; a copy. */
    Map<String, FlexPoolDataSource> byName() {
        Map<String, FlexPoolDataSource> now = new TreeMap<>(pools);
        // One that is disabled does not report its end.
        now.values().removeIf(FlexPoolDataSource::closed);
        return now;
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
