// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.event.PoolEvent;
import io.flexpool.framework.PoolHealth;
import io.flexpool.framework.WrappedPools;
import io.flexpool.pool.AcquisitionOutcome;
import io.micronaut.context.ApplicationContext;
import io.micronaut.health.HealthStatus;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.management.health.indicator.HealthResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** Each of Micronaut's factories of pools, the default data source and a named one, on a real PostgreSQL. */
class PoolsTest {
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(OpenPools.list()).isEmpty();
    }

    private static ApplicationContext open(String factory, Object... more) {
        return Pools.context(factory, server, more).start();
    }

    private static DataSource source(ApplicationContext context, String name) {
        return context.getBean(DataSource.class, Qualifiers.byName(name));
    }

    private static FlexPoolDataSource pool(DataSource source) throws SQLException {
        return source.unwrap(FlexPoolDataSource.class);
    }

    private static void query(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"hikari, HikariCP", "tomcat, Tomcat JDBC", "dbcp, Commons DBCP 2", "ucp, Oracle UCP"})
    void theDefaultPoolAndANamedOneAreWrappedUntilMicronautClosesThem(String factory, String type) throws SQLException {
        DataSource reports;
        FlexPoolDataSource pool;
        FlexPoolDataSource drained;
        TestBeans.Ends ends;
        try (ApplicationContext context = open(
                factory,
                "flexpool.acquisition-timeout",
                "5s",
                "flexpool.base",
                "3",
                "flexpool.ceiling",
                "5",
                "flexpool.pools.reports.base",
                "2",
                "flexpool.pools.default.drain.within",
                "50s")) {
            ends = context.getBean(TestBeans.Ends.class);
            DataSource orders = source(context, "default");
            reports = source(context, "reports");
            query(orders);
            query(reports);
            pool = pool(reports);
            drained = pool(orders);
            assertThat(Pools.isClosed(pool)).isFalse();
            assertThat(Pools.isClosed(pool(orders))).isFalse();
            assertThat(pool.type()).isEqualTo(type);
            assertThat(pool.state().limit()).isEqualTo(2);
            assertThat(pool(orders).state().limit()).isEqualTo(3);
            assertThat(context.getBean(WrappedPools.class).byName()).containsOnlyKeys("default", "reports");
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.OK)
                            .count())
                    .isEqualTo(1);
        }
        assertThat(ends.ends).containsExactlyInAnyOrder("default before its pool", "reports before its pool");
        assertThat(pool.closed()).isTrue();
        assertThat(drained.diagnosis().recentEvents())
                .anySatisfy(recent -> assertThat(recent.event()).isInstanceOf(PoolEvent.LifecycleChanged.class));
        assertThatThrownBy(reports::getConnection).hasMessageContaining("closed");
        assertThat(Pools.isClosed(pool)).as("by Micronaut").isTrue();
    }

    /** The health was UP, and the endpoint did not list it. */
    @Test
    void aDrainedPoolStaysAndIsDown() throws SQLException {
        try (ApplicationContext context = open("hikari")) {
            PoolHealth health = context.getBean(PoolHealth.class);
            WrappedPools pools = context.getBean(WrappedPools.class);
            FlexPoolDataSource orders = pool(source(context, "default"));
            FlexPoolDataSource reports = pool(source(context, "reports"));
            orders.drain(Duration.ofSeconds(20));
            FlexPoolHealthIndicator indicator = new FlexPoolHealthIndicator(health, pools);
            HealthResult drained =
                    Mono.from(indicator.getResult()).blockOptional().orElseThrow();
            assertThat(drained.getStatus()).isEqualTo(HealthStatus.DOWN);
            assertThat(String.valueOf(drained.getDetails())).contains("phase=closed");
            assertThat(new FlexPoolEndpoint(pools).pools().toString()).contains("name=default", "phase=closed");
            reports.close();
            assertThat(pools.byName()).containsOnlyKeys("default", "reports");
        }
    }

    /** Its author may close it later, or never. */
    @Test
    void flexpoolEndsWithTheContextAlsoWhereAFactoryLeavesItsPoolOpen() throws SQLException {
        FlexPoolDataSource pool;
        try (ApplicationContext context = open("left-open")) {
            pool = pool(source(context, "reports"));
            query(pool);
        }
        assertThat(OpenPools.list()).isEmpty();
        assertThat(Pools.isClosed(pool)).isFalse();
        OtherPools.LeavesOpen.closeAll();
    }

    @Test
    void whatStandsInFrontOfADataSourceStandsInFrontOfFlexpool() {
        try (ApplicationContext context = open("hikari")) {
            assertThat(context.getBean(TestBeans.InFront.class).seen)
                    .hasSize(2)
                    .allSatisfy(seen -> assertThat(seen).isInstanceOf(FlexPoolDataSource.class));
        }
    }

    @Test
    void aDataSourceIsLeftAloneOrCalledOtherwiseAsItsKeysSay() throws SQLException {
        try (ApplicationContext context = open(
                "hikari",
                "flexpool.datasources.default.enabled",
                "false",
                "flexpool.datasources.reports.name",
                "nightly",
                "flexpool.pools.nightly.base",
                "4")) {
            assertThat(source(context, "default")).isNotInstanceOf(FlexPoolDataSource.class);
            query(source(context, "default"));
            FlexPoolDataSource reports = pool(source(context, "reports"));
            assertThat(reports.name()).isEqualTo("nightly");
            assertThat(reports.state().limit()).isEqualTo(4);
            assertThat(reports.otherNames()).containsExactly("reports");
        }
    }

    @Test
    void aPoolsOwnNameHoldsAndItsDataSourcesSectionToo() throws SQLException {
        try (ApplicationContext context = open(
                "hikari",
                "datasources.reports.pool-name",
                "Archive",
                "flexpool.pools.reports.base",
                "2",
                "flexpool.pools.archive.ceiling",
                "4")) {
            FlexPoolDataSource reports = pool(source(context, "reports"));
            assertThat(reports.name()).isEqualTo("Archive");
            assertThat(reports.state().base()).isEqualTo(2);
            assertThat(reports.state().ceiling()).isEqualTo(4);
        }
    }

    @Test
    void aBeanOfThePoolsClassIsLeftAlone() {
        try (ApplicationContext context = open("by-class")) {
            assertThat(context.getBean(org.apache.commons.dbcp2.BasicDataSource.class, Qualifiers.byName("default")))
                    .isNotNull();
            assertThat(context.getBean(WrappedPools.class).byName()).isEmpty();
        }
    }

    /** What only the pool can say ends the start. */
    @Test
    void aKeyThatAPoolCannotMeetEndsTheStart() {
        ApplicationContext context = Pools.context("hikari", server, "flexpool.base", "5", "flexpool.ceiling", "3");
        assertThatThrownBy(context::start)
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("flexpool.ceiling = 3")
                .hasMessageNotContaining(server.password());
        context.close();
    }
}
