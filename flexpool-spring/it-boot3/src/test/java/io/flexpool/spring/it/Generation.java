// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import io.flexpool.spring.FlexPoolAutoConfiguration;
import io.flexpool.spring.health.FlexPoolBoot3HealthAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.jdbc.DataSourcePoolMetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The names that differ between Spring Boot 3 and 4. */
final class Generation {
    /** Creates the data source and its pool's metadata. */
    static final Class<?> DATA_SOURCE = DataSourceAutoConfiguration.class;

    /** A meter registry, and the meters of data sources in it. */
    static final List<Class<?>> METRICS = List.of(
            MetricsAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class,
            DataSourcePoolMetricsAutoConfiguration.class);

    /** The application's OpenTelemetry. */
    static final Class<?> OPEN_TELEMETRY = OpenTelemetryAutoConfiguration.class;

    /** flexpool's own health indicator. */
    static final Class<?> HEALTH = FlexPoolBoot3HealthAutoConfiguration.class;

    private Generation() {}

    /** Spring Boot's pool and flexpool, as an application's configuration. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, FlexPoolAutoConfiguration.class})
    static class Application {}

    /** The status of a health indicator. */
    static String status(Object indicator) {
        return health(indicator).getStatus().getCode();
    }

    /** The details of a health indicator. */
    static Map<String, Object> details(Object indicator) {
        return health(indicator).getDetails();
    }

    private static Health health(Object indicator) {
        return Objects.requireNonNull(((HealthIndicator) indicator).health());
    }
}
