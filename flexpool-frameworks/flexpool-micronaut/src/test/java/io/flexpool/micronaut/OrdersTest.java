// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.BeanContext;
import io.micronaut.health.HealthStatus;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** An application on a real PostgreSQL, started by Micronaut's own harness. */
@EnabledIf("hasAServer")
@MicronautTest(transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrdersTest implements TestPropertyProvider {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init") // before the application starts
    private static PostgresServer server;

    @Inject
    EmbeddedServer application;

    @Inject
    DataSource orders;

    @Inject
    MeterRegistry registry;

    @Inject
    BeanContext beans;

    @Override
    public Map<String, String> getProperties() {
        server = PostgresServer.start();
        return Map.of(
                "micronaut.server.host",
                "127.0.0.1",
                "datasources.default.url",
                server.jdbcUrl(),
                "datasources.default.username",
                server.user(),
                "datasources.default.password",
                server.password(),
                "flexpool.call-sites.sample-every",
                "1",
                "endpoints.health.details-visible",
                "ANONYMOUS",
                "endpoints.flexpool.write-sensitive",
                "false");
    }

    static boolean hasAServer() {
        return PostgresServer.unavailable().isEmpty();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private FlexPoolDataSource pool() {
        return (FlexPoolDataSource) orders;
    }

    private HttpResponse<String> answer(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder path(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + application.getPort() + path));
    }

    private HttpResponse<String> change(String body) throws Exception {
        return answer(path("/flexpool/default")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void requestsUseTheWrappedPool() throws Exception {
        long before = acquired();
        assertThat(answer(path("/orders")).body()).isEqualTo("placed");

        assertThat(pool().name()).isEqualTo("default");
        assertThat(pool().type()).isEqualTo("HikariCP");
        assertThat(pool().state().limit()).isEqualTo(5);
        assertThat(pool().state().ceiling()).isEqualTo(25);
        assertThat(acquired() - before).isEqualTo(1);
        assertThat(pool().diagnosis().callSites())
                .anySatisfy(site -> assertThat(site.callSite()).contains("OrdersController.state"));
    }

    private long acquired() {
        return pool().statistics().total().acquisition(AcquisitionOutcome.OK).count();
    }

    @Test
    void theApplicationsMeterRegistryHasFlexpoolsFigures() {
        assertThat(registry.find("flexpool.limit").gauge()).isNotNull();
        assertThat(registry.find("flexpool.limit").gauge().value()).isEqualTo(5);
    }

    @Test
    void theEndpointShowsThePools() throws Exception {
        assertThat(answer(path("/flexpool")).body())
                .contains("\"name\":\"default\"", "\"type\":\"HikariCP\"", "\"mode\":\"recommend\"", "\"limit\":5")
                .doesNotContain(server.password());
        assertThat(answer(path("/flexpool/default")).body())
                .contains("\"report\":[")
                .doesNotContain(server.password());
        assertThat(answer(path("/flexpool/defualt")).statusCode()).isEqualTo(404);
    }

    @Test
    void theEndpointChangesModeAndLimits() throws Exception {
        assertThat(change("{\"mode\":\"monitor\"}").body()).contains("\"changed\":true");
        assertThat(pool().mode()).isEqualTo(PoolMode.MONITOR);
        assertThat(change("{\"mode\":\"monitor\"}").body()).contains("\"changed\":false");
        change("{\"mode\":\"recommend\"}");
        assertThat(pool().mode()).isEqualTo(PoolMode.RECOMMEND);

        change("{\"base\":3,\"ceiling\":7}");
        assertThat(pool().state().base()).isEqualTo(3);
        assertThat(pool().state().ceiling()).isEqualTo(7);
        change("{\"base\":\"5\",\"ceiling\":\"25\"}");
        assertThat(pool().state().limit()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"mode\":\"wacht\"} | mode = wacht: must be monitor, recommend or adapt",
                "{\"base\":\"few\"} | base = few: must be a whole number",
                "{\"mode\":\"adapt\",\"base\":3} | more than one change at once",
                "{} | nothing to change"
            })
    void theEndpointRefusesWhatIsWrongByName(String body, String message) throws Exception {
        HttpResponse<String> refused = change(body);
        assertThat(refused.body()).contains(message);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(pool().mode()).isEqualTo(PoolMode.RECOMMEND);
        assertThat(pool().state().base()).isEqualTo(5);
    }

    @Test
    void theHealthIndicatorSaysWhetherTheApplicationIsReadyNotWhetherItLives() throws Exception {
        HttpResponse<String> ready = answer(path("/health/readiness"));
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body())
                .contains("\"flexpool\":{\"name\":", "\"default\":{\"status\":\"UP\"")
                .doesNotContain(server.password());
        assertThat(answer(path("/health/liveness")).body()).doesNotContain("flexpool");
    }

    /** Micronaut's own endpoint takes every indicator for one of readiness that is not one of liveness; others ask for these. */
    @Test
    void itIsAmongTheIndicatorsThatAreAskedForByReadiness() {
        assertThat(beans.getBeansOfType(HealthIndicator.class, Qualifiers.byStereotype(Readiness.class)))
                .hasAtLeastOneElementOfType(FlexPoolHealthIndicator.class);
        assertThat(beans.getBeansOfType(HealthIndicator.class, Qualifiers.byStereotype(Liveness.class)))
                .doesNotHaveAnyElementsOfTypes(FlexPoolHealthIndicator.class);
    }

    /** Asked by itself, because Micronaut's indicator of the database waits for a connection. */
    @Test
    void aPoolThatIsHeldIsDown() {
        pool().pause();
        try {
            assertThat(status()).isEqualTo(HealthStatus.DOWN);
        } finally {
            pool().resume();
        }
        assertThat(status()).isEqualTo(HealthStatus.UP);
    }

    private HealthStatus status() {
        return Mono.from(beans.getBean(FlexPoolHealthIndicator.class).getResult())
                .blockOptional()
                .orElseThrow()
                .getStatus();
    }

    /** The steps of docs/reference/frameworks.md are this application's. */
    @Test
    void thePageShowsTheConfigurationThatIsRunHere() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "frameworks.md"));
        try (InputStream in = OrdersTest.class.getResourceAsStream("/application.yml")) {
            assertThat(page).contains(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
