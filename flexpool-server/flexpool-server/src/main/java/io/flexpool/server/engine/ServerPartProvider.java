// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.server.ServerViewProvider;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds the server view to each wrapped pool. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class ServerPartProvider implements PoolPartProvider {
    // By default no query each minute: its session would be one of the scarce ones, and a failed request causes a query
    // anyway. In a fleet the sum matters, so there the server is queried each minute.
    static final PartKey<ServerViewUse> SERVER_VIEW = PartKey.choice(
            "server-view",
            ServerViewUse.AUTO,
            "When flexpool queries the database server for the pool's sessions and for free sessions. auto:"
                    + " after a failed request, in a fleet also each minute. always: also at the start and each minute, by"
                    + " one short connection. off: never.");

    /** Called by the service loader. */
    public ServerPartProvider() {}

    @Override
    public String name() {
        return "server-view";
    }

    /** Before the parts that read the sessions left. */
    @Override
    public int order() {
        return -100;
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(SERVER_VIEW);
    }

    @Override
    public @Nullable PoolPart create(PartContext pool) {
        ServerViewUse use = pool.settings().need(SERVER_VIEW);
        if (use == ServerViewUse.OFF) {
            return null;
        }
        List<ServerViewProvider> found = ProviderSearch.onClassPath();
        if (found.isEmpty()) {
            return null;
        }
        ServerView view = new ServerView(pool, use == ServerViewUse.ALWAYS, found);
        Neighbours.add(view);
        return new ServerPart(view);
    }
}
