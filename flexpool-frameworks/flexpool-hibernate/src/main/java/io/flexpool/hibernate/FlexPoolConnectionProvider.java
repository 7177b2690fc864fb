// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.HibernateException;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.DatabaseConnectionInfo;
import org.hibernate.service.UnknownUnwrapTypeException;
import org.hibernate.service.spi.Configurable;
import org.hibernate.service.spi.ServiceRegistryAwareService;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the pool that Hibernate creates, or the data source in its settings, and supplies Hibernate with the wrapped
 * pool's connections. Selected by {@code hibernate.connection.provider_class = flexpool}.
 *
 * <p>A module of Hibernate creates the pool with that module's settings: hibernate-hikaricp, hibernate-c3p0,
 * hibernate-agroal, or another {@code ConnectionProvider} with a data source. If the class path has several,
 * {@value #POOL} selects one. flexpool's keys, for example {@code flexpool.base}, are among Hibernate's settings. A
 * pool without a name gets the name of the persistence unit.
 *
 * <p>{@code unwrap(FlexPoolDataSource.class)} returns the wrapped pool. When the session factory is closed, flexpool
 * ends and Hibernate closes the pool that it created; an application's data source stays open. Configured once by
 * Hibernate, on one thread; thread-safe afterwards.
 */
public final class FlexPoolConnectionProvider
        implements ConnectionProvider, Configurable, Stoppable, ServiceRegistryAwareService {
    /** The name of this provider in Hibernate's settings. */
    public static final String NAME = "flexpool";

    /** The setting for the pool that Hibernate creates: {@code hikari}, {@code c3p0}, {@code agroal}, or a class. */
    public static final String POOL = "hibernate.flexpool.pool";

    private static final long serialVersionUID = 1L;
    private static final String KEYS = "flexpool.";
    private static final String NOT_THERE = "Hibernate has not configured flexpool, or has stopped it";

    private transient @Nullable ServiceRegistryImplementor registry;
    private transient volatile @Nullable Wrapped wrapped;

    private record Wrapped(FlexPoolDataSource pool, PoolBehind behind) {}

    /** Called by Hibernate, which then configures the provider. */
    public FlexPoolConnectionProvider() {}

    @Override
    public void injectServices(ServiceRegistryImplementor services) {
        registry = services;
    }

    /**
     * Creates the pool and wraps it. If either fails, no pool stays open.
     *
     * @param settings Hibernate's settings, including flexpool's keys
     * @throws IllegalArgumentException if keys are wrong; the message names each with value and allowed values
     * @throws HibernateException if the pool cannot be created
     */
    @Override
    public void configure(Map<String, Object> settings) {
        PoolBehind behind = PoolBehind.of(
                settings, Objects.requireNonNull(registry, "Hibernate must inject its services before configure()"));
        try {
            wrapped = new Wrapped(wrap(behind.pool(), settings), behind);
        } catch (RuntimeException | Error failed) {
            behind.stop();
            throw failed;
        }
    }

    private static FlexPoolDataSource wrap(DataSource pool, Map<String, Object> settings) {
        Map<String, Object> keys = new LinkedHashMap<>();
        settings.forEach((key, value) -> {
            if (key.startsWith(KEYS)) {
                keys.put(key, value);
            }
        });
        FlexPoolBuilder builder = FlexPool.wrap(pool);
        builder.framework(its -> {
            its.properties(keys, "Hibernate's settings");
            if (its.givenName().isEmpty()
                    && settings.get(AvailableSettings.PERSISTENCE_UNIT_NAME) instanceof String unit) {
                builder.name(unit);
            }
        });
        return builder.build();
    }

    private Wrapped wrapped() {
        Wrapped now = wrapped;
        if (now == null) {
            throw new IllegalStateException(NOT_THERE);
        }
        return now;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Wrapped now = wrapped;
        if (now == null) {
            // The same exception as a closed pool's: Hibernate translates it, and callers handle it.
            throw new SQLException(NOT_THERE, "08003");
        }
        return now.behind().handOut(now.pool());
    }

    @Override
    public void closeConnection(Connection connection) throws SQLException {
        connection.close();
    }

    @Override
    public boolean supportsAggressiveRelease() {
        return wrapped().behind().aggressiveRelease();
    }

    @Override
    public DatabaseConnectionInfo getDatabaseConnectionInfo(Dialect dialect) {
        Wrapped now = wrapped();
        return new ConnectionInfo(now.pool(), now.behind(), dialect.getVersion());
    }

    @Override
    public void stop() {
        Wrapped before = wrapped;
        wrapped = null;
        if (before != null) {
            try {
                OpenPools.release(before.pool(), null);
            } finally {
                before.behind().stop();
            }
        }
    }

    @Override
    public boolean isUnwrappableAs(Class<?> type) {
        return type.isInstance(this) || type.isInstance(wrapped().pool());
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        FlexPoolDataSource pool = wrapped().pool();
        if (type.isInstance(pool)) {
            return type.cast(pool);
        }
        throw new UnknownUnwrapTypeException(type);
    }
}
