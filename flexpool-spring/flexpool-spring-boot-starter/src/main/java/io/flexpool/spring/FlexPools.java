// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.framework.WrappedPools;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pools of this application: those that flexpool has wrapped, and those that the application has wrapped itself and
 * declared as beans. The latter are shown only in the backends to which the application has bound them. A closed or
 * drained pool stays, with the phase {@code CLOSED}, until its bean ends: the application still uses it, but gets no
 * connection. Thread-safe.
 */
public final class FlexPools {
    private final WrappedPools pools = new WrappedPools();
    /** The waits by pool name, while the context ends. */
    private final Map<String, LeaseWait> waits = new ConcurrentHashMap<>();

    /** Created by the auto-configuration, one per application context. */
    public FlexPools() {}

    /**
     * The pools.
     *
     * @return an immutable copy, keyed and ordered by pool name
     */
    public Map<String, FlexPoolDataSource> byName() {
        return pools.byName();
    }

    WrappedPools wrapped() {
        return pools;
    }

    /** Starts the wait for a pool's leases, at the end of the context. */
    LeaseWait await(FlexPoolDataSource pool, Duration within) {
        LeaseWait begun = new LeaseWait(pool, within);
        waits.put(pool.name(), begun);
        return begun;
    }

    /** Ends flexpool around a pool, after a drain if one is configured. Does not close the pool. */
    void release(FlexPoolDataSource pool) {
        LeaseWait waited = waits.remove(pool.name());
        if (waited == null || !pool.phase().answers()) {
            OpenPools.release(pool, null);
        } else {
            OpenPools.release(pool, waited.left());
        }
    }
}
