// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The data of the pools for the page in Quarkus' Dev UI. Called by Quarkus, in development only. Thread-safe. */
public class DevPools {
    private final FlexPools pools;

    /**
     * Created by Quarkus.
     *
     * @param pools the application's pools
     */
    @Inject
    public DevPools(FlexPools pools) {
        this.pools = pools;
    }

    /**
     * The figures of all pools. Borrows no connection.
     *
     * @return a map for each pool, sorted by name
     */
    public List<Map<String, Object>> pools() {
        return pools.byName().values().stream().map(DevPools::figures).toList();
    }

    private static Map<String, Object> figures(FlexPoolDataSource pool) {
        PoolState state = pool.state();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("name", pool.name());
        figures.put("mode", pool.mode().name());
        figures.put("active", state.leased());
        figures.put("pending", state.pending());
        put(figures, "limit", state.limit());
        put(figures, "max", state.pool().max());
        put(figures, "open", state.pool().total());
        pool.parts().forEach(part -> figures.putAll(part.texts()));
        return figures;
    }

    private static void put(Map<String, Object> figures, String name, int figure) {
        if (figure != PoolSnapshot.UNKNOWN) {
            figures.put(name, figure);
        }
    }
}
