// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.agroal.api.AgroalDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.PoolState;
import io.flexpool.quarkus.FlexPools;
import io.quarkus.agroal.DataSource;
import io.quarkus.agroal.runtime.OpenTelemetryAgroalDataSource;
import io.quarkus.arc.ClientProxy;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One application with three datasources, of which the second is traced and the third has no database, with Micrometer,
 * SmallRye Health and OpenTelemetry, on a real PostgreSQL.
 */
@EnabledIf("io.flexpool.quarkus.deployment.Databases#available")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DataSourcesTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Transfers.class, Ends.class))
            .withConfiguration("""
                    quarkus.devservices.enabled=false
                    quarkus.http.test-port=0
                    quarkus.otel.traces.exporter=none
                    quarkus.datasource.db-kind=postgresql
                    quarkus.datasource.jdbc.max-size=5
                    quarkus.datasource.jdbc.acquisition-timeout=500ms
                    quarkus.datasource.orders.db-kind=postgresql
                    quarkus.datasource.orders.jdbc.max-size=5
                    quarkus.datasource.orders.jdbc.telemetry=true
                    quarkus.datasource.gone.db-kind=postgresql
                    quarkus.datasource.gone.jdbc.url=jdbc:postgresql://127.0.0.1:1/gone
                    quarkus.datasource.gone.jdbc.max-size=4
                    quarkus.flexpool.ceiling=4
                    quarkus.flexpool.pools.default.base=1
                    quarkus.flexpool.pools.orders.base=2
                    quarkus.flexpool.pools.orders.ceiling=3
                    quarkus.flexpool.pools.orders.drain.within=50s
                    quarkus.flexpool.grow-on-wait.enabled=false
                    quarkus.flexpool.pools.gone.acquisition-timeout=2s
                    """)
            .setLogRecordPredicate(
                    line -> line.getMessage() != null && line.getMessage().contains("nrecognized"))
            .assertLogRecords(lines -> assertThat(lines)
                    .as("Quarkus knows the keys, also those with dots")
                    .isEmpty())
            .setAfterUndeployListener(DataSourcesTest::hasEnded);

    @Inject
    AgroalDataSource dataSource;

    @Inject
    @DataSource("orders")
    AgroalDataSource orders;

    @Inject
    @DataSource("gone")
    AgroalDataSource gone;

    @Inject
    FlexPools pools;

    @Inject
    Transfers transfers;

    @Inject
    Ends ends;

    @TestHTTPResource
    @SuppressWarnings("NullAway.Init") // Quarkus gives it
    URI application;

    @Test
    void everyDataSourceIsWrapped() throws Exception {
        assertThat(pools.byName()).containsOnlyKeys("default", "gone", "orders");
        assertThatThrownBy(() -> pools.pool("order"))
                .hasMessage("no pool is named order; the pools are default, gone, orders");
        for (AgroalDataSource each : new AgroalDataSource[] {dataSource, orders, gone}) {
            FlexPoolDataSource pool = each.unwrap(FlexPoolDataSource.class);
            assertThat(pool).isSameAs(pools.pool(pool.name()));
            assertThat(pool.type()).isEqualTo("Agroal");
        }
    }

    @Test
    void eachRequestIsOneLease() throws Exception {
        for (AgroalDataSource each : new AgroalDataSource[] {dataSource, orders}) {
            FlexPoolDataSource pool = each.unwrap(FlexPoolDataSource.class);
            long before = pool.statistics().total().leases().count();
            for (int request = 0; request < 3; request++) {
                try (Connection connection = each.getConnection()) {
                    assertThat(connection.isValid(1)).isTrue();
                }
            }
            assertThat(pool.statistics().total().leases().count() - before)
                    .as("leases of three requests, %s", pool)
                    .isEqualTo(3);
        }
    }

    @Test
    void keysAreThoseOfAllPoolsAndOfOne() {
        PoolState first = pools.pool("default").state();
        PoolState second = pools.pool("orders").state();

        assertThat(first.base()).isOne();
        assertThat(first.ceiling()).isEqualTo(4);
        assertThat(second.base()).isEqualTo(2);
        assertThat(second.ceiling()).isEqualTo(3);
        assertThat(second.pool().max()).as("Agroal follows the limit").isEqualTo(2);
    }

    @Test
    void openTelemetryTracesOutsideOfTheWrapper() throws Exception {
        assertThat(ClientProxy.unwrap(orders)).isInstanceOf(OpenTelemetryAgroalDataSource.class);
        assertThat(orders.unwrap(FlexPoolDataSource.class).state().pool().total())
                .as("read from the pool itself, whose metrics are off")
                .isNotNegative();
    }

    @Test
    void twoRequestsOfOneTransactionAreOneLease() throws Exception {
        Transfers.Seen seen = transfers.twoRequests();

        assertThat(seen.sessions().get(0)).isEqualTo(seen.sessions().get(1));
        assertThat(seen.leased()).isOne();
        assertThat(seen.afterLastClose())
                .as("the transaction keeps the connection")
                .isOne();
        assertThat(transfers.leased()).as("after the commit").isZero();
    }

    @Test
    void twoRequestsWithoutATransactionAreTwo() throws Exception {
        FlexPoolDataSource pool = pools.pool("orders");
        try (Connection first = orders.getConnection();
                Connection second = orders.getConnection()) {
            assertThat(Transfers.session(first)).isNotEqualTo(Transfers.session(second));
            assertThat(pool.state().leased()).isEqualTo(2);
        }
        assertThat(pool.state().leased()).isZero();
    }

    @Test
    void aBackendThatIsABeanIsBound() {
        assertThat(ends.bound()).containsExactlyInAnyOrder("default", "gone", "orders");
    }

    @Test
    void micrometerHasTheFigures() throws Exception {
        String page = get("/q/metrics");

        assertThat(page)
                .containsPattern("flexpool_limit\\{[^}]*\"orders\"[^}]*} 2\\.0")
                .containsPattern("flexpool_limit\\{[^}]*\"default\"[^}]*} 1\\.0");
    }

    @Test
    @Order(1)
    void healthIsDownWhenTheDatabaseRefuses() throws Exception {
        JsonNode before = check();
        assertThat(before.at("/status").asText()).isEqualTo("UP");
        assertThat(before.at("/data").path("orders.limit").asText()).isEqualTo("2");

        assertThatThrownBy(() -> gone.getConnection().close()).isInstanceOf(SQLException.class);

        JsonNode after = check();
        assertThat(after.at("/status").asText()).isEqualTo("DOWN");
        assertThat(after.at("/data").path("gone.status").asText()).isEqualTo("DOWN");
        assertThat(after.at("/data").path("gone.reason").asText()).isNotBlank();
        assertThat(after.at("/data").path("orders.status").asText()).isEqualTo("UP");
    }

    /** Before another pool is down. */
    @Test
    @Order(0)
    void healthIsDownWhileAPoolIsHeld() throws Exception {
        FlexPoolDataSource pool = orders.unwrap(FlexPoolDataSource.class);
        pool.pause();
        JsonNode held = check();
        assertThat(held.at("/status").asText()).isEqualTo("DOWN");
        assertThat(held.at("/data").path("orders.phase").asText()).isEqualTo("paused");
        pool.resume();
        assertThat(check().at("/status").asText()).isEqualTo("UP");
    }

    /** The health left it out and was UP. After all others, which need it. */
    @Test
    @Order(Integer.MAX_VALUE)
    void aDrainedPoolStaysAndIsDown() throws Exception {
        assertThat(pools.pool("default").drain(Duration.ofSeconds(20))).isZero();
        JsonNode drained = check();
        assertThat(drained.at("/status").asText()).isEqualTo("DOWN");
        assertThat(drained.at("/data").path("default.phase").asText()).isEqualTo("closed");
        assertThat(pools.byName()).containsKey("default");
        assertThat(get("/q/metrics")).containsPattern("flexpool_limit\\{[^}]*\"default\"");
    }

    private JsonNode check() throws Exception {
        JsonNode checks = new ObjectMapper().readTree(get("/q/health/ready")).get("checks");
        return StreamSupport.stream(checks.spliterator(), false)
                .filter(check -> check.get("name").asText().equals("flexpool"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no check flexpool in " + checks));
    }

    private String get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(application.resolve(path)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Runs when the application is closed, outside of it. */
    private static void hasEnded() {
        assertThat(System.getProperty("flexpool.test.ended.orders"))
                .as("when flexpool ended")
                .isEqualTo("the pool is open, and drained: true");
        try (Connection own = DriverManager.getConnection(
                        System.getProperty("flexpool.test.url"),
                        System.getProperty("flexpool.test.user"),
                        System.getProperty("flexpool.test.password"));
                Statement statement = own.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_stat_activity where application_name in ('default', 'orders')")) {
            row.next();
            assertThat(row.getInt(1)).as("sessions of the closed pools").isZero();
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
