// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.quarkus.FlexPools;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The example runs, without Micrometer and SmallRye Health, and is what the page shows. */
@EnabledIf("io.flexpool.examples.quarkus.Database#available")
@QuarkusTestResource(Database.class)
@QuarkusTest
class OrdersTest {
    @Inject
    FlexPools pools;

    @Inject
    AgroalDataSource dataSource;

    @TestHTTPResource("/orders")
    @SuppressWarnings("NullAway.Init") // Quarkus gives it
    URI orders;

    @Test
    void anOrderIsOneLease() throws Exception {
        FlexPoolDataSource pool = pools.pool("default");
        HttpRequest order = HttpRequest.newBuilder(orders)
                .POST(HttpRequest.BodyPublishers.ofString("a book"))
                .build();
        long before = pool.statistics().total().leases().count();

        HttpResponse<String> answer = HttpClient.newHttpClient().send(order, HttpResponse.BodyHandlers.ofString());

        assertThat(answer.body()).isEqualTo("1");
        assertThat(pool.statistics().total().leases().count()).isEqualTo(before + 1);
        assertThat(pool.statistics().total().acquisition(AcquisitionOutcome.OK).count())
                .isGreaterThan(before);
    }

    @Test
    void thePoolGrowsWhileARequestWaits() throws Exception {
        List<Connection> held = new ArrayList<>();
        // The sixth is more than the pool's own max.
        for (int each = 0; each < 6; each++) {
            held.add(dataSource.getConnection());
        }
        assertThat(pools.pool("default").state().limit()).isEqualTo(6);
        for (Connection each : held) {
            each.close();
        }
    }

    @Test
    void neitherMicrometerNorHealthIsThere() {
        ClassLoader application = Thread.currentThread().getContextClassLoader();

        assertThatThrownBy(() -> application.loadClass("io.micrometer.core.instrument.MeterRegistry"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> application.loadClass("org.eclipse.microprofile.health.HealthCheck"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    /** The keys of docs/reference/frameworks.md are this application. */
    @Test
    void thePageShowsThisApplication() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "frameworks.md"));

        assertThat(Files.readAllLines(Path.of("src", "main", "resources", "application.properties")))
                .filteredOn(line -> line.startsWith("quarkus.flexpool.") || line.contains("max-size"))
                .hasSize(3)
                .allSatisfy(line -> assertThat(page).contains(line));
        assertThat(Files.readString(Path.of("pom.xml"))).contains("<artifactId>flexpool-quarkus</artifactId>");
        assertThat(page).contains("`flexpool-quarkus`");
    }
}
