// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.AlreadyWrappedException;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.PoolControl;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** Decides for each data source bean what is wrapped, wraps it once, and lets it go with its bean. Thread-safe. */
final class PoolWrapping implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");
    private static final String SCOPED_TARGET = "scopedTarget.";
    private static final boolean SPRING_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.DelegatingDataSource", PoolWrapping.class.getClassLoader());

    private final FlexPoolKeys keys;
    private final FlexPools pools;
    private final Backends backends;
    private final @Nullable ClassLoader loader;

    /** Guards the two maps, by identity; one data source at a time. */
    private final ReentrantLock lock = new ReentrantLock();
    /** By the raw pool. */
    private final IdentityHashMap<DataSource, Wrapped> wrapped = new IdentityHashMap<>();
    /** Beans that are not wrapped; nor are they if another data source holds them. */
    private final KnownSources leftAlone = new KnownSources();
    /** What to let go with a bean: itself, or what it holds. */
    private final IdentityHashMap<Object, Mine> ofBean = new IdentityHashMap<>();

    /**
     * One wrapped pool.
     *
     * @param bean what stands in its place
     * @param wrapper flexpool
     */
    private record Wrapped(DataSource bean, FlexPoolDataSource wrapper) {}

    /**
     * What ends with a bean.
     *
     * @param beanName the bean's name
     * @param pools the raw pools
     */
    private record Mine(String beanName, List<DataSource> pools) {}

    /**
     * Backends that every pool is shown by.
     *
     * @param providers configured by properties
     * @param binders given by the application
     */
    record Backends(ObjectProvider<MetricsProvider> providers, ObjectProvider<MetricsBinder> binders) {}

    PoolWrapping(FlexPoolKeys keys, FlexPools pools, Backends backends, @Nullable ClassLoader loader) {
        this.keys = keys;
        this.pools = pools;
        this.backends = backends;
        this.loader = loader;
    }

    /** The name of a bean without what Spring puts before that of a scoped proxy's target. */
    static String plain(String beanName) {
        return beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName;
    }

    /**
     * What is to stand in the context for a data source bean.
     *
     * @param bean the bean, as it is
     * @param beanName its name
     * @param onlyOne false of a prototype: nobody would tell when it ends
     * @return the wrapped pool, or the bean itself
     */
    DataSource bean(DataSource bean, String beanName, boolean onlyOne) {
        String plain = plain(beanName);
        Optional<Boolean> wanted = keys.enabled(plain);
        if (!keys.enabled() || !wanted.orElse(true)) {
            LOG.info("{}: flexpool leaves this data source alone, as configured", plain);
            leftAlone.add(bean);
            return bean;
        }
        if (bean instanceof ScopedObject || !onlyOne) {
            leftAlone.add(bean);
            return bean;
        }
        // Before the lock: the container has its own, and another thread may hold that and wait for this.
        Shown shown = new Shown(
                backends.providers().orderedStream().toList(),
                backends.binders().orderedStream().toList());
        lock.lock();
        try {
            List<DataSource> mine = new ArrayList<>();
            Request request = new Request(mine, shown, wanted.orElse(false), beanName.startsWith(SCOPED_TARGET));
            DataSource now = wrap(bean, keys.nameOf(plain), request);
            if (!mine.isEmpty()) {
                ofBean.put(bean, new Mine(beanName, mine));
            }
            return now;
        } finally {
            lock.unlock();
        }
    }

    /**
     * What is asked for.
     *
     * @param made takes the raw pools that were wrapped for this bean
     * @param shown the backends
     * @param insisted whether a data source that flexpool does not know is wrapped too
     * @param byClass whether the proxy has to be of the pool's class
     */
    private record Request(List<DataSource> made, Shown shown, boolean insisted, boolean byClass) {}

    private record Shown(List<MetricsProvider> providers, List<MetricsBinder> binders) {}

    private DataSource wrap(DataSource source, String name, Request request) {
        // What a scoped proxy stands for is a bean of its own.
        if (source instanceof ScopedObject || leftAlone.contains(source)) {
            return source;
        }
        Wrapped before = wrapped.get(source);
        if (before != null) {
            return before.bean();
        }
        if (source instanceof PoolControl) {
            adopt(source, request);
            return source;
        }
        if (SPRING_JDBC && HeldPools.holds(source)) {
            Request held = new Request(request.made(), request.shown(), false, false);
            HeldPools.replace(source, name, (target, its) -> wrap(target, its, held));
            return source;
        }
        if (isWrapped(source)) {
            return source;
        }
        if (!request.insisted() && !FlexPool.knows(source)) {
            LOG.debug("{}: {} is no pool that flexpool knows and is left alone", name, source.getClass());
            return source;
        }
        return made(source, name, request);
    }

    private DataSource made(DataSource source, String name, Request request) {
        FlexPoolDataSource wrapper;
        try {
            wrapper = build(source, name, request.shown());
        } catch (AlreadyWrappedException elsewhere) {
            // Another application context, or the application itself, has this very pool.
            LOG.warn("{}: left alone: {}", name, elsewhere.getMessage());
            return source;
        }
        DataSource bean = proxy(source, wrapper, request.byClass());
        pools.add(wrapper);
        wrapped.put(source, new Wrapped(bean, wrapper));
        request.made().add(source);
        return bean;
    }

    private DataSource proxy(DataSource source, FlexPoolDataSource wrapper, boolean byClass) {
        try {
            return byClass ? WrappedBean.ofItsClass(source, wrapper, loader) : WrappedBean.of(source, wrapper, loader);
        } catch (RuntimeException | Error failed) {
            wrapper.release();
            throw failed;
        }
    }

    private FlexPoolDataSource build(DataSource source, String wanted, Shown shown) {
        String name = pools.take(wanted);
        boolean built = false;
        try {
            FlexPoolBuilder builder = FlexPool.wrap(source).name(name).listener(new PoolListener() {
                @Override
                public void onClosed(String pool) {
                    pools.remove(pool);
                }
            });
            shown.binders().forEach(builder::metrics);
            providers(shown.providers(), wanted).forEach(builder::metrics);
            keys.addTo(builder, wanted, name);
            FlexPoolDataSource wrapper = builder.build();
            built = true;
            return wrapper;
        } catch (IllegalArgumentException refused) {
            throw new RefusedConfiguration(String.valueOf(refused.getMessage()), keys.linesFor(wanted), refused);
        } finally {
            if (!built) {
                pools.remove(name);
            }
        }
    }

    /** Where there is Micrometer, OpenTelemetry would show the same once more: only if the application says so. */
    private List<MetricsProvider> providers(List<MetricsProvider> all, String name) {
        boolean micrometer = all.stream().anyMatch(one -> one.name().equals(MicrometerBackend.NAME));
        return keys.given(name, "metrics") || !micrometer
                ? all
                : all.stream()
                        .filter(one -> !one.name().equals(OpenTelemetryBackend.NAME))
                        .toList();
    }

    private static boolean isWrapped(DataSource source) {
        if (FlexPool.knows(source)) {
            return false;
        }
        try {
            return source.isWrapperFor(FlexPoolDataSource.class);
        } catch (SQLException | RuntimeException | AbstractMethodError noAnswer) {
            return false;
        }
    }

    /** A pool that the application has wrapped itself is shown, and its end is the application's. */
    private void adopt(DataSource source, Request request) {
        if (source instanceof FlexPoolDataSource own && !pools.byName().containsKey(own.name())) {
            pools.take(own.name());
            pools.add(own);
            wrapped.put(own, new Wrapped(own, own));
            request.made().add(own);
        }
    }

    /** Whether a bean's end concerns flexpool. */
    boolean knows(Object bean) {
        lock.lock();
        try {
            return ofBean.containsKey(bean);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The bean ends: flexpool lets go of its pools. Closing them is the container's, which may have been told not to.
     *
     * @param bean as it was made
     * @param beanName its name; Spring Cloud, which binds a bean's properties anew, "destroys" it under that of its class
     *     first, and goes on using it
     */
    void release(Object bean, String beanName) {
        lock.lock();
        try {
            Mine mine = ofBean.get(bean);
            if (mine != null && mine.beanName().equals(beanName)) {
                ofBean.remove(bean);
                mine.pools().forEach(this::letGo);
            }
        } finally {
            lock.unlock();
        }
    }

    private void letGo(DataSource source) {
        Wrapped gone = wrapped.remove(source);
        if (gone != null) {
            if (gone.wrapper() != source) {
                gone.wrapper().release();
            }
            pools.remove(gone.wrapper().name());
        }
    }

    /** What came from factory beans ends without a word. */
    @Override
    public void destroy() {
        lock.lock();
        try {
            List.copyOf(wrapped.keySet()).forEach(this::letGo);
            ofBean.clear();
        } finally {
            lock.unlock();
        }
    }
}
