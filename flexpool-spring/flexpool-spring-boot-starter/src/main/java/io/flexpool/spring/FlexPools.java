// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.shared.UniqueNames;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pools of this application that flexpool has wrapped and that are not closed, and those that the application has
 * wrapped itself and made beans: these are shown here only, and in what the application has bound them to, not in the
 * application's health. Thread-safe.
 */
public final class FlexPools {
    private final Map<String, FlexPoolDataSource> pools = new ConcurrentHashMap<>();
    private final UniqueNames names = new UniqueNames();

    /** Made by the auto-configuration; there is one in an application context. */
    public FlexPools() {}

    /**
     * The pools now.
     *
     * @return a copy that does not change, by the pools' names and in their order; without those that are closed
     */
    public Map<String, FlexPoolDataSource> byName() {
        Map<String, FlexPoolDataSource> now = new TreeMap<>(pools);
        // The application may have closed its own, and one that is disabled tells nobody.
        now.values().removeIf(FlexPoolDataSource::closed);
        return Collections.unmodifiableMap(now);
    }

    /** A name that no other pool has: the one wanted, or the first of {@code wanted#2}, {@code wanted#3}… */
    String take(String wanted) {
        return names.take(wanted);
    }

    void add(FlexPoolDataSource pool) {
        pools.put(pool.name(), pool);
    }

    /** The pool is closed, or was never made: its name is free again. */
    void remove(String name) {
        pools.remove(name);
        names.free(name);
    }
}
