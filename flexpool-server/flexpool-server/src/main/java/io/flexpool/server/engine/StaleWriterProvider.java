// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPart.ReturnCheck;
import io.flexpool.spi.PoolPartProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the check for stale writers to each wrapped pool. Found by {@link java.util.ServiceLoader}; not meant to be
 * called.
 */
public final class StaleWriterProvider implements PoolPartProvider {
    // On by default: the check costs nothing until the database refuses a write, and evicts only if both servers
    // confirm the failover.
    static final PartKey<Boolean> EVICT_STALE_WRITER = PartKey.flag(
            "evict-stale-writer",
            true,
            "After a failover, evicts all connections once, if the server of a connection refuses writes and a new"
                    + " connection reaches a server that accepts them. PostgreSQL, MySQL and MariaDB.");

    /** Called by the service loader. */
    public StaleWriterProvider() {}

    @Override
    public String name() {
        return "stale-writer";
    }

    @Override
    public int order() {
        return 20;
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(EVICT_STALE_WRITER);
    }

    /** Creates no part if it is disabled, the pool cannot evict, or the pool has JTA transactions. */
    @Override
    public @Nullable PoolPart create(PartContext pool) {
        if (!pool.settings().need(EVICT_STALE_WRITER) || !pool.moves()) {
            return null;
        }
        StaleWriter check = new StaleWriter(pool);
        return new PoolPart() {
            @Override
            public ReturnCheck returns() {
                return check;
            }
        };
    }
}
