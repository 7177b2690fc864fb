// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.adapter.PoolAdapterProvider;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.server.ServerViewProvider;
import java.util.List;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/** Hints for native images: the proxies of the pools on the class path, flexpool's modules and its texts. */
final class FlexPoolRuntimeHints implements RuntimeHintsRegistrar {
    private static final List<String> POOLS = List.of(
            "com.zaxxer.hikari.HikariDataSource",
            "org.apache.tomcat.jdbc.pool.DataSource",
            "org.apache.commons.dbcp2.BasicDataSource",
            "oracle.ucp.jdbc.PoolDataSourceImpl",
            "com.mchange.v2.c3p0.ComboPooledDataSource",
            "com.alibaba.druid.pool.DruidDataSource",
            "io.agroal.pool.DataSource",
            "org.vibur.dbcp.ViburDBCPDataSource");

    /** The data sources whose targets flexpool replaces. */
    private static final List<String> HOLDERS = List.of(
            "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource",
            "org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy");

    /** Called by Spring. */
    FlexPoolRuntimeHints() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (String name : POOLS) {
            if (ClassUtils.isPresent(name, classLoader)) {
                Class<?> pool = ClassUtils.resolveClassName(name, classLoader);
                hints.proxies()
                        .registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(WrappedBean.interfaces(pool)));
            }
        }
        // The proxies call flexpool through these interfaces.
        for (Class<?> called : List.of(DataSource.class, PoolControl.class, AutoCloseable.class)) {
            hints.reflection().registerType(called, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        for (String holder : HOLDERS) {
            if (ClassUtils.isPresent(holder, classLoader)) {
                hints.reflection()
                        .registerType(
                                ClassUtils.resolveClassName(holder, classLoader),
                                type -> HeldPools.FIELDS.forEach(type::withField));
            }
        }
        modules(hints, PoolAdapterProvider.class, classLoader);
        modules(hints, MetricsProvider.class, classLoader);
        modules(hints, ServerViewProvider.class, classLoader);
        hints.resources().registerPattern("io/flexpool/internal/adapter-artifacts.properties");
    }

    private static void modules(RuntimeHints hints, Class<?> service, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/services/" + service.getName());
        ServiceLoader.load(service, classLoader).stream()
                .map(ServiceLoader.Provider::type)
                .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
    }
}
