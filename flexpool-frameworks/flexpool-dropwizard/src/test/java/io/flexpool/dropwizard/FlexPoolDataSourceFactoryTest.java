// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheck;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.DefaultConfigurationFactoryFactory;
import io.dropwizard.db.DataSourceFactory;
import io.dropwizard.db.ManagedDataSource;
import io.dropwizard.db.ManagedPooledDataSource;
import io.dropwizard.db.PooledDataSourceFactory;
import io.dropwizard.jackson.Jackson;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.event.PoolEvent;
import io.flexpool.framework.contract.KeyValues;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read from the configuration, what is refused, and what is built, without an application and a database. */
class FlexPoolDataSourceFactoryTest {
    private static final String SECRET = "hidden-4711";
    private static final ObjectMapper MAPPER = Jackson.newObjectMapper().registerModule(new DataSourceTypes());

    private final MetricRegistry registry = new MetricRegistry();

    @SuppressWarnings("NullAway.Init") // by the YAML
    static class Databases {
        @JsonProperty
        DataSourceFactory database;

        @JsonProperty
        PooledDataSourceFactory any;

        @JsonProperty
        FlexPoolDataSourceFactory wrapped;

        @JsonProperty
        OwnFactory own;
    }

    /** An application's, which has no type and needs none. */
    static class OwnFactory extends DataSourceFactory {}

    @AfterEach
    void nothingIsLeft() {
        assertThat(OpenPools.list()).isEmpty();
    }

    private static Databases read(String yaml) throws IOException, ConfigurationException {
        return new DefaultConfigurationFactoryFactory<Databases>()
                .create(Databases.class, null, MAPPER, "dw")
                .build(path -> new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "orders.yml");
    }

    private static FlexPoolDataSourceFactory factory(String... keys) {
        FlexPoolDataSourceFactory factory = new FlexPoolDataSourceFactory();
        factory.setDriverClass("org.postgresql.Driver");
        factory.setUrl("jdbc:postgresql://127.0.0.1:" + closedPort() + "/orders");
        factory.setUser("orders");
        factory.setPassword(SECRET);
        factory.setInitialSize(1);
        factory.setMinSize(1);
        factory.setMaxSize(5);
        Map<String, String> given = new java.util.LinkedHashMap<>();
        for (int each = 0; each < keys.length; each += 2) {
            given.put(keys[each], keys[each + 1]);
        }
        factory.setFlexpool(given);
        return factory;
    }

    private static int closedPort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static FlexPoolDataSource flexpool(ManagedDataSource source) throws SQLException {
        return source.unwrap(FlexPoolDataSource.class);
    }

    private static List<KeyValues> keysAndValues() {
        return KeyValues.all();
    }

    @ParameterizedTest
    @MethodSource("keysAndValues")
    void eachKeyIsTaken(KeyValues values) throws Exception {
        new FlexPoolDataSourceFactory().setFlexpool(Map.of(values.key(), values.accepted()));
        assertThat(refused(values))
                .contains(
                        switch (values.key()) {
                            case "data-source.jndi-name" -> "must not be set together with a data source";
                            case "name" -> "name = '" + values.refused() + "': must be ";
                            default -> "flexpool." + values.key() + " = " + values.refused() + ": ";
                        });
    }

    /** When the configuration is read, or when the pool is built. */
    private String refused(KeyValues values) throws Exception {
        try {
            factory(values.key(), values.refused()).build(registry, "book").stop();
            return "nothing";
        } catch (IllegalArgumentException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void aTypeIsReadWhereverADataSourceIsDeclared() throws Exception {
        Databases read = read("""
            database: {type: flexpool, maxSize: 7}
            any: {type: flexpool}
            wrapped: {type: flexpool}
            own: {maxSize: 9}
            """);
        assertThat(read.database).isInstanceOf(FlexPoolDataSourceFactory.class);
        assertThat(read.database.getMaxSize()).isEqualTo(7);
        assertThat(read.any).isInstanceOf(FlexPoolDataSourceFactory.class);
        assertThat(read.own).hasSameClassAs(new OwnFactory());
    }

    @Test
    void withoutATypeOrWithThatOfItsPoolItIsDropwizardsOwn() throws Exception {
        Databases read = read("""
            database: {maxSize: 7}
            any: {type: tomcat}
            wrapped: {flexpool: {base: 3}}
            """);
        assertThat(read.database).hasSameClassAs(new DataSourceFactory());
        assertThat(read.any).hasSameClassAs(new DataSourceFactory());
        assertThat(read.wrapped).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "database: {type: flexpol} | flexpol | type must be one of flexpool, tomcat; the nearest is flexpool",
                "any: {type: hikari} | hikari | type must be one of flexpool, tomcat",
                "wrapped: {type: tomcat} | tomcat | type must be flexpool",
                "database: {type: flexpool, flexpool: {bsae: 3}} | flexpool.bsae = 3 | flexpool.base",
                "database: {type: flexpool, flexpool: {base: many}} | flexpool.base = many | whole number",
                "database: {type: flexpool, flexpool: {grow-on-wait: {enabld: true}}} | grow-on-wait.enabld = true"
                        + "| flexpool.grow-on-wait.enabled",
                "database: {type: flexpool, flexpool: {leak.threshold: 1m, leak: {threshold: 2m}}}"
                        + "| flexpool.leak.threshold is given twice: 1m and 2m; give it once | either in a section",
                "database: {type: flexpool, flexpool: {growOnWait: {after: 1s}}} | flexpool.growOnWait.after = 1s: no such"
                        + " key; the nearest is | flexpool.grow-on-wait.after",
                "database: {flexpool: {base: 3}} | Unrecognized field at: database.flexpool | orders.yml"
            })
    void whatIsWrongIsRefusedWithItsPlaceInTheConfiguration(String yaml, String message, String more) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("orders.yml")
                .hasMessageContaining(message)
                .hasMessageContaining(more);
    }

