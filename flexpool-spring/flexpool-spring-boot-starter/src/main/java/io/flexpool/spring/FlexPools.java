// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.shared.UniqueNames;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open pools of this application that flexpool has wrapped, and those that the application has wrapped itself and
 * declared as beans: these appear here and in the backends the application has bound them to, but not in the
 * application's health. Thread-safe.
 */
public final class FlexPools {
    private final Map<String, FlexPoolDataSource> pools = new ConcurrentHashMap<>();
    private final UniqueNames names = new UniqueNames();

    /** Created by the auto-configuration, one per application context. */
    public FlexPools() {}

    /**
     * The open pools.
     *
     * @return an immutable copy, keyed and ordered by pool name, without closed pools
     */
    public Map<String, FlexPoolDataSource> byName() {
        Map<String, FlexPoolDataSource> now = new TreeMap<>(pools);
        // The application may have closed its own pools, and disabled pools do not report their end.
        now.values().removeIf(FlexPoolDataSource::closed);
        return Collections.unmodifiableMap(now);
    }

    /** A unique name: the one wanted, or the first free one of {@code wanted#2}, {@code wanted#3}… */
    String take(String wanted) {
        return names.take(wanted);
    }

    void add(FlexPoolDataSource pool) {
        pools.put(pool.name(), pool);
    }

    /** Releases the name of a pool that was closed or never created. */
    void remove(String name) {
        pools.remove(name);
        names.free(name);
    }
}
