// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.server.ServerViewProvider;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets each wrapped pool look at its server. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class ServerPartProvider implements PoolPartProvider {
    static final PartKey<ServerViewUse> SERVER_VIEW = PartKey.choice(
            "server-view",
            ServerViewUse.AUTO,
            "Whether a failed request is explained by what the database server does with the pool's sessions, if a"
                    + " module for that server is on the class path.");
    // Not each minute unless asked for: the promise of the server view is that nothing is opened while nothing fails,
    // and a
    // session that each pool opens each minute is one of those that are scarce. In a fleet the sum is what matters, and
    // the
    // looks of failed requests have the figures anyway.
    static final PartKey<BudgetUse> BUDGET = PartKey.choice(
            "server-view.budget",
            BudgetUse.AUTO,
            "Whether flexpool reports how the pool's ceiling, times its instances, fits into the sessions that the"
                    + " server has: at the start and each minute (always, and auto in a fleet), only where it looks after"
                    + " a failed request anyway (auto otherwise), or never (off). A look each minute opens one connection"
                    + " for a moment; without a fleet, auto opens none while nothing fails.");

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
        return List.of(SERVER_VIEW, BUDGET);
    }

    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        if (settings.need(BUDGET) == BudgetUse.ALWAYS && settings.need(SERVER_VIEW) == ServerViewUse.OFF) {
            refusals.refuse(BUDGET, "always", "must be left out where server-view is off");
        }
    }

    @Override
    public @Nullable PoolPart create(PartContext pool) {
        if (pool.settings().need(SERVER_VIEW) == ServerViewUse.OFF) {
            return null;
        }
        List<ServerViewProvider> found = ProviderSearch.onClassPath();
        if (found.isEmpty()) {
            return null;
        }
        ServerView view = new ServerView(pool, pool.settings().need(BUDGET), found);
        Neighbours.add(view);
        return new ServerPart(view);
    }
}
