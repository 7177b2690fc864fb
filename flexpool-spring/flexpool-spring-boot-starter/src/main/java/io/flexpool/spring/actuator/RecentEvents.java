// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers of every pool it is bound to what its last events may have forgotten, for the endpoint. Hears events only, no
 * single call: costs nothing where nothing happens. Thread-safe.
 */
public final class RecentEvents implements MetricsBinder {
    private final Map<String, Newest> newest = new ConcurrentHashMap<>();
    private final InstantSource clock;

    /** Remembers with the system's clock. */
    public RecentEvents() {
        this(InstantSource.system());
    }

    RecentEvents(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Binding bind(PoolView pool) {
        String name = pool.name();
        Newest heard = new Newest(clock);
        newest.put(name, heard);
        return new Binding() {
            @Override
            public PoolListener listener() {
                return heard;
            }

            @Override
            public void unbind() {
                // Not what belongs to a pool that has been given the name since.
                newest.remove(name, heard);
            }
        };
    }

    /** Null if no such pool is bound. */
    @Nullable
    Newest of(String pool) {
        return newest.get(pool);
    }
}
