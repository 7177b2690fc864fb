// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.flexpool.monitoring.MetricsBinder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Keeps the meters {@code hikaricp.connections.*} of a bound pool correct: they show the waits of the application's
 * requests, as without flexpool. Spring Boot sets HikariCP's meters after the start, unless it has some. This class
 * sets them just before, with flexpool's figures. Meters configured by the application get the same figures. Loaded
 * only if HikariCP and Micrometer are present. Thread-safe.
 */
final class HikariMeters implements OwnMeters, BeanPostProcessor {
    /** The name of Spring Boot's binder, in both generations. */
    private static final String BINDER = "hikariDataSourceMeterBinder";

    private final ObjectProvider<DataSource> dataSources;
    private final BeanFactory beans;
    private final List<HikariFeed> unmetered = new CopyOnWriteArrayList<>();

    /**
     * Creates it for one application.
     *
     * @param dataSources the application's data sources; not created here
     * @param beans the application's beans, with Spring Boot's binder if present
     */
    HikariMeters(ObjectProvider<DataSource> dataSources, BeanFactory beans) {
        this.dataSources = dataSources;
        this.beans = beans;
    }

    @Override
    public Optional<MetricsBinder> of(DataSource pool) {
        if (!(pool instanceof HikariDataSource hikari) || !HikariFeed.changeable(hikari)) {
            return Optional.empty();
        }
        if (hikari.getMetricsTrackerFactory() != null) {
            return Optional.of(new HikariFeed(hikari, gone -> {}));
        }
        if (!beans.containsBean(BINDER)) {
            return Optional.empty();
        }
        HikariFeed feed = new HikariFeed(hikari, unmetered::remove);
        unmetered.add(feed);
        return Optional.of(feed);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return beanName.equals(BINDER) && bean instanceof MeterBinder boots
                ? (MeterBinder) registry -> bind(boots, registry)
                : bean;
    }

    private void bind(MeterBinder boots, MeterRegistry registry) {
        // Creates lazy data sources, like Spring Boot's binder, because one may be bound.
        dataSources.stream().forEach(created -> {});
        for (HikariFeed feed : unmetered) {
            feed.meter(new MicrometerMetricsTrackerFactory(registry));
        }
        boots.bindTo(registry);
    }
}
