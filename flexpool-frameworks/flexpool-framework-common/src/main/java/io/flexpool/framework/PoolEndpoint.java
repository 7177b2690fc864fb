// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.spi.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The responses of a management endpoint, which shows an application's pools, and changes their mode and limits.
 * Reading borrows no connection. Thread-safe.
 */
public final class PoolEndpoint {
    private final WrappedPools pools;

    /**
     * Creates an endpoint.
     *
     * @param pools the application's pools
     */
    public PoolEndpoint(WrappedPools pools) {
        this.pools = Objects.requireNonNull(pools, "pools is null");
    }

    /** An HTTP response. Immutable. */
    public static final class Answer {
        private final int status;
        private final Map<String, Object> body;

        private Answer(int status, Map<String, Object> body) {
            this.status = status;
            this.body = body;
        }

        /** {@return the HTTP status: 200, 400, 404 or 409} */
        public int status() {
            return status;
        }

        /** {@return plain maps, lists, texts, numbers and booleans, which every JSON library supports} */
        public Map<String, Object> body() {
            return body;
        }
    }

    /**
     * A summary of all pools.
     *
     * @return {@code pools}, a list of entries with name, mode, state and {@code figures}: gauges and counters by the
     *     short names of the metrics
     */
    public Map<String, Object> all() {
        List<Map<String, Object>> all =
                pools.byName().values().stream().map(PoolMaps::inShort).toList();
        return Map.of("pools", all);
    }

    /**
     * A pool with its report.
     *
     * @param name the pool's name
     * @return 200 with its entry and {@code report}, a list of lines, or 404 with the existing names
     */
    public Answer one(String name) {
        FlexPoolDataSource pool = pools.byName().get(name);
        return pool == null ? unknown(name) : new Answer(200, PoolMaps.inFull(pool));
    }

    /**
     * Changes a pool's mode or its limits until it is closed.
     *
     * @param name the pool's name
     * @param mode {@code monitor}, {@code recommend} or {@code adapt}; null for no change
     * @param base 1 to 10,000; null for no change
     * @param ceiling at least the base; null for no change
     * @return 200 with {@code changed} and the entry, 400 with the allowed values, 404 with the existing names, or 409
     *     if the pool has no limits
     */
    public Answer change(String name, @Nullable String mode, @Nullable String base, @Nullable String ceiling) {
        FlexPoolDataSource pool = pools.byName().get(name);
        if (pool == null) {
            return unknown(name);
        }
        boolean changed;
        try {
            changed = PoolCommand.of(mode, base, ceiling).apply(pool);
        } catch (IllegalArgumentException refused) {
            return error(400, refused);
        } catch (IllegalStateException unlimited) {
            return error(409, unlimited);
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("changed", changed);
        shown.putAll(PoolMaps.inShort(pool));
        return new Answer(200, shown);
    }

    private static Answer error(int status, RuntimeException refused) {
        return new Answer(status, Map.of("error", String.valueOf(refused.getMessage())));
    }

    private Answer unknown(String name) {
        return new Answer(
                404,
                Map.of(
                        "error",
                        "no pool '" + Texts.line(name, 100) + "'",
                        "pools",
                        List.copyOf(pools.byName().keySet())));
    }
}
