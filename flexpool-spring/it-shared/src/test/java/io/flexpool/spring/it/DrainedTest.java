// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.spring.FlexPools;
import io.flexpool.spring.actuator.FlexPoolEndpoint;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A pool that was drained, or closed, while the application goes on: it can serve nothing, and must be seen. */
@Timeout(300)
class DrainedTest {
    @Configuration(proxyBeanMethods = false)
    static class OnePool {
        @Bean
        DataSource orders() {
            return Contexts.hikari();
        }

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Another {
        @Bean
        DataSource audit() {
            return Contexts.hikari();
        }
    }

    /** Wrapped by the application itself, and not bound to its health. */
    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        FlexPoolDataSource own() {
            return FlexPool.wrap(Contexts.hikari()).name("own").build();
        }
    }

    private static ApplicationContextRunner with(Class<?>... pools) {
        return flexpool()
                .withConfiguration(AutoConfigurations.of(Generation.HEALTH))
                .withUserConfiguration(pools);
    }

    private static String endpoint(ListableBeanFactory context) {
        return String.valueOf(new FlexPoolEndpoint(context.getBean(FlexPools.class))
                .pools(null, null, null)
                .getBody());
    }

    /** The health was UP, and the endpoint empty, while the application answered 500. */
    @ParameterizedTest
    @ValueSource(strings = {"drained over the endpoint", "closed", "closed past flexpool"})
    void theOnlyPoolIsOutOfServiceUntilItsBeanEnds(String how) {
        with(OnePool.class).run(context -> {
            Object indicator = context.getBean("flexpoolHealthIndicator");
            DataSource orders = context.getBean("orders", DataSource.class);
            orders.getConnection().close();
            end(how, context, orders);
            assertThat(catchThrowable(orders::getConnection)).isInstanceOf(SQLException.class);

            assertThat(Generation.status(indicator)).isEqualTo("OUT_OF_SERVICE");
            assertThat(String.valueOf(Generation.details(indicator).get("orders")))
                    .contains("status=OUT_OF_SERVICE", "phase=closed");
            assertThat(endpoint(context)).contains("name=orders", "phase=closed");
        });
    }

    private static void end(String how, ListableBeanFactory context, DataSource orders) throws Exception {
        switch (how) {
            case "closed" -> ((AutoCloseable) orders).close();
            case "closed past flexpool" -> orders.unwrap(HikariDataSource.class).close();
            default ->
                assertThat(new FlexPoolEndpoint(context.getBean(FlexPools.class))
                                .change("orders", null, null, null, null, "drain", null, "5s", null)
                                .getStatus())
                        .isEqualTo(200);
        }
    }

    @Test
    void anOpenPoolDoesNotAnswerForADrainedOne() {
        with(OnePool.class, Another.class).run(context -> {
            Object indicator = context.getBean("flexpoolHealthIndicator");
            pool(context, "audit").drain(Duration.ofSeconds(5));
            assertThat(Generation.status(indicator)).isEqualTo("OUT_OF_SERVICE");
            assertThat(endpoint(context)).contains("name=orders", "name=audit");
        });
    }

    /** A scrape found no figure of the pool any more, so no alert on them could fire. */
    @Test
    void theFiguresOfADrainedPoolStay() {
        with(OnePool.class).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean("orders", DataSource.class).getConnection().close();
            Set<Meter.Id> before = ids(registry);
            assertThat(before).anyMatch(meter -> meter.getName().startsWith("flexpool"));
            pool(context, "orders").drain(Duration.ofSeconds(5));
            assertThat(ids(registry)).isEqualTo(before);
        });
    }

    @Test
    void aDrainedPoolThatTheApplicationHasWrappedItselfIsOutOfService() {
        with(Own.class).run(context -> {
            Object indicator = context.getBean("flexpoolHealthIndicator");
            assertThat(Generation.status(indicator)).isEqualTo("UP");
            pool(context, "own").drain(Duration.ofSeconds(5));
            assertThat(Generation.status(indicator)).isEqualTo("OUT_OF_SERVICE");
            assertThat(endpoint(context)).contains("name=own", "phase=closed");
        });
    }

    private static Set<Meter.Id> ids(MeterRegistry registry) {
        return registry.getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
    }

    @Test
    void nothingIsLeftWhenTheContextEnds() {
        Map<String, Object> seen = new HashMap<>();
        with(OnePool.class).run(context -> {
            seen.put("registry", context.getBean(MeterRegistry.class));
            seen.put("pools", context.getBean(FlexPools.class));
            pool(context, "orders").drain(Duration.ofSeconds(5));
        });
        assertThat(((FlexPools) seen.get("pools")).byName()).isEmpty();
        assertThat(((MeterRegistry) seen.get("registry")).getMeters())
                .noneMatch(meter -> meter.getId().getName().startsWith("flexpool"));
    }
}
