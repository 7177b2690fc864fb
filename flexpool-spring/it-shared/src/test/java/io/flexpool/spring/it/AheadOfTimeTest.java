// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PoolControl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.aop.SpringProxy;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** Spring's ahead-of-time processing. There is no native builder here: its metadata is tested. */
class AheadOfTimeTest {
    private static GenericApplicationContext prepared(
            GenericApplicationContext context, Map<String, Object> properties) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        return context;
    }

    private static TestGenerationContext processed(List<ClassName> initializer) {
        TestGenerationContext generation = new TestGenerationContext();
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Generation.Application.class);
        prepared(context, Map.of("spring.datasource.url", Contexts.url()));
        initializer.add(new ApplicationContextAotGenerator().processAheadOfTime(context, generation));
        generation.writeGeneratedContent();
        return generation;
    }

    @Test
    @CompileWithForkedClassLoader
    void theGeneratedContextUsesTheConfigurationAtStart() {
        List<ClassName> initializer = new ArrayList<>();
        TestGenerationContext generation = processed(initializer);
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            @SuppressWarnings("unchecked") // generated for it
            ApplicationContextInitializer<GenericApplicationContext> generated = compiled.getInstance(
                    ApplicationContextInitializer.class, initializer.get(0).toString());
            try (GenericApplicationContext context = prepared(
                    new GenericApplicationContext(),
                    Map.of("spring.datasource.url", Contexts.url(), "flexpool.base", "3"))) {
                generated.initialize(context);
                context.refresh();
                DataSource bean = context.getBean(DataSource.class);
                assertThat(bean).isInstanceOf(PoolControl.class);
                try (Connection connection = bean.getConnection()) {
                    assertThat(connection.isClosed()).isFalse();
                }
                FlexPoolDataSource pool = Contexts.pool(context, "dataSource");
                assertThat(pool.state().base()).isEqualTo(3);
            } catch (SQLException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** The proxies are exactly those created at run time, else a native image fails at the first data source. */
    @Test
    void hintsNameProxiesModulesAndTexts() {
        RuntimeHints hints = processed(new ArrayList<>()).getRuntimeHints();
        ApplicationContextRunner pools = Contexts.flexpool().withUserConfiguration(WrappingTest.ThreeOfAKind.class);
        pools.run(context -> assertThat(context.getBeansOfType(DataSource.class).values())
                .hasSize(4)
                .allSatisfy(bean -> {
                    assertThat(bean).isInstanceOf(SpringProxy.class);
                    assertThat(RuntimeHintsPredicates.proxies()
                                    .forInterfaces(bean.getClass().getInterfaces()))
                            .accepts(hints);
                }));
        for (String module : new String[] {
            "io.flexpool.adapter.hikaricp.HikariAdapterProvider",
            "io.flexpool.adapter.tomcat.TomcatAdapterProvider",
            "io.flexpool.adapter.dbcp2.Dbcp2AdapterProvider",
            "io.flexpool.metrics.micrometer.MicrometerProvider",
            "io.flexpool.server.postgresql.PostgresServerViewProvider"
        }) {
            assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(module)))
                    .accepts(hints);
        }
        for (String text : new String[] {
            "META-INF/services/io.flexpool.adapter.PoolAdapterProvider",
            "META-INF/services/io.flexpool.monitoring.MetricsProvider",
            "META-INF/services/io.flexpool.server.ServerViewProvider",
            "io/flexpool/internal/adapter-artifacts.properties"
        }) {
            assertThat(RuntimeHintsPredicates.resource().forResource(text)).accepts(hints);
        }
    }
}
