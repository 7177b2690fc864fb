// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.flexpool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.spring.FlexPoolAutoConfiguration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
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

    /** No proxy can be of it. */
    static final class FinalPool extends HikariDataSource {
        FinalPool() {
            setJdbcUrl(Contexts.url());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FinalByParameter {
        @Bean
        DataSource dataSource() {
            return new FinalPool();
        }

        @Bean
        Integer tuner(@Qualifier("dataSource") FinalPool pool) {
            return pool.getMaximumPoolSize();
        }
    }

    private static void explained(FailureAnalysis analysis, String where) {
        assertThat(analysis.getDescription())
                .contains("'dataSource'", FinalPool.class.getName(), "flexpool has wrapped", where);
        assertThat(analysis.getAction())
                .contains("dataSource.unwrap(FinalPool.class)")
                .contains("flexpool.datasources.dataSource.enabled=false");
    }

    @Test
    void theFailureIsExplainedWithASolution() {
        explained(Analyses.of(flexpool().withUserConfiguration(FinalByParameter.class)), "tuner");
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
        Integer size(BeanFactory beans) {
            return beans.getBean(HikariDataSource.class).getMaximumPoolSize();
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
                .contains("The bean method 'orders' returns a pool class")
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
                .contains("The bean 'orders' is declared with this class, but flexpool has wrapped that pool")
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
