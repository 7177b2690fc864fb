// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Spring's data sources that delegate to others: wraps their targets unless these are beans, and leaves the holders as
 * they are. Loaded only if spring-jdbc is present.
 */
final class HeldPools {
    private HeldPools() {}

    /** Whether a data source delegates to others. */
    static boolean holds(DataSource dataSource) {
        return dataSource instanceof AbstractRoutingDataSource || dataSource instanceof DelegatingDataSource;
    }

    /**
     * Replaces the held pools by wrapped ones.
     *
     * @param holder a data source that delegates to others
     * @param name its name; the targets of a router are named {@code <name>.<lookup key>}
     * @param wrapped maps a data source and its name to the wrapped one, or to itself
     */
    static void replace(DataSource holder, String name, BiFunction<DataSource, String, DataSource> wrapped) {
        if (holder instanceof AbstractRoutingDataSource router) {
            replace(router, name, wrapped);
        } else if (holder instanceof DelegatingDataSource delegating) {
            DataSource target = delegating.getTargetDataSource();
            if (target != null) {
                DataSource now = wrapped.apply(target, name);
                if (now != target) {
                    delegating.setTargetDataSource(now);
                }
            }
        }
    }

    private static void replace(
            AbstractRoutingDataSource router, String name, BiFunction<DataSource, String, DataSource> wrapped) {
        Map<Object, Object> now = new LinkedHashMap<>();
        boolean[] changed = {false};
        resolved(router).forEach((key, target) -> {
            DataSource replaced = wrapped.apply(target, name + "." + key);
            changed[0] |= replaced != target;
            now.put(key, replaced);
        });
        DataSource fallback = router.getResolvedDefaultDataSource();
        DataSource fallbackNow = fallback == null ? null : wrapped.apply(fallback, name + ".default");
        if (changed[0] || fallbackNow != fallback) {
            router.setTargetDataSources(now);
            if (fallbackNow != null) {
                router.setDefaultTargetDataSource(fallbackNow);
            }
            router.initialize();
        }
    }

    /** Empty if a subclass resolves its targets in another way and has none. */
    private static Map<Object, DataSource> resolved(AbstractRoutingDataSource router) {
        try {
            return router.getResolvedDataSources();
        } catch (IllegalStateException notInitialised) {
            return Map.of();
        }
    }
}
