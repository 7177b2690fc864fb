// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.spi.UniqueNames;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pools of this application that flexpool has wrapped, and those that the application has wrapped itself and
 * declared as beans: these appear here and in the backends the application has bound them to. A pool that was closed or
 * drained stays, with the phase {@code CLOSED}, until its bean ends: the application still has it and can serve nothing.
 * Thread-safe.
 */
public final class FlexPools {
    private final Map<String, FlexPoolDataSource> pools = new ConcurrentHashMap<>();
    private final UniqueNames names = new UniqueNames();
    /** By the pool's name, while the context ends. */
    private final Map<String, LeaseWait> waits = new ConcurrentHashMap<>();

    /** Created by the auto-configuration, one per application context. */
    public FlexPools() {}

    /**
     * The pools.
     *
     * @return an immutable copy, keyed and ordered by pool name
     */
    public Map<String, FlexPoolDataSource> byName() {
        return Collections.unmodifiableMap(new TreeMap<>(pools));
    }

    /** A unique name: the one wanted, or the first free one of {@code wanted#2}, {@code wanted#3}… */
    String take(String wanted) {
        return names.take(wanted);
    }

    void add(FlexPoolDataSource pool) {
        pools.put(pool.name(), pool);
    }

    /** Begins the wait for a pool's leases, at the end of the context. */
    LeaseWait await(FlexPoolDataSource pool, Duration within) {
        LeaseWait begun = new LeaseWait(pool, within);
        waits.put(pool.name(), begun);
        return begun;
    }

    /** Ends flexpool around a pool, after a drain if one is configured. Closing the pool is up to its owner. */
    void release(FlexPoolDataSource pool) {
        LeaseWait waited = waits.remove(pool.name());
        if (waited == null || !pool.phase().answers()) {
            pool.release();
        } else {
            pool.drainAndRelease(waited.left());
        }
    }

    /** Releases the name of a pool whose bean has ended, or that was never created. */
    void remove(String name) {
        pools.remove(name);
        names.free(name);
    }
}
