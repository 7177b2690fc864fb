// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Spring's data sources that hold others: wraps what they hold, where that is no bean, and leaves them as they are. Loaded
 * only where spring-jdbc is.
 */
final class HeldPools {
    private HeldPools() {}

    /** Whether a data source is one that holds others. */
    static boolean holds(DataSource dataSource) {
        return dataSource instanceof AbstractRoutingDataSource || dataSource instanceof DelegatingDataSource;
    }

    /**
     * Puts wrapped pools in place of what is held.
     *
     * @param holder one of those that hold others
     * @param name its name; what a router holds is called {@code <name>.<lookup key>}
     * @param wrapped gives for a data source and its name the wrapped one, or the same
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

    /** Empty where a subclass finds its targets in another way and has none. */
    private static Map<Object, DataSource> resolved(AbstractRoutingDataSource router) {
        try {
            return router.getResolvedDataSources();
        } catch (IllegalStateException notInitialised) {
            return Map.of();
        }
    }
}
