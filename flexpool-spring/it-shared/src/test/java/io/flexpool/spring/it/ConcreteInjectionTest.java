// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.spring.FlexPoolAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.jdbc.core.JdbcTemplate;

/** A pool is required by its class, which its wrapper is not. */
class ConcreteInjectionTest {
    /** Injects by class. */
    static final class Tuner {
        private final int max;

        Tuner(HikariDataSource pool) {
            max = pool.getMaximumPoolSize();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByParameter {
        @Bean
        Tuner tuner(HikariDataSource pool) {
            return new Tuner(pool);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByField {
        @Autowired
        HikariDataSource pool;
    }

    private static void explained(FailureAnalysis analysis, String where) {
        assertThat(analysis.getDescription())
                .contains("'dataSource'", "com.zaxxer.hikari.HikariDataSource", "flexpool has wrapped", where);
        assertThat(analysis.getAction())
                .contains("dataSource.unwrap(HikariDataSource.class)")
                .contains("flexpool.datasources.dataSource.enabled=false");
    }

    @Test
    void theFailureIsExplainedWithASolution() {
        explained(Analyses.of(boot().withUserConfiguration(ByParameter.class)), "tuner");
        explained(Analyses.of(boot().withUserConfiguration(ByField.class)), "pool");
    }

    @Configuration
    static class ByCall {
        @Bean
        HikariDataSource orders() {
            return Contexts.hikari();
        }

        @Bean
        JdbcTemplate template() {
            return new JdbcTemplate(orders());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AfterIt {
        @Bean
        HikariDataSource orders() {
            return Contexts.hikari();
        }

        @Bean
        @DependsOn("orders")
        Tuner tuner(BeanFactory beans) {
            return new Tuner(beans.getBean(HikariDataSource.class));
        }
    }

    private static void start(Class<?> configuration, String... arguments) {
        new SpringApplicationBuilder(configuration, FlexPoolAutoConfiguration.class)
                .web(WebApplicationType.NONE)
                .run(arguments)
                .close();
    }

    /** As printed. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aBeanMethodReturningThePoolsClassIsExplained(CapturedOutput output) {
        assertThat(catchThrowable(() -> start(ByCall.class))).isNotNull();
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("The method of the bean 'orders' returns a pool by its class")
                .contains("flexpool.datasources.orders.enabled=false");
        start(ByCall.class, "--flexpool.datasources.orders.enabled=false");
        assertThat(output.getAll())
                .as("nothing is made before its time for flexpool's sake")
                .doesNotContain("not eligible for getting processed");
    }

    /** For Spring there is no bean of that class then. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aLateLookupByClassIsExplained(CapturedOutput output) {
        assertThat(catchThrowable(() -> start(AfterIt.class))).isNotNull();
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("The bean 'orders' is declared as one, but flexpool has wrapped that pool")
                .contains("flexpool.datasources.orders.enabled=false");
        start(AfterIt.class, "--flexpool.datasources.orders.enabled=false");
    }

    @Test
    void aDisabledPoolIsInjectedAsItsOwnClass() {
        boot().withUserConfiguration(ByParameter.class)
                .withPropertyValues("flexpool.datasources.dataSource.enabled=false")
                .run(context -> assertThat(context.getBean(Tuner.class).max).isEqualTo(10));
    }
}
