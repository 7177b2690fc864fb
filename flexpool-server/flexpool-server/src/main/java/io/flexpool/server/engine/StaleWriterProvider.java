// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPart.ReturnCheck;
import io.flexpool.spi.PoolPartProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets each wrapped pool leave a stale writer. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class StaleWriterProvider implements PoolPartProvider {
    // On by default: it costs nothing until the database refuses a write, acts only on the word of both servers, and
    // does
    // what an operator would do.
    static final PartKey<Boolean> EVICT_STALE_WRITER = PartKey.flag(
            "evict-stale-writer",
            true,
            "After a failover, evicts all connections once, if the server of a connection refuses writes and a new"
                    + " connection reaches a server that accepts them. PostgreSQL, MySQL and MariaDB.");

    /** For the service loader. */
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

    /** None if it is switched off, or the pool cannot evict, or is one of transactions. */
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
