// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Wraps the targets of Spring's data sources that delegate to others, unless the targets are beans. The holders
 * themselves stay unchanged. Loaded only if spring-jdbc is present.
 *
 * <p>Replaces a router's targets in its map of resolved targets. Calls its setters only if reflection is refused: then
 * the application could not add targets to its own map, and of two threads that set targets at the same time one would
 * lose its targets.
 */
final class HeldPools {
    private static final @Nullable Field RESOLVED = field(AbstractRoutingDataSource.class, "resolvedDataSources");
    private static final @Nullable Field RESOLVED_DEFAULT =
            field(AbstractRoutingDataSource.class, "resolvedDefaultDataSource");
    private static final @Nullable Field READ_ONLY = field(LazyConnectionDataSourceProxy.class, "readOnlyDataSource");
    /** The fields read by reflection, for native images. */
    static final List<String> FIELDS =
            List.of("resolvedDataSources", "resolvedDefaultDataSource", "readOnlyDataSource");

    private HeldPools() {}

    private static @Nullable Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException | RuntimeException refused) {
            return null;
        }
    }

    private static @Nullable Object read(@Nullable Field field, Object holder) {
        try {
            return field == null ? null : field.get(holder);
        } catch (IllegalAccessException refused) {
            return null;
        }
    }

    private static void write(Field field, Object holder, Object value) {
        try {
            field.set(holder, value);
        } catch (IllegalAccessException refused) {
            throw new IllegalStateException(field + " cannot be written", refused);
        }
    }

    /** Whether a data source delegates to others. */
    static boolean holds(DataSource dataSource) {
        return dataSource instanceof AbstractRoutingDataSource || dataSource instanceof DelegatingDataSource;
    }

    /**
     * Adds the current targets of a holder, including those of nested holders.
     *
     * @param holder a data source that delegates to others
     * @param into a set that compares by identity
     */
    static void targets(DataSource holder, Set<DataSource> into) {
        if (holder instanceof AbstractRoutingDataSource router) {
            resolved(router).values().forEach(target -> target(target, into));
            target(router.getResolvedDefaultDataSource(), into);
        } else if (holder instanceof DelegatingDataSource delegating) {
            target(delegating.getTargetDataSource(), into);
            if (delegating instanceof LazyConnectionDataSourceProxy) {
                target((DataSource) read(READ_ONLY, delegating), into);
            }
        }
    }

    private static void target(@Nullable DataSource target, Set<DataSource> into) {
        if (target != null && into.add(target)) {
            targets(target, into);
        }
    }

    /**
     * Replaces the held pools by wrapped ones.
     *
     * @param holder a data source that delegates to others
     * @param name its name; the targets of a router are named {@code <name>.<lookup key>}
     * @param wrapped maps a data source and its name to the wrapped data source, or to itself
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
            if (delegating instanceof LazyConnectionDataSourceProxy lazy
                    && read(READ_ONLY, lazy) instanceof DataSource readOnly) {
                DataSource now = wrapped.apply(readOnly, name + ".read-only");
                if (now != readOnly) {
                    lazy.setReadOnlyDataSource(now);
                }
            }
        }
    }

    private static void replace(
            AbstractRoutingDataSource router, String name, BiFunction<DataSource, String, DataSource> wrapped) {
        Map<Object, DataSource> now = new LinkedHashMap<>();
        Map<Object, DataSource> before = resolved(router);
        before.forEach((key, target) -> now.put(key, wrapped.apply(target, name + "." + key)));
        DataSource fallback = router.getResolvedDefaultDataSource();
        DataSource fallbackNow = fallback == null ? null : wrapped.apply(fallback, name + ".default");
        if (fallbackNow != null && fallbackNow != fallback) {
            replaceDefault(router, fallback, fallbackNow);
        }
        if (before.entrySet().stream().anyMatch(one -> now.get(one.getKey()) != one.getValue())) {
            replaceTargets(router, before, now);
        }
    }

    private static void replaceDefault(
            AbstractRoutingDataSource router, @Nullable DataSource fallback, DataSource fallbackNow) {
        if (RESOLVED_DEFAULT == null) {
            router.setDefaultTargetDataSource(fallbackNow);
            router.initialize();
        } else if (read(RESOLVED_DEFAULT, router) == fallback) {
            write(RESOLVED_DEFAULT, router, fallbackNow);
        }
    }

    private static void replaceTargets(
            AbstractRoutingDataSource router, Map<Object, DataSource> before, Map<Object, DataSource> now) {
        if (read(RESOLVED, router) instanceof Map<?, ?> resolved) {
            for (Map.Entry<?, ?> entry : resolved.entrySet()) {
                DataSource replaced = now.get(entry.getKey());
                if (replaced != null && entry.getValue() == before.get(entry.getKey())) {
                    put(entry, replaced);
                }
            }
        } else {
            router.setTargetDataSources(new LinkedHashMap<>(now));
            router.initialize();
        }
    }

    @SuppressWarnings("unchecked") // the router's map has data sources as values
    private static void put(Map.Entry<?, ?> entry, DataSource replaced) {
        ((Map.Entry<Object, DataSource>) entry).setValue(Objects.requireNonNull(replaced));
    }

    /** A copy of the resolved targets; empty if a subclass resolves its targets differently. */
    private static Map<Object, DataSource> resolved(AbstractRoutingDataSource router) {
        try {
            return new LinkedHashMap<>(router.getResolvedDataSources());
        } catch (IllegalStateException notInitialised) {
            return Map.of();
        }
    }
}
