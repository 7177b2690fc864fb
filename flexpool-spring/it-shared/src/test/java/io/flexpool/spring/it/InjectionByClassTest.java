// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.isWrapped;
import static io.flexpool.spring.it.Contexts.metadata;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spring.FlexPoolAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A bean that looks for the pool by its class, such as one that rotates its password, found none, and nothing said so. */
@Timeout(300)
class InjectionByClassTest {
    /** What a bean was given. */
    record Found(List<HikariDataSource> pools) {}

    @Configuration(proxyBeanMethods = false)
    static class Provider {
        @Bean
        Found found(ObjectProvider<HikariDataSource> pools) {
            return new Found(pools.stream().toList());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Lists {
        @Bean
        Found found(List<HikariDataSource> pools) {
            return new Found(pools);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Maps {
        @Bean
        Found found(Optional<Map<String, HikariDataSource>> pools) {
            return new Found(pools.map(all -> List.copyOf(all.values())).orElse(List.of()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Plain {
        @Bean
        Found found(HikariDataSource pool) {
            return new Found(List.of(pool));
        }
    }

    static class Rotator {
        @Autowired(required = false)
        HikariDataSource pool;
    }

    @Configuration(proxyBeanMethods = false)
    static class Fields {
        @Bean
        Rotator rotator() {
            return new Rotator();
        }

        @Bean
        Found found(Rotator rotator) {
            return new Found(rotator.pool == null ? List.of() : List.of(rotator.pool));
        }
    }

    private static final Map<String, Class<?>> WAYS = Map.of(
            "provider",
            Provider.class,
            "list",
            Lists.class,
            "map",
            Maps.class,
            "plain",
            Plain.class,
            "field",
            Fields.class);

    @ParameterizedTest
    @ValueSource(strings = {"provider", "list", "map", "plain", "field"})
    void aPoolIsFoundByItsClassAndStaysWrapped(String way) {
        boot().withUserConfiguration(WAYS.get(way)).run(context -> {
            assertThat(context).hasNotFailed();
            List<HikariDataSource> found = context.getBean(Found.class).pools();
            assertThat(found).hasSize(1);
            HikariDataSource pool = found.get(0);
            assertThat(pool).isSameAs(context.getBean(DataSource.class));
            assertThat(isWrapped(pool)).isTrue();
            pool.getConnection().close();
            assertThat(pool(context, "dataSource")
                            .statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.OK)
                            .count())
                    .isEqualTo(1);
            pool.getHikariConfigMXBean().setPassword("new");
            pool.getHikariPoolMXBean().softEvictConnections();
            HikariDataSource raw = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
            assertThat(raw.getPassword()).isEqualTo("new");
            assertThat(context.getBeansOfType(HikariDataSource.class)).hasSize(1);
        });
    }

    /** It reads a field of HikariCP, which a proxy does not have. */
    @Test
    void bootsMetadataOfThePoolIsItsOwn() {
        boot().withUserConfiguration(Provider.class).run(context -> {
            context.getBean(DataSource.class).getConnection().close();
            assertThat(metadata(context).getMax()).isEqualTo(10);
            assertThat(metadata(context).getActive()).isZero();
            assertThat(metadata(context).getIdle()).isPositive();
        });
    }

    static final class FinalPool extends HikariDataSource {
        FinalPool() {
            setJdbcUrl(Contexts.url());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Final {
        @Bean
        DataSource orders() {
            return new FinalPool();
        }

        @Bean
        Function<String, Integer> rotator(ObjectProvider<FinalPool> pools) {
            return password -> (int) pools.stream().count();
        }
    }

    /** Its class is final, so that no proxy can be of it. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aPoolThatCannotBeFoundIsNamedAtTheStart(CapturedOutput output) {
        new SpringApplicationBuilder(Final.class, FlexPoolAutoConfiguration.class)
                .web(WebApplicationType.NONE)
                .run()
                .close();
        assertThat(output.getAll())
                .contains("WARN")
                .contains("orders: ")
                .contains("Final.rotator() injects it as a " + FinalPool.class.getName())
                .contains("flexpool.datasources.orders.enabled=false");
    }

    @Test
    void withoutSuchABeanTheProxyIsTheQuickOne() {
        ApplicationContextRunner plain = boot();
        plain.run(context -> assertThat(context.getBean(DataSource.class)).isNotInstanceOf(HikariDataSource.class));
    }
}
