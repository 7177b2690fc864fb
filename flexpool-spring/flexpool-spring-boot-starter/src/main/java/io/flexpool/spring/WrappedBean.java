// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PoolControl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.CommonDataSource;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

/**
 * The proxy that replaces a pool in the context. It is a Spring proxy, so that code which needs the pool itself finds
 * it (Spring Cloud's rebinding, Boot's unwrapper). Calls of {@link DataSource}, {@link PoolControl} and {@code close()}
 * go to flexpool, all others to the pool itself.
 *
 * <p>The proxy has the pool's class only if a bean requires that class, or if the proxy is a scoped proxy's target.
 * Such a proxy allocates 88 bytes a call, and lacks the values of the pool's fields, which Spring Boot reads by
 * reflection.
 */
final class WrappedBean {
    private WrappedBean() {}

    /**
     * Creates a proxy with the pool's interfaces, but not of the pool's class.
     *
     * @param pool the raw pool
     * @param wrapper flexpool's wrapper
     * @param loader the application's class loader
     */
    static DataSource of(DataSource pool, FlexPoolDataSource wrapper, @Nullable ClassLoader loader) {
        ProxyFactory factory = factory(pool, wrapper);
        factory.setInterfaces(interfaces(pool.getClass()));
        return (DataSource) ShortCut.proxy(wrapper, factory, loader);
    }

    /** Whether a proxy of a pool's class is possible. */
    static boolean canBe(Class<?> pool) {
        return !Modifier.isFinal(pool.getModifiers()) && !NativeDetector.inNativeImage();
    }

    /** Whether a data source is a proxy of either kind. */
    static boolean isOne(DataSource source) {
        return source instanceof PoolControl && source instanceof Advised;
    }

    /**
     * Creates a proxy of the pool's class: for beans that require the pool by its class, and for the target of a scoped
     * proxy, which calls its target by that class. Such a proxy lacks the values of the pool's fields, and does not use
     * {@link ShortCut}. So it is created only where necessary.
     */
    static DataSource ofItsClass(DataSource pool, FlexPoolDataSource wrapper, @Nullable ClassLoader loader) {
        if (!canBe(pool.getClass())) {
            return of(pool, wrapper, loader);
        }
        ProxyFactory factory = factory(pool, wrapper);
        factory.setInterfaces(interfaces(pool.getClass()));
        factory.setProxyTargetClass(true);
        return (DataSource) factory.getProxy(loader);
    }

    private static ProxyFactory factory(DataSource pool, FlexPoolDataSource wrapper) {
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(pool);
        factory.addAdvice(new ToWrapper(wrapper));
        return factory;
    }

    /**
     * The interfaces of the pool's class that the proxy keeps. Excludes {@code XADataSource} and
     * {@code ConnectionPoolDataSource}, whose connections would bypass flexpool, and life-cycle interfaces, which the
     * container has already called.
     */
    static Class<?>[] interfaces(Class<?> pool) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        interfaces.add(DataSource.class);
        interfaces.add(PoolControl.class);
        interfaces.add(AutoCloseable.class);
        for (Class<?> one : ClassUtils.getAllInterfacesForClassAsSet(pool)) {
            boolean otherSource = CommonDataSource.class.isAssignableFrom(one);
            boolean ofTheContainer =
                    Aware.class.isAssignableFrom(one) || one == InitializingBean.class || one == DisposableBean.class;
            if (!otherSource && !ofTheContainer && Modifier.isPublic(one.getModifiers())) {
                interfaces.add(one);
            }
        }
        return interfaces.toArray(Class<?>[]::new);
    }

    /** Passes calls to flexpool if it has the method. Thread-safe. */
    private static final class ToWrapper implements MethodInterceptor {
        private static final Class<?>[] ITS_OWN = {DataSource.class, PoolControl.class, AutoCloseable.class};

        private final FlexPoolDataSource wrapper;
        private final ConcurrentHashMap<Method, Optional<Method>> its = new ConcurrentHashMap<>();

        ToWrapper(FlexPoolDataSource wrapper) {
            this.wrapper = wrapper;
        }

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            Method method = call.getMethod();
            if (method.getParameterCount() == 0 && method.getName().equals("getConnection")) {
                return wrapper.getConnection();
            }
            if (method.getName().equals("unwrap") && DataSource.class.equals(call.getArguments()[0])) {
                // Returns the pool, because Boot derives other data sources from it, for example for Flyway's own user.
                return call.getThis();
            }
            Optional<Method> own = its.computeIfAbsent(method, ToWrapper::its);
            if (own.isEmpty()) {
                return call.proceed();
            }
            try {
                return own.get().invoke(wrapper, call.getArguments());
            } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
            }
        }

        /** Finds flexpool's method for a method of the pool's class. */
        private static Optional<Method> its(Method method) {
            for (Class<?> type : ITS_OWN) {
                boolean named =
                        type != PoolControl.class || method.getDeclaringClass().isAssignableFrom(type);
                Method own = named && method.getDeclaringClass() != Object.class
                        ? ClassUtils.getMethodIfAvailable(type, method.getName(), method.getParameterTypes())
                        : null;
                // A pool's method may have a more specific return type than the interface's, for example UCP's builder
                // of connections.
                if (own != null && ClassUtils.isAssignable(method.getReturnType(), own.getReturnType())) {
                    return Optional.of(own);
                }
            }
            return Optional.empty();
        }
    }
}
