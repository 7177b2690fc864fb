// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.flexpool;
import static io.flexpool.spring.it.Contexts.isWrapped;
import static io.flexpool.spring.it.Contexts.pool;
import static io.flexpool.spring.it.Contexts.pools;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Ways to start an application: lazily, from files and profiles, with JMX. */
class StartTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static ApplicationContextRunner lazy() {
        return boot().withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
    }

    @Test
    void aLazyPoolIsWrappedWhenItIsCreated() {
        lazy().run(context -> {
            assertThat(pools(context)).isEmpty();
            context.getBean(DataSource.class).getConnection().close();
            FlexPoolDataSource pool = pool(context, "dataSource");
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.OK)
                            .count())
                    .isEqualTo(1);
            assertThat(context.getBean(MeterRegistry.class)
                            .find("db.client.connection.pending_requests")
                            .tag("pool", "dataSource")
                            .meter())
                    .isNotNull();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"flexpool.bsae=3", "flexpool.pools.dataSuorce.base=3"})
    void aTypoStopsALazyStartToo(String written) {
        assertThat(Analyses.of(lazy().withPropertyValues(written)).getDescription())
                .contains(written.replace("=", " = "));
    }

    private static ApplicationContextRunner fromFile(String... profiles) {
        return flexpool()
                .withConfiguration(AutoConfigurations.of(Generation.DATA_SOURCE))
                .withPropertyValues("spring.config.name=orders", "spring.profiles.active=" + String.join(",", profiles))
                .withInitializer(new ConfigDataApplicationContextInitializer());
    }

    @Test
    void profilesAndPoolKeysTakePrecedence() {
        fromFile().run(context -> {
            assertThat(pool(context, "dataSource").state().base()).isEqualTo(2);
            assertThat(pool(context, "dataSource").state().ceiling()).isEqualTo(9);
        });
        fromFile("busy").run(context -> {
            assertThat(pool(context, "dataSource").state().base()).isEqualTo(4);
            assertThat(pool(context, "dataSource").state().ceiling()).isEqualTo(9);
        });
        fromFile("busy", "special").run(context -> {
            assertThat(pool(context, "dataSource").state().base()).isEqualTo(3);
            assertThat(pool(context, "dataSource").state().ceiling()).isEqualTo(9);
        });
    }

    @Test
    void aTypoInAFileIsNamedWithItsLine() {
        assertThat(Analyses.of(fromFile("typo")).getDescription())
                .contains("flexpool.grow-on-wait.enabeld = true", "nearest is flexpool.grow-on-wait.enabled")
                .containsPattern("orders\\.yaml.* 29:14");
    }

    /** The pool's bean as exported by Spring and, if enabled, HikariCP's own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.datasource.hikari.register-mbeans=false",
                "spring.datasource.hikari.register-mbeans=true",
                "spring.datasource.type=org.apache.tomcat.jdbc.pool.DataSource"
            })
    void jmxShowsThePoolAsWithoutFlexpool(String how) {
        List<Map<String, String>> shown = new ArrayList<>();
        Set<ObjectName> before = SERVER.queryNames(null, null);
        for (boolean enabled : new boolean[] {false, true}) {
            boot().withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.jmx.enabled=true",
                            "spring.datasource.driver-class-name=org.h2.Driver",
                            "spring.datasource.hikari.pool-name=Orders",
                            "spring.datasource.tomcat.jmx-enabled=true",
                            "flexpool.enabled=" + enabled,
                            how)
                    .run(context -> {
                        assertThat(isWrapped(context.getBean(DataSource.class))).isEqualTo(enabled);
                        context.getBean(DataSource.class).getConnection().close();
                        shown.add(beansBut(before));
                    });
        }
        assertThat(shown.get(1)).isEqualTo(shown.get(0));
        assertThat(shown.get(0).toString()).containsPattern("(MaximumPoolSize=10|MaxActive=100)");
    }

    /**
     * By name, with the attribute for the pool's size if there is one; without Tomcat's connections, which it numbers.
     */
    private static Map<String, String> beansBut(Set<ObjectName> before) throws JMException {
        Map<String, String> beans = new TreeMap<>();
        for (ObjectName name : SERVER.queryNames(null, null)) {
            boolean ofThePool = !name.getDomain().startsWith("java.") && name.getKeyProperty("connections") == null;
            if (ofThePool && !before.contains(name)) {
                StringBuilder max = new StringBuilder();
                for (MBeanAttributeInfo attribute : SERVER.getMBeanInfo(name).getAttributes()) {
                    if (Set.of("MaximumPoolSize", "MaxActive").contains(attribute.getName())) {
                        Object value = SERVER.getAttribute(name, attribute.getName());
                        max.append(attribute.getName()).append('=').append(value);
                    }
                }
                beans.put(name.getCanonicalName(), max.toString());
            }
        }
        return beans;
    }
}
