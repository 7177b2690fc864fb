// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.spi.UniqueNames;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The pools of one application. A closed or drained pool stays, with the phase {@code CLOSED}, until the framework ends
 * its data source: the application still uses it, but gets no connection. Thread-safe.
 */
public final class WrappedPools {
    private final Map<String, FlexPoolDataSource> pools = new ConcurrentHashMap<>();
    private final UniqueNames names = new UniqueNames();

    /** Creates an empty collection. */
    public WrappedPools() {}

    /**
     * The pools.
     *
     * @return an immutable copy, sorted by name
     */
    public SortedMap<String, FlexPoolDataSource> byName() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(pools));
    }

    /**
     * Builds a pool and adds it.
     *
     * @param builder the builder of the pool
     * @param wanted its name; if taken, the first free of {@code wanted#2}, {@code wanted#3}…
     * @param settings receives the name, and configures the builder
     * @return the pool
     * @throws IllegalArgumentException if the builder refuses; the name is then free again
     */
    public FlexPoolDataSource build(FlexPoolBuilder builder, String wanted, Consumer<String> settings) {
        String name = names.take(wanted);
        boolean built = false;
        try {
            builder.name(name);
            settings.accept(name);
            FlexPoolDataSource pool = builder.build();
            pools.put(name, pool);
            built = true;
            return pool;
        } finally {
            if (!built) {
                names.free(name);
            }
        }
    }

    /**
     * Adds a pool that the application has built itself, unless an open pool has its name.
     *
     * @param pool the pool
     * @return whether it was added
     */
    public boolean adopt(FlexPoolDataSource pool) {
        FlexPoolDataSource now = pools.compute(pool.name(), (name, before) -> {
            if (before == null) {
                names.take(name);
            }
            return before == null || before.closed() ? pool : before;
        });
        return now == pool;
    }

    /**
     * Removes a pool whose data source has ended, and frees its name. A second call has no effect.
     *
     * @param pool the pool
     */
    public void remove(FlexPoolDataSource pool) {
        if (pools.remove(pool.name(), pool)) {
            names.free(pool.name());
        }
    }
}
