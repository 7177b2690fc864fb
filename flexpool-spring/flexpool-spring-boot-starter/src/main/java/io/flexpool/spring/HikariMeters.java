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
 * {@code hikaricp.connections.*}: of a bound pool they show what the application's requests see, as those of any other
 * HikariCP do. Spring Boot gives HikariCP its meters after the start, unless it has some; here bound pools get theirs
 * just before, with flexpool's figures in them. Meters that the application has configured itself are fed in the same
 * way. Loaded only if HikariCP and Micrometer are present. Thread-safe.
 */
final class HikariMeters implements OwnMeters, BeanPostProcessor {
    /** Spring Boot's, in both generations. */
    private static final String BINDER = "hikariDataSourceMeterBinder";

    private final ObjectProvider<DataSource> dataSources;
    private final BeanFactory beans;
    private final List<HikariFeed> unmetered = new CopyOnWriteArrayList<>();

    /**
     * For one application.
     *
     * @param dataSources its data sources; not created here
     * @param beans the application's; with Spring Boot's binder, if it has one
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
        // Spring Boot's binder creates those that are lazy; one of them may be bound.
        dataSources.stream().forEach(created -> {});
        for (HikariFeed feed : unmetered) {
            feed.meter(new MicrometerMetricsTrackerFactory(registry));
        }
        boots.bindTo(registry);
    }
}
