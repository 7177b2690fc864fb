// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** A whole application with everything that Spring Boot configures for a data source, plus flexpool. */
class NothingLostTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Shop shop(EntityManager entities, JdbcTemplate jdbc) {
            return new Shop(entities, jdbc);
        }
    }

    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + Contexts.url() + ";DB_CLOSE_DELAY=-1",
                        "spring.datasource.hikari.pool-name=Orders",
                        "spring.datasource.hikari.maximum-pool-size=4",
                        "spring.jpa.hibernate.ddl-auto=validate",
                        "spring.jpa.open-in-view=false",
                        "spring.flyway.baseline-on-migrate=true",
                        "spring.flyway.baseline-version=0",
                        "spring.liquibase.change-log=classpath:db/changelog/changes.sql",
                        "flexpool.base=2",
                        "flexpool.ceiling=4",
                        "flexpool.grow-on-wait.enabled=true")
                .run();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static FlexPoolDataSource pool() {
        return Contexts.pool(context, "Orders");
    }

    private static long served() {
        return pool().statistics().total().acquisition(AcquisitionOutcome.OK).count();
    }

    private static Search meter(String name, String tag, String value) {
        return context.getBean(MeterRegistry.class).find(name).tag(tag, value);
    }

    @Test
    void flywayAndLiquibaseMigrateThroughThePool() {
        Shop shop = context.getBean(Shop.class);
        assertThat(shop.count("\"flyway_schema_history\"")).isPositive();
        assertThat(shop.count("databasechangelog")).isEqualTo(1);
        assertThat(served()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void jpaAndJdbcShareATransactionsConnection() {
        Shop shop = context.getBean(Shop.class);
        long before = served();
        shop.store(1, "lamp", false);
        assertThat(served() - before).as("connections for one transaction").isEqualTo(1);
        assertThatThrownBy(() -> shop.store(2, "table", true)).hasMessage("no");
        assertThat(shop.count("item")).isEqualTo(1);
        assertThat(shop.count("audit")).isEqualTo(1);
        EntityManager entities = context.getBean(EntityManager.class);
        assertThat(entities.find(Item.class, 1L).name()).isEqualTo("lamp");
        assertThat(entities.find(Item.class, 2L)).isNull();
        assertThat(pool().state().leased()).isZero();
    }

    @Test
    void theDatabaseIsHealthyAndSoIsThePool() {
        assertThat(Generation.status(context.getBean("dbHealthContributor"))).isEqualTo("UP");
        assertThat(Generation.details(context.getBean("dbHealthContributor"))).containsEntry("database", "H2");
        assertThat(Generation.status(context.getBean("flexpoolHealthIndicator")))
                .isEqualTo("UP");
        assertThat(Generation.details(context.getBean("flexpoolHealthIndicator")))
                .containsOnlyKeys("Orders");
    }

    @Test
    void thePoolsOwnMetersStayBesideFlexpools() throws SQLException {
        try (Connection connection = context.getBean(DataSource.class).getConnection()) {
            assertThat(connection.isClosed()).isFalse();
            assertThat(meter("hikaricp.connections.active", "pool", "Orders").gauge())
                    .satisfies(gauge ->
                            assertThat(Objects.requireNonNull(gauge).value()).isEqualTo(1));
            assertThat(meter("jdbc.connections.active", "name", "dataSource").gauge())
                    .satisfies(gauge ->
                            assertThat(Objects.requireNonNull(gauge).value()).isEqualTo(1));
            assertThat(meter("jdbc.connections.max", "name", "dataSource").gauge())
                    .isNotNull();
            assertThat(meter("db.client.connection.count", "pool", "Orders")
                            .tag("state", "used")
                            .gauge())
                    .satisfies(gauge ->
                            assertThat(Objects.requireNonNull(gauge).value()).isEqualTo(1));
        }
        assertThat(Objects.requireNonNull(meter("hikaricp.connections.usage", "pool", "Orders")
                                .timer())
                        .count())
                .isPositive();
    }

    @Test
    void thePoolsMetadataIsThere() {
        DataSourcePoolMetadata metadata = Contexts.metadata(context);
        assertThat(metadata.getMax()).isEqualTo(2);
        assertThat(metadata.getActive()).isZero();
        assertThat(metadata.getIdle()).isNotNull();
        assertThat(metadata.getDefaultAutoCommit()).isTrue();
    }

    /** {@code spring.datasource.hikari.*} reaches the pool, and flexpool's keys reach flexpool. */
    @Test
    void thePoolIsConfiguredAsBefore() throws SQLException {
        HikariDataSource hikari = context.getBean(DataSource.class).unwrap(HikariDataSource.class);
        assertThat(hikari.getPoolName()).isEqualTo("Orders");
        assertThat(pool().state().base()).isEqualTo(2);
        assertThat(pool().state().ceiling()).isEqualTo(4);
    }

    /** The one loss: a JDK proxy has no bindable properties, so the report omits it. */
    @Test
    void theConfigurationReportOmitsAWrappedPool() {
        assertThat(reported(context)).isNotEmpty().noneMatch(bean -> bean.equals("dataSource"));
        Contexts.boot()
                .withPropertyValues("flexpool.datasources.dataSource.enabled=false")
                .run(alone -> assertThat(reported(alone)).contains("dataSource"));
    }

    private static Set<String> reported(ApplicationContext context) {
        ConfigurationPropertiesReportEndpoint report =
                new ConfigurationPropertiesReportEndpoint(List.of(), Show.ALWAYS);
        report.setApplicationContext(context);
        return report.configurationProperties().getContexts().values().stream()
                .flatMap(one -> one.getBeans().keySet().stream())
                .collect(Collectors.toSet());
    }
}
