// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dropwizard.configuration.ResourceConfigurationSourceProvider;
import io.dropwizard.core.Application;
import io.dropwizard.db.ManagedPooledDataSource;
import io.dropwizard.testing.ConfigOverride;
import io.dropwizard.testing.DropwizardTestSupport;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.tomcat.jdbc.pool.ConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application on a real PostgreSQL, started by Dropwizard's own harness; run on Dropwizard 4 and 5. */
class DropwizardTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static PostgresServer server;
    private static DropwizardTestSupport<OrdersConfiguration> application;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
        application = application();
        application.before();
    }

    private static DropwizardTestSupport<OrdersConfiguration> application(String... more) {
        List<ConfigOverride> overrides = new ArrayList<>(List.of(
                ConfigOverride.config("database.url", server.jdbcUrl()),
                ConfigOverride.config("database.user", server.user()),
                ConfigOverride.config("database.password", server.password()),
                ConfigOverride.config("database.flexpool.call-sites.sample-every", "1")));
        for (int each = 0; each < more.length; each += 2) {
            overrides.add(ConfigOverride.config(more[each], more[each + 1]));
        }
        return new DropwizardTestSupport<>(
                OrdersApplication.class,
                "orders.yml",
                new ResourceConfigurationSourceProvider(),
                overrides.toArray(ConfigOverride[]::new));
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.after();
        }
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void theApplicationsPoolIsTheOnlyOne() {
        assertThat(OpenPools.list()).hasSize(1);
    }

    private static FlexPoolDataSource pool() {
        return OpenPools.list().get(0);
    }

    private static HttpResponse<String> answer(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        return answer(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)));
    }

    private static HttpResponse<String> task(String query) throws Exception {
        return answer(HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + application.getAdminPort() + "/tasks/flexpool" + query))
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    @Test
    void runsOnTheVersionThatTheBuildSays() {
        assertThat(Application.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .endsWith("dropwizard-core-" + System.getProperty("expected.dropwizard") + ".jar");
    }

    @Test
    void requestsUseTheWrappedPool() throws Exception {
        long before = acquired();
        assertThat(get(application.getLocalPort(), "/orders").body()).isEqualTo("placed");

        assertThat(pool().name()).isEqualTo("orders");
        assertThat(pool().type()).isEqualTo("Tomcat JDBC");
        assertThat(pool().state().limit()).isEqualTo(5);
        assertThat(pool().state().ceiling()).isEqualTo(25);
        assertThat(acquired() - before).isEqualTo(1);
        assertThat(pool().diagnosis().callSites())
                .anySatisfy(site -> assertThat(site.callSite()).contains("OrdersResource.state"));
    }

    private static long acquired() {
        return pool().statistics().total().acquisition(AcquisitionOutcome.OK).count();
    }

    @Test
    void theApplicationsRegistryHasFlexpoolsFiguresBesideDropwizards() throws Exception {
        assertThat(application.getEnvironment().metrics().getNames())
                .contains("flexpool.orders.acquisition.ok", "flexpool.orders.active")
                .contains("io.dropwizard.db.ManagedPooledDataSource.orders.active");
        assertThat(get(application.getAdminPort(), "/metrics").body())
                .contains("flexpool.orders.limit")
                .doesNotContain(server.password());
    }

    @Test
    void theHealthCheckShowsThePool() throws Exception {
        HttpResponse<String> health = get(application.getAdminPort(), "/healthcheck");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body())
                .contains("\"flexpool\":{\"healthy\":true", "\"orders\":{\"status\":\"UP\"")
                .doesNotContain(server.password());
    }

    @Test
    void theTaskListsThePoolsAndReportsOne() throws Exception {
        assertThat(task("").body()).startsWith("orders (Tomcat JDBC), mode recommend: ");
        assertThat(task("?pool=orders").body())
                .contains("orders", "Tomcat JDBC")
                .doesNotContain(server.password());
    }

    @Test
    void theTaskChangesModeAndLimits() throws Exception {
        assertThat(task("?pool=orders&mode=monitor").body()).startsWith("changed: orders (Tomcat JDBC), mode monitor");
        assertThat(pool().mode()).isEqualTo(PoolMode.MONITOR);
        assertThat(task("?mode=monitor").body()).startsWith("unchanged: ");
        task("?mode=recommend");
        assertThat(pool().mode()).isEqualTo(PoolMode.RECOMMEND);

        task("?base=3&ceiling=7");
        assertThat(pool().state().base()).isEqualTo(3);
        assertThat(pool().state().ceiling()).isEqualTo(7);
        task("?base=5&ceiling=25");
        assertThat(pool().state().limit()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode=wacht | mode = wacht: must be monitor, recommend or adapt",
                "base=few | base = few: must be a whole number",
                "base=9&ceiling=2 | ceiling",
                "mode=adapt&base=3 | more than one change at once",
                "mod=adapt | mod: no such parameter; the parameters are pool, mode, base, ceiling; the nearest is mode",
                "pool=ordres | pool = ordres: must be one of orders",
                "mode=adapt&mode=monitor | mode: must be given once"
            })
    void theTaskRefusesWhatIsWrongByName(String query, String message) throws Exception {
        HttpResponse<String> refused = task("?" + query);
        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains(message).doesNotContain("\tat ");
        assertThat(pool().mode()).isEqualTo(PoolMode.RECOMMEND);
        assertThat(pool().state().base()).isEqualTo(5);
    }

    @Test
    void theEndOfTheApplicationEndsFlexpoolAndClosesThePool() throws Exception {
        DropwizardTestSupport<OrdersConfiguration> second = application("database.flexpool.name", "second");
        second.before();
        FlexPoolDataSource pool;
        ConnectionPool own;
        try {
            pool = OpenPools.list().stream()
                    .filter(open -> open.name().equals("second"))
                    .findFirst()
                    .orElseThrow();
            own = pool.unwrap(ManagedPooledDataSource.class).getPool();
            assertThat(get(second.getLocalPort(), "/orders").body()).isEqualTo("placed");
        } finally {
            second.after();
        }
        assertThat(pool.closed()).isTrue();
        assertThat(own.isClosed()).as("by Dropwizard").isTrue();
        assertThat(second.getEnvironment().metrics().getNames()).noneMatch(name -> name.startsWith("flexpool."));
    }

    /** What only the pool can say is refused when the data source is built. */
    @Test
    void aKeyThatThePoolCannotMeetEndsTheStart() {
        DropwizardTestSupport<OrdersConfiguration> refused = application("database.flexpool.ceiling", "3");
        try {
            assertThatThrownBy(refused::before)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("flexpool.ceiling = 3")
                    .hasMessageContaining("section flexpool of the data source")
                    .hasMessageNotContaining(server.password());
        } finally {
            refused.after();
        }
    }

    /** The steps of docs/reference/frameworks.md are this application's. */
    @Test
    void thePageShowsTheApplicationThatIsRunHere() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "frameworks.md"));
        try (InputStream in = DropwizardTest.class.getResourceAsStream("/orders.yml")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(page).contains(text.substring(0, text.indexOf("\nserver:")));
        }
        String shown = page.split("```java\n", -1)[1].split("```", -1)[0];
        assertThat(Files.readString(Path.of("src/test/java/io/flexpool/dropwizard/OrdersApplication.java")))
                .contains(shown);
    }
}
