// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.AlreadyWrappedException;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.framework.ApplicationKeys;
import io.flexpool.framework.NamedPool;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.monitoring.PoolMetric;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Decides which data source beans are wrapped, wraps each once, and unwraps it when its bean ends. Thread-safe. */
final class PoolWrapping implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");
    private static final String SCOPED_TARGET = "scopedTarget.";
    private static final boolean SPRING_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.DelegatingDataSource", PoolWrapping.class.getClassLoader());

    private final ApplicationKeys keys;
    private final FlexPools pools;
    private final Backends backends;
    private final @Nullable ClassLoader loader;
    private final @Nullable ConfigurableListableBeanFactory beans;
    /** The default of the keys that name the application's packages. */
    private final Map<String, String> callSites;

    /** Guards the two maps, which compare by identity; one data source at a time. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The wrapped pools, by raw pool. */
    private final IdentityHashMap<DataSource, Wrapped> wrapped = new IdentityHashMap<>();
    /** Beans that are never wrapped, also not as the target of another data source. */
    private final KnownSources leftAlone = new KnownSources();
    /** The pools to unwrap at a bean's end: the bean itself, or its targets. */
    private final IdentityHashMap<Object, Mine> ofBean = new IdentityHashMap<>();

    private final HolderWatch holders = new HolderWatch(new Targets());

    /**
     * One wrapped pool.
     *
     * @param bean the proxy that replaces it
     * @param wrapper flexpool's wrapper
     */
    private record Wrapped(DataSource bean, FlexPoolDataSource wrapper) {}

    /**
     * The pools that end with a bean.
     *
     * @param beanName the bean's name
     * @param pools the raw pools
     */
    private record Mine(String beanName, List<DataSource> pools) {}

    /**
     * Backends that every pool is bound to.
     *
     * @param providers configured by properties
     * @param binders provided by the application
     * @param own the pool's own meters
     */
    record Backends(
            ObjectProvider<MetricsProvider> providers,
            ObjectProvider<MetricsBinder> binders,
            ObjectProvider<OwnMeters> own) {}

    PoolWrapping(
            FlexPoolKeys keys,
            FlexPools pools,
            Backends backends,
            @Nullable ClassLoader loader,
            @Nullable ConfigurableListableBeanFactory beans,
            List<String> packages) {
        this.keys = keys.keys();
        this.pools = pools;
        this.backends = backends;
        this.loader = loader;
        this.beans = beans;
        this.callSites =
                packages.isEmpty() ? Map.of() : Map.of("flexpool.call-sites.application", String.join(",", packages));
    }

    /** The bean name without Spring's prefix for the target of a scoped proxy. */
    static String plain(String beanName) {
        return beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName;
    }

    /**
     * Returns the object that replaces a data source bean in the context.
     *
     * @param bean the bean as created
     * @param beanName its name
     * @param onlyOne false for a prototype, whose end is not signalled
     * @return the wrapped pool, or the bean itself
     */
    DataSource bean(DataSource bean, String beanName, boolean onlyOne) {
        String plain = plain(beanName);
        Optional<Boolean> wanted = keys.enabled(plain);
        if (!keys.enabled() || !wanted.orElse(true)) {
            LOG.info("{}: not wrapped, as configured", plain);
            leftAlone.add(bean);
            return bean;
        }
        if (bean instanceof ScopedObject || !onlyOne) {
            leftAlone.add(bean);
            return bean;
        }
        // Read before the lock is taken: another thread with the container's lock may wait for this lock.
        WrapRequest.Shown shown = new WrapRequest.Shown(
                backends.providers().orderedStream().toList(),
                backends.binders().orderedStream().toList(),
                backends.own().orderedStream().toList());
        boolean byClass = byClass(bean, beanName);
        lock.lock();
        try {
            List<DataSource> mine = new ArrayList<>();
            WrapRequest request =
                    new WrapRequest(mine, shown, wanted.orElse(false), byClass, false, keys.nameOf(plain));
            DataSource now = wrap(bean, plain, request);
            boolean holder = now == bean && SPRING_JDBC && HeldPools.holds(bean);
            if (holder || !mine.isEmpty()) {
                ofBean.put(bean, new Mine(beanName, mine));
            }
            if (holder) {
                holders.add(new HolderWatch.Held(bean, plain, request.lately()));
            }
            return now;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the proxy of a bean must have the pool's class, because other beans require that class. */
    private boolean byClass(DataSource bean, String beanName) {
        if (beanName.startsWith(SCOPED_TARGET)) {
            return true;
        }
        if (beans == null || bean instanceof PoolControl) {
            return false;
        }
        Optional<String> injected = ClassInjection.of(beans, bean.getClass());
        // Checked last, because it searches for adapters on the class path.
        if (injected.isEmpty() || !FlexPool.knows(bean)) {
            return false;
        }
        if (!WrappedBean.canBe(bean.getClass())) {
            LOG.warn(
                    "{}: {} injects it as a {}, but the wrapper is a javax.sql.DataSource, so the injection"
                            + " fails. Inject javax.sql.DataSource and unwrap it, or set flexpool.datasources.{}.enabled=false",
                    beanName,
                    injected.get(),
                    bean.getClass().getName(),
                    beanName);
            return false;
        }
        return true;
    }

    private DataSource wrap(DataSource source, String name, WrapRequest request) {
        // The target of a scoped proxy is a separate bean.
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
            String holder = request.configured().orElse(name);
            HeldPools.replace(source, holder, (target, its) -> {
                WrapRequest held = request.held(request.configured().map(any -> its));
                return wrap(target, its, held);
            });
            return source;
        }
        boolean known = FlexPool.knows(source);
        if (!known && isWrapped(source)) {
            return source;
        }
        if (!known && !request.insisted() && !isTestDatabase(source)) {
            LOG.info(
                    "{}: not wrapped: {} is not a known pool. To wrap it, set flexpool.datasources.{}.enabled=true",
                    name,
                    source.getClass().getName(),
                    name);
            return source;
        }
        return made(source, name, request);
    }

    private DataSource made(DataSource source, String name, WrapRequest request) {
        FlexPoolDataSource wrapper;
        try {
            wrapper = build(source, name, request);
        } catch (AlreadyWrappedException elsewhere) {
            // Another application context, or the application itself, has wrapped this pool.
            LOG.warn("{}: not wrapped: {}", name, elsewhere.getMessage());
            return source;
        } catch (RuntimeException refused) {
            if (!request.late()) {
                throw refused;
            }
            LOG.warn("{}: not watched: {}", name, refused.getMessage());
            leftAlone.add(source);
            return source;
        }
        DataSource bean = proxy(source, wrapper, request.byClass());
        wrapped.put(source, new Wrapped(bean, wrapper));
        request.made().add(source);
        return bean;
    }

    private DataSource proxy(DataSource source, FlexPoolDataSource wrapper, boolean byClass) {
        try {
            return byClass ? WrappedBean.ofItsClass(source, wrapper, loader) : WrappedBean.of(source, wrapper, loader);
        } catch (RuntimeException | Error failed) {
            OpenPools.release(wrapper, null);
            pools.wrapped().remove(wrapper);
            throw failed;
        }
    }

    private FlexPoolDataSource build(DataSource source, String bean, WrapRequest request) {
        FlexPoolBuilder builder = FlexPool.wrap(source);
        NamedPool wanted = NamedPool.of(request.configured(), builder, bean);
        WrapRequest.Shown shown = request.shown();
        List<MetricsBinder> own = new ArrayList<>();
        for (OwnMeters meters : shown.own()) {
            Optional<MetricsBinder> its = meters.of(source);
            if (its.isPresent()) {
                own.add(its.get());
            }
        }
        try {
            FlexPoolDataSource wrapper = pools.wrapped().build(builder, wanted.name(), name -> {
                for (MetricsBinder binder : shown.binders()) {
                    builder.metrics(binder);
                }
                for (MetricsBinder binder : own) {
                    builder.metrics(binder);
                }
                boolean configured = !isTestDatabase(source);
                builder.framework(with -> {
                    for (MetricsProvider provider : providers(shown.providers(), wanted)) {
                        with.metrics(provider);
                    }
                    with.otherName(bean);
                    if (configured) {
                        with.properties(callSites, "Spring Boot's default packages");
                    }
                });
                if (configured) {
                    keys.addTo(builder, wanted, name);
                }
            });
            if (wrapper.supports(PoolMetric.GROWTHS)) {
                MovedFigures.log(wrapper, source, !own.isEmpty());
            }
            return wrapper;
        } catch (IllegalArgumentException refused) {
            throw new RefusedConfiguration(String.valueOf(refused.getMessage()), keys.linesFor(wanted), refused);
        }
    }

    /** Whether it is an embedded test database. Such a database has no size, so the replaced pool's keys do not fit. */
    private static boolean isTestDatabase(DataSource source) {
        return SPRING_JDBC && TestDatabases.contain(source);
    }

    /**
     * The backends of a pool. With Micrometer, OpenTelemetry would report the same figures again, so it is only used if
     * requested.
     */
    private List<MetricsProvider> providers(List<MetricsProvider> all, NamedPool pool) {
        boolean micrometer = false;
        List<MetricsProvider> others = new ArrayList<>();
        for (MetricsProvider one : all) {
            micrometer |= one.name().equals(MicrometerBackend.NAME);
            if (!one.name().equals(OpenTelemetryBackend.NAME)) {
                others.add(one);
            }
        }
        return keys.given(pool, "metrics") || !micrometer ? all : others;
    }

    private static boolean isWrapped(DataSource source) {
        try {
            return source.isWrapperFor(FlexPoolDataSource.class);
        } catch (SQLException | RuntimeException | AbstractMethodError noAnswer) {
            return false;
        }
    }

    /** Binds the backends to a pool that the application has wrapped, and closes itself. */
    private void adopt(DataSource source, WrapRequest request) {
        if (source instanceof FlexPoolDataSource own && pools.wrapped().adopt(own)) {
            wrapped.put(own, new Wrapped(own, own));
            request.made().add(own);
        }
    }

    /** Whether the end of a bean concerns flexpool. */
    boolean knows(Object bean) {
        lock.lock();
        try {
            return ofBean.containsKey(bean);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Called at a bean's end: unwraps its pools. The container closes them, unless it is configured not to.
     *
     * @param bean the bean as created, or the factory bean that has created it
     * @param beanName its name. When Spring Cloud rebinds a bean's properties, it first "destroys" the bean under its
     *     class name, and continues to use it
     */
    void release(Object bean, String beanName) {
        List<DataSource> mine = new ArrayList<>();
        lock.lock();
        try {
            ofBean.entrySet().removeIf(one -> {
                boolean ends = one.getValue().beanName().equals(beanName)
                        && (one.getKey() == bean || bean instanceof FactoryBean);
                if (ends) {
                    mine.addAll(one.getValue().pools());
                }
                return ends;
            });
        } finally {
            lock.unlock();
        }
        holders.remove(bean);
        mine.forEach(this::letGo);
    }

    /** The targets of holders, which may change at run time. */
    private final class Targets implements HolderWatch.Wrapping {
        @Override
        public int wrap(HolderWatch.Held held) {
            lock.lock();
            try {
                List<DataSource> made = held.request().made();
                int before = made.size();
                PoolWrapping.this.wrap(held.holder(), held.name(), held.request());
                return made.size() - before;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public List<HolderWatch.Made> made(HolderWatch.Held held) {
            lock.lock();
            try {
                List<HolderWatch.Made> all = new ArrayList<>();
                for (DataSource pool : held.request().made()) {
                    Wrapped its = wrapped.get(pool);
                    if (its != null) {
                        all.add(new HolderWatch.Made(pool, its.bean()));
                    }
                }
                return all;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void letGo(HolderWatch.Held held, DataSource pool) {
            lock.lock();
            try {
                held.request().made().removeIf(one -> one == pool);
            } finally {
                lock.unlock();
            }
            PoolWrapping.this.letGo(pool);
        }
    }

    /** Called without the lock: a drain may take long, and a lease for which it waits may create a bean. */
    private void letGo(DataSource source) {
        Wrapped gone;
        lock.lock();
        try {
            gone = wrapped.remove(source);
        } finally {
            lock.unlock();
        }
        if (gone != null) {
            if (gone.wrapper() != source) {
                pools.release(gone.wrapper());
            }
            pools.wrapped().remove(gone.wrapper());
        }
    }

    /** Beans that end without a callback. */
    @Override
    public void destroy() {
        holders.close();
        List<DataSource> left;
        lock.lock();
        try {
            left = List.copyOf(wrapped.keySet());
            ofBean.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(this::letGo);
    }
}
