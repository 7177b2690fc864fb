// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import io.flexpool.spi.Texts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.HibernateException;
import org.hibernate.boot.registry.selector.spi.StrategySelectionException;
import org.hibernate.boot.registry.selector.spi.StrategySelector;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jndi.spi.JndiService;
import org.hibernate.service.spi.Configurable;
import org.hibernate.service.spi.ServiceRegistryAwareService;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/**
 * The pool that flexpool wraps for Hibernate: created by one of Hibernate's connection providers, or the data source in
 * its settings. Immutable.
 */
final class PoolBehind {
    private static final List<String> POOLS = List.of("hikari", "c3p0", "agroal");
    private static final String PREFIX = "hibernate.flexpool.";
    /**
     * The key of the data source, to which Hibernate copies JPA's key. A literal, because Hibernate's constant for
     * it is deprecated; the key itself is not.
     */
    private static final String DATA_SOURCE = "hibernate.connection.datasource";

    private final DataSource pool;
    private final ConnectionSettings settings;
    /** Null if the application supplies the data source. */
    private final @Nullable ConnectionProvider maker;

    private PoolBehind(DataSource pool, ConnectionSettings settings, @Nullable ConnectionProvider maker) {
        this.pool = pool;
        this.settings = settings;
        this.maker = maker;
    }

    static PoolBehind of(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        settings.keySet().stream().filter(PoolBehind::isUnknown).findFirst().ifPresent(PoolBehind::refuseKey);
        String named = named(settings);
        Object given = settings.get(DATA_SOURCE);
        ConnectionSettings ofConnections = ConnectionSettings.of(settings);
        if (given != null) {
            if (named != null) {
                throw refused(named, "must not be set together with " + DATA_SOURCE);
            }
            return new PoolBehind(dataSource(given, registry), ofConnections, null);
        }
        ConnectionProvider maker = made(type(named, registry.requireService(StrategySelector.class)));
        if (maker instanceof ServiceRegistryAwareService aware) {
            aware.injectServices(registry);
        }
        if (maker instanceof Configurable configurable) {
            configurable.configure(settings);
        }
        if (!maker.isUnwrappableAs(DataSource.class)) {
            stop(maker);
            throw refused(maker.getClass().getName(), "must have a data source behind it");
        }
        return new PoolBehind(maker.unwrap(DataSource.class), ofConnections, maker);
    }

    private static @Nullable String named(Map<String, Object> settings) {
        Object given = settings.get(FlexPoolConnectionProvider.POOL);
        return given == null || given.toString().isBlank() ? null : given.toString();
    }

    private static boolean isUnknown(String key) {
        return key.startsWith(PREFIX) && !key.equals(FlexPoolConnectionProvider.POOL);
    }

    private static void refuseKey(String key) {
        String own = key.substring("hibernate.".length());
        throw new IllegalArgumentException(
                Texts.line(key) + ": unknown key; flexpool's keys begin with flexpool., for example " + Texts.line(own)
                        + "; the only exception is " + FlexPoolConnectionProvider.POOL);
    }

    private static IllegalArgumentException refused(String value, String rule) {
        return new IllegalArgumentException(
                FlexPoolConnectionProvider.POOL + " = " + Texts.line(value, 200) + ": " + rule);
    }

    private static DataSource dataSource(Object given, ServiceRegistryImplementor registry) {
        if (given instanceof DataSource dataSource) {
            return dataSource;
        }
        Object found = registry.requireService(JndiService.class).locate(given.toString());
        if (found instanceof DataSource dataSource) {
            return dataSource;
        }
        throw new HibernateException(
                DATA_SOURCE + " = " + Texts.line(given.toString(), 200) + ": no data source is bound to this name");
    }

    private static Class<? extends ConnectionProvider> type(@Nullable String named, StrategySelector selector) {
        if (named == null) {
            return onlyOne(selector);
        }
        try {
            if (!named.startsWith(FlexPoolConnectionProvider.NAME)) {
                return selector.selectStrategyImplementor(ConnectionProvider.class, named);
            }
        } catch (StrategySelectionException absent) {
            // No such provider: refused below.
        }
        String nearest = Texts.nearest(named, POOLS);
        throw refused(
                named,
                "must be one of " + String.join(", ", POOLS)
                        + ", with Hibernate's module for it on the class path, or the class of a connection provider"
                        + (Texts.alike(named, nearest) ? "; the nearest is " + nearest : ""));
    }

    /** Finds the only provider on the class path. Tries each name, because Hibernate does not list them. */
    private static Class<? extends ConnectionProvider> onlyOne(StrategySelector selector) {
        List<String> there = new ArrayList<>();
        for (String name : POOLS) {
            try {
                selector.selectStrategyImplementor(ConnectionProvider.class, name);
                there.add(name);
            } catch (StrategySelectionException absent) {
                // This provider is not on the class path.
            }
        }
        if (there.isEmpty()) {
            throw refused(
                    "none",
                    "no pool is on the class path; add hibernate-hikaricp, hibernate-c3p0 or hibernate-agroal, or give "
                            + DATA_SOURCE);
        }
        if (there.size() > 1) {
            throw refused("none", "must be one of " + String.join(", ", there) + ", which are on the class path");
        }
        return selector.selectStrategyImplementor(ConnectionProvider.class, there.get(0));
    }

    private static ConnectionProvider made(Class<? extends ConnectionProvider> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException failed) {
            throw new HibernateException(
                    FlexPoolConnectionProvider.POOL + " = " + type.getName() + " could not be made", failed);
        }
    }

    DataSource pool() {
        return pool;
    }

    ConnectionSettings settings() {
        return settings;
    }

    /** A connection of the wrapped pool, in the state that Hibernate's own provider would return. */
    Connection handOut(DataSource wrapped) throws SQLException {
        if (maker == null) {
            return settings.user() == null
                    ? wrapped.getConnection()
                    : wrapped.getConnection(settings.user(), Objects.requireNonNullElse(settings.password(), ""));
        }
        // Only Hibernate's c3p0 provider does not pass its connection settings to the pool.
        return maker.getClass().getSimpleName().equals("C3P0ConnectionProvider")
                ? settings.onto(wrapped.getConnection())
                : wrapped.getConnection();
    }

    boolean aggressiveRelease() {
        return maker == null || maker.supportsAggressiveRelease();
    }

    /** Closes the pool that Hibernate created; an application's pool stays open. */
    void stop() {
        if (maker != null) {
            stop(maker);
        }
    }

    private static void stop(ConnectionProvider maker) {
        if (maker instanceof Stoppable stoppable) {
            stoppable.stop();
        }
    }
}