    @Test
    void aRemovedKeyIsRefusedWithItsReplacement() throws IOException {
        Properties removed = new Properties();
        ClassLoader loader = FlexPoolDataSourceFactoryTest.class.getClassLoader();
        for (URL list : Collections.list(loader.getResources("META-INF/io.flexpool/removed-keys.properties"))) {
            try (InputStream in = list.openStream()) {
                removed.load(in);
            }
        }
        assertThat(removed).containsKeys("retry.attempts", "sizing.min");
        for (String key : removed.stringPropertyNames()) {
            String written = key.replace("<name>", "batch");
            assertThatThrownBy(() -> new FlexPoolDataSourceFactory().setFlexpool(Map.of(written, "3")))
                    .hasMessageContaining("flexpool." + written + " = 3: no such key; " + removed.getProperty(key));
        }
    }

    @Test
    void aSecretIsNotShownWithWhatIsWrong() {
        assertThatThrownBy(() -> read("database: {type: flexpool, flexpool: {fleet: {passwrod: " + SECRET + "}}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("flexpool.fleet.passwrod");
        assertThatThrownBy(() -> read("database: {type: flexpool, password: " + SECRET + ", flexpool: {base: none}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("flexpool.base = none")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void listsAndSectionsAndDotsAreTheSameKeys() throws Exception {
        ManagedDataSource source = factory(
                        "base", "2", "ceiling", "4", "grow-on-wait.enabled", "true", "acquisition-timeout", "5s")
                .build(registry, "orders");
        assertThat(flexpool(source).state().limit()).isEqualTo(2);
        FlexPoolDataSourceFactory nested = factory();
        nested.setFlexpool(Map.of(
                "base", 3, "classes", List.of("interactive", "batch"), "classes.batch", Map.of("max", 1), "name", "n"));
        ManagedDataSource second = nested.build(registry, "orders");
        assertThat(flexpool(second).name()).isEqualTo("n");
        assertThat(flexpool(second).classes()).hasSize(2);
        stop(source, second);
    }

    private static void stop(ManagedDataSource... sources) throws Exception {
        for (ManagedDataSource source : sources) {
            source.stop();
        }
    }

    @Test
    void aSecondPoolOfOneNameIsNumberedAndTheNameIsFreeAgain() throws Exception {
        ManagedDataSource first = factory().build(registry, "orders");
        ManagedDataSource second = factory().build(registry, "orders");
        ManagedDataSource ofAnother = factory().build(new MetricRegistry(), "orders");
        assertThat(flexpool(second).name()).isEqualTo("orders#2");
        assertThat(flexpool(ofAnother).name()).isEqualTo("orders");
        assertThat(ApplicationPools.of(registry).wrapped().byName()).containsOnlyKeys("orders", "orders#2");
        first.stop();
        ManagedDataSource again = factory().build(registry, "orders");
        assertThat(flexpool(again).name()).isEqualTo("orders");
        stop(again, second, ofAnother);
        assertThat(ApplicationPools.of(registry).wrapped().byName()).isEmpty();
    }

    @Test
    void aPoolOfOneConnectionForAToolIsNotWrapped() throws Exception {
        FlexPoolDataSourceFactory factory = factory("base", "3");
        factory.asSingleConnectionPool();
        ManagedDataSource source = factory.build(registry, "liquibase");
        assertThat(source).isInstanceOf(ManagedPooledDataSource.class);
        assertThat(((ManagedPooledDataSource) source).getMaxActive()).isEqualTo(1);
        source.stop();
    }

    /** It is in no list of open pools then. */
    @Test
    void aPoolThatKeysSwitchOffKeepsItsSizes() throws Exception {
        ManagedDataSource source = factory("enabled", "false", "base", "2").build(registry, "orders");
        assertThat(flexpool(source).enabled()).isFalse();
        assertThat(source.unwrap(ManagedPooledDataSource.class).getMaxActive()).isEqualTo(5);
        source.stop();
        assertThat(ApplicationPools.of(registry).wrapped().byName()).isEmpty();
    }

    /** It was kept, with its name and its registry, because a pool that is disabled does not report its end. */
    @Test
    void aPoolThatKeysSwitchOffIsForgottenWhenItStops() throws Exception {
        ManagedDataSource first = factory("enabled", "false").build(registry, "orders");
        ManagedDataSource second = factory("enabled", "false").build(registry, "orders");
        assertThat(flexpool(second).name()).isEqualTo("orders#2");
        first.stop();
        ManagedDataSource again = factory("enabled", "false").build(registry, "orders");
        first.stop();
        assertThat(flexpool(again).name()).isEqualTo("orders");
        assertThat(ApplicationPools.of(registry).wrapped().byName()).containsOnlyKeys("orders", "orders#2");
        stop(again, second);
    }

    @Test
    void aPoolDrainsWhenItStopsIfConfigured() throws Exception {
        ManagedDataSource source = factory("drain.within", "50s").build(registry, "orders");
        FlexPoolDataSource pool = flexpool(source);
        source.stop();
        assertThat(pool.diagnosis().recentEvents())
                .anySatisfy(recent -> assertThat(recent.event()).isInstanceOf(PoolEvent.LifecycleChanged.class));
    }

    @Test
    void keysThatCannotBeMetLeaveNothingOpenAndTheNameFree() throws Exception {
        FlexPoolDataSourceFactory refused = factory("base", "5", "ceiling", "3");
        assertThatThrownBy(() -> refused.build(registry, "orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("flexpool.ceiling = 3")
                .hasMessageNotContaining(SECRET);
        assertThat(registry.getNames()).isEmpty();
        ManagedDataSource source = factory().build(registry, "orders");
        assertThat(flexpool(source).name()).isEqualTo("orders");
        source.stop();
    }

    /** Alone the backend of that name would have a registry of its own. */
    @Test
    void theBackendThatIsNamedUsesTheApplicationsRegistryToo() throws Exception {
        ManagedDataSource source = factory("metrics", "dropwizard").build(registry, "named");
        assertThat(registry.getNames()).contains("flexpool.named.active");
        source.stop();
        assertThat(registry.getNames()).isEmpty();
    }

    @Test
    void anOutageIsUnhealthyAndSaysWhyWithoutThePassword() throws Exception {
        FlexPoolDataSourceFactory factory = factory();
        factory.setMaxWaitForConnection(io.dropwizard.util.Duration.milliseconds(300));
        ManagedDataSource source = factory.build(registry, "orders");
        HealthCheck check = new PoolHealthCheck(ApplicationPools.of(registry));
        assertThat(check.execute().isHealthy()).isTrue();
        assertThatThrownBy(source::getConnection).isInstanceOf(SQLException.class);
        HealthCheck.Result result = check.execute();
        assertThat(result.isHealthy()).isFalse();
        assertThat(result.getMessage()).startsWith("orders: ").doesNotContain(SECRET);
        assertThat(String.valueOf(result.getDetails().get("orders")))
                .contains("status=DOWN")
                .doesNotContain(SECRET);
        source.stop();
        assertThat(check.execute().getDetails()).isNullOrEmpty();
    }

    /** The check was healthy, and the pool's figures were gone. */
    @Test
    void aDrainedPoolIsUnhealthyUntilItStops() throws Exception {
        ManagedDataSource source = factory().build(registry, "orders");
        ManagedDataSource other = factory().build(registry, "audit");
        HealthCheck check = new PoolHealthCheck(ApplicationPools.of(registry));
        flexpool(source).drain(Duration.ofSeconds(20));
        HealthCheck.Result drained = check.execute();
        assertThat(drained.isHealthy()).isFalse();
        assertThat(drained.getMessage()).isEqualTo("orders: the pool is closed");
        assertThat(registry.getNames()).contains("flexpool.orders.active");
        assertThat(ApplicationPools.of(registry).wrapped().byName()).containsOnlyKeys("audit", "orders");
        source.stop();
        assertThat(check.execute().isHealthy()).isTrue();
        assertThat(registry.getNames()).doesNotContain("flexpool.orders.active");
        flexpool(other).close();
        assertThat(check.execute().isHealthy()).as("closed, not stopped").isFalse();
        other.stop();
        assertThat(check.execute().isHealthy()).isTrue();
    }

    @Test
    void flexpoolEndsBeforeItsPoolAndBothOnce() throws Exception {
        AtomicBoolean first = new AtomicBoolean();
        ManagedPooledDataSource own = new ManagedPooledDataSource(new PoolProperties(), registry) {
            @Override
            public void stop() throws Exception {
                first.set(OpenPools.list().isEmpty());
                super.stop();
            }
        };
        FlexPoolDataSource pool = FlexPool.wrap(own).build();
        ManagedDataSource source = new FlexPoolManagedDataSource(own, pool, () -> {});
        assertThat(source.unwrap(ManagedPooledDataSource.class)).isSameAs(own);
        source.stop();
        source.stop();
        assertThat(first).isTrue();
        assertThatThrownBy(source::getConnection).hasMessageContaining("closed");
    }
}
