// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.pool.MetricsBinder;
import io.flexpool.pool.PoolListener;
import io.flexpool.pool.PoolView;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last events of every pool it is bound to, for the endpoint. Hears events only, no single call: costs
 * nothing where nothing happens. Thread-safe.
 */
public final class RecentEvents implements MetricsBinder {
    private final Map<String, EventRing> rings = new ConcurrentHashMap<>();
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
        EventRing ring = new EventRing(clock);
        rings.put(name, ring);
        return new Binding() {
            @Override
            public PoolListener listener() {
                return ring;
            }

            @Override
            public void unbind() {
                // Not the ring of a pool that has been given the name since.
                rings.remove(name, ring);
            }
        };
    }

    /** Null if no such pool is bound. */
    @Nullable
    EventRing of(String pool) {
        return rings.get(pool);
    }

    /** The last events of a pool, from the oldest to the newest; none if no such pool is bound. */
    List<HeardEvent> events(String pool) {
        EventRing ring = of(pool);
        return ring == null ? List.of() : ring.events();
    }
}
