// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.server.ServerViewProvider;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets each wrapped pool look at its server. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class ServerPartProvider implements PoolPartProvider {
    // Not each minute by default: the server view opens nothing while nothing fails, and a session that each pool opens
    // each minute is one of those that are scarce. In a fleet the sum matters, and a failed request has the figures
    // anyway.
    static final PartKey<ServerViewUse> SERVER_VIEW = PartKey.choice(
            "server-view",
            ServerViewUse.AUTO,
            "When flexpool queries the database server for the pool's sessions and for free sessions. auto:"
                    + " after a failed request, in a fleet also each minute. always: also at the start and each minute, by"
                    + " one short connection. off: never.");

    /** For the service loader. */
    public ServerPartProvider() {}

    @Override
    public String name() {
        return "server-view";
    }

    /** Before those that read what the server has left. */
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
