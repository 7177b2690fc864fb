// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.redis;

import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider;
import io.lettuce.core.RedisURI;
import java.util.Set;

/** Keeps fleets in Redis: a hash for each, {@code flexpool:fleet:{name}@host:port}, with the address of the database. */
public final class RedisBudgetProvider implements ConnectionBudgetProvider {
    /** Called by the service loader. */
    public RedisBudgetProvider() {}

    @Override
    public Set<String> stores() {
        return Set.of("redis");
    }

    @Override
    public ConnectionBudget open(Setup setup) {
        String uri = setup.uri();
        if (uri == null) {
            throw new IllegalArgumentException(
                    "flexpool.fleet.uri = none: must be given with fleet = redis, as redis://host:6379");
        }
        RedisURI parsed;
        try {
            parsed = RedisURI.create(uri);
        } catch (RuntimeException refused) {
            // Omits the exception's message, which may contain the password.
            throw new IllegalArgumentException("flexpool.fleet.uri: must be a Redis URI, as redis://host:6379 ("
                    + refused.getClass().getSimpleName() + ")");
        }
        return new RedisBudget(setup.fleet(), parsed, setup.connections());
    }
}
