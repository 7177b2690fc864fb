// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.AlreadyWrappedException;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.framework.ApplicationKeys;
import io.flexpool.framework.NamedPool;
import io.flexpool.framework.WrappedPools;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.PoolControl;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.context.event.BeanPreDestroyEvent;
import io.micronaut.context.event.BeanPreDestroyEventListener;
import io.micronaut.core.naming.NameResolver;
import io.micronaut.core.order.Ordered;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces each pool among the application's data sources by the wrapped pool. Runs before other wrappers, so that the
 * data sources of Micronaut Data and of tracing are in front of flexpool. Factories of Micronaut or the application
 * close their pools when they are destroyed: flexpool ends right before. Thread-safe.
 */
@Singleton
final class PoolWrapping implements BeanCreatedEventListener<DataSource>, BeanPreDestroyEventListener<Object>, Ordered {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.micronaut");

    private final ApplicationKeys keys;
    private final WrappedPools pools;
    private final List<MetricsBinder> binders;
    private final List<MetricsProvider> providers;
    /** The wrapped pools, with the class of the factory that created the pool and closes it. */
    private final Map<FlexPoolDataSource, Class<?>> made = new ConcurrentHashMap<>();

    PoolWrapping(FlexPoolKeys keys, WrappedPools pools, List<MetricsBinder> binders, List<MetricsProvider> providers) {
        this.keys = keys.keys();
        this.pools = pools;
        this.binders = binders;
        this.providers = providers;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    /**
     * Wraps a pool. Micronaut accepts the result even if the bean is declared as an interface of its pool, for example
     * UCP's; Micronaut Data also replaces such beans by a mere data source. (A reflection proxy cannot implement UCP's
     * interface, which has two methods createConnectionBuilder() of different types.)
     *
     * @throws IllegalArgumentException if this pool does not support a key, which ends the start; the message names all
     *     such keys
     */
    @Override
    public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
        DataSource source = event.getBean();
        String name = name(event);
        if (source instanceof PoolControl) {
            if (source instanceof FlexPoolDataSource own) {
                pools.adopt(own);
            }
            return source;
        }
        if (!keys.enabled(name).orElse(true)) {
            LOG.info("{}: not wrapped, as configured", name);
            return source;
        }
        if (!FlexPool.knows(source)) {
            LOG.info(
                    "{}: not wrapped: {} is not a known pool. To monitor it, let its factory return FlexPool.wrap(…)",
                    name,
                    source.getClass().getName());
            return source;
        }
        Class<?> declared = event.getBeanDefinition().getBeanType();
        if (!declared.isInterface()) {
            LOG.warn(
                    "{}: not wrapped: its bean is declared as a {}, but the wrapper is a javax.sql.DataSource:"
                            + " declare it as a DataSource",
                    name,
                    declared.getName());
            return source;
        }
        try {
            FlexPoolDataSource wrapped = wrap(source, name);
            event.getBeanDefinition().getDeclaringType().ifPresent(factory -> made.put(wrapped, factory));
            return wrapped;
        } catch (AlreadyWrappedException elsewhere) {
            // Another application context, or the application itself, has wrapped this pool.
            LOG.warn("{}: not wrapped: {}", name, elsewhere.getMessage());
            return source;
        }
    }

    /** The configured name of the data source; for another bean, its qualifier or type. */
    private static String name(BeanCreatedEvent<DataSource> event) {
        Optional<String> named =
                event.getBeanDefinition() instanceof NameResolver resolver ? resolver.resolveName() : Optional.empty();
        String name = named.orElseGet(() -> event.getBeanIdentifier().getName());
        // Micronaut's name of the data source without a name.
        return name.equalsIgnoreCase("primary") ? "default" : name;
    }

    private FlexPoolDataSource wrap(DataSource source, String dataSource) {
        FlexPoolBuilder builder = FlexPool.wrap(source);
        NamedPool named = NamedPool.of(keys.nameOf(dataSource), builder, dataSource);
        return pools.build(builder, named.name(), unique -> {
            binders.forEach(builder::metrics);
            builder.framework(with -> {
                providers.forEach(with::metrics);
                with.otherName(dataSource);
            });
            keys.addTo(builder, named, unique);
        });
    }

    /** Ends flexpool before a factory closes its pool. Listens to all beans, because factories have no common type. */
    @Override
    public Object onPreDestroy(BeanPreDestroyEvent<Object> event) {
        Object bean = event.getBean();
        made.forEach((pool, factory) -> {
            if (factory.isInstance(bean)) {
                OpenPools.release(pool, null);
                pools.remove(pool);
                made.remove(pool);
            }
        });
        return bean;
    }
}
