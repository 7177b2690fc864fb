// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.opentelemetry.api.OpenTelemetry;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Wraps the pools of an application: every data source bean backed by a pool. Without configuration pools are only
 * watched. The properties are {@code flexpool.*}; see docs/reference/keys.md.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration"
        })
public class FlexPoolAutoConfiguration {
    /** Called by Spring. */
    public FlexPoolAutoConfiguration() {}

    /**
     * The wrapped pools.
     *
     * @return an initially empty collection
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static FlexPools flexPools() {
        return new FlexPools();
    }

    /** The configuration; an unknown key stops the start here. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static FlexPoolKeys flexPoolKeys(Environment environment) {
        FlexPoolKeys keys = new FlexPoolKeys(environment);
        keys.check();
        return keys;
    }

    /** Wraps the data source beans. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static PoolWrapping flexPoolWrapping(
            FlexPoolKeys keys,
            FlexPools pools,
            ObjectProvider<MetricsProvider> providers,
            ObjectProvider<MetricsBinder> binders,
            ObjectProvider<OwnMeters> own,
            ResourceLoader context,
            BeanFactory beans) {
        return new PoolWrapping(
                keys,
                pools,
                new PoolWrapping.Backends(providers, binders, own),
                context.getClassLoader(),
                beans instanceof ConfigurableListableBeanFactory all ? all : null,
                defaultPackages(beans));
    }

    /**
     * The application's packages, usually that of the main class. Not the unnamed package, whose name is a prefix of
     * all others.
     */
    private static List<String> defaultPackages(BeanFactory beans) {
        return AutoConfigurationPackages.has(beans)
                ? AutoConfigurationPackages.get(beans).stream()
                        .filter(name -> !name.isBlank())
                        .toList()
                : List.of();
    }

    /** Post-processes each bean; created before the web server and the data sources. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static WrappingPostProcessor flexPoolPostProcessor(ObjectProvider<PoolWrapping> wrapping) {
        EarlyClasses.load();
        return new WrappingPostProcessor(wrapping);
    }

    /** Checks that the configured pools and beans exist. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static PoolNames flexPoolNames(FlexPoolKeys keys, FlexPools pools, ListableBeanFactory beans) {
        return new PoolNames(keys, pools, beans);
    }

    /** Warms the pools up and drains them. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static PoolsLifecycle flexPoolLifecycle(FlexPools pools) {
        return new PoolsLifecycle(pools);
    }

    /** Defers actions that need other beans. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AfterStart flexPoolAfterStart() {
        return new AfterStart();
    }

    /** Active if there is a meter registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class WithMicrometer {
        WithMicrometer() {}

        /** Binds the pools to the meter registry. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnBean(MeterRegistry.class)
        static MicrometerBackend flexPoolMicrometer(
                ObjectProvider<MeterRegistry> registry, ListableBeanFactory beans, AfterStart start) {
            return new MicrometerBackend(registry, beans, start);
        }
    }

    /** Active if HikariCP and Micrometer are present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HikariDataSource.class, MeterBinder.class})
    static class WithHikari {
        WithHikari() {}

        /** Corrects HikariCP's own meters for bound pools. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static HikariMeters flexPoolHikariMeters(ObjectProvider<DataSource> dataSources, BeanFactory beans) {
            return new HikariMeters(dataSources, beans);
        }
    }

    /** Active if Spring Boot has metadata of pools. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider")
    static class WithMetadata {
        WithMetadata() {}

        /** Corrects the metadata of a pool whose proxy has the pool's class. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static PoolMetadata flexPoolMetadata() {
            return new PoolMetadata();
        }
    }

    /** Active if OpenTelemetry is present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(OpenTelemetry.class)
    static class WithOpenTelemetry {
        WithOpenTelemetry() {}

        /** Binds the pools to OpenTelemetry, if there is no meter registry or the application requests it. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnBean(OpenTelemetry.class)
        static OpenTelemetryBackend flexPoolOpenTelemetry(
                ObjectProvider<OpenTelemetry> openTelemetry, AfterStart start) {
            return new OpenTelemetryBackend(openTelemetry, start);
        }
    }
}
