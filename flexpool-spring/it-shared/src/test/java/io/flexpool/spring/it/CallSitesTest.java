// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.CallSiteStatistics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.samples.petclinic.PetClinic;

/** Which lines of an application hold connections, beneath a container and behind Spring's proxies. */
class CallSitesTest {
    /** All of them were once {@code Http11Processor.service}. */
    @Test
    void petClinicsLeasesAreHeldByItsControllers() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(PetClinic.class)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.datasource.url=" + Contexts.url() + ";DB_CLOSE_DELAY=-1",
                        "spring.jpa.hibernate.ddl-auto=create",
                        "spring.liquibase.enabled=false",
                        "spring.flyway.enabled=false",
                        "flexpool.call-sites.sample-every=1")
                .run()) {
            String base = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
            FlexPoolDataSource pool = Contexts.pool(context, "dataSource");
            List<String> atStart = sites(pool);
            assertThat(send(HttpRequest.newBuilder(URI.create(base + "/visits")).POST(BodyPublishers.noBody())))
                    .isEqualTo("1");
            assertThat(send(HttpRequest.newBuilder(URI.create(base + "/owners"))))
                    .isEqualTo("1");
            assertThat(sites(pool))
                    .filteredOn(site -> !atStart.contains(site))
                    .map(site -> site.replaceAll("\\(.*", ""))
                    .containsExactlyInAnyOrder("PetClinic$OwnerController.find", "PetClinic$VisitController.add");
        }
    }

    private static List<String> sites(FlexPoolDataSource pool) {
        return pool.diagnosis().callSites().stream()
                .map(CallSiteStatistics::callSite)
                .toList();
    }

    private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage(basePackages = "org.springframework.boot.test")
    static class OfTheRunner {}

    /** The runner's own frames stand for an application in a jar, in a package like a framework's. */
    private static ApplicationContextRunner ofTheRunner() {
        return Contexts.boot()
                .withUserConfiguration(OfTheRunner.class)
                .withPropertyValues(
                        "flexpool.call-sites.sample-every=1", "flexpool.call-sites.ignore=io.flexpool.spring.it.");
    }

    @Test
    void theDefaultPackagesAreTheApplications() {
        ofTheRunner()
                .run(context -> assertThat(
                                site(context.getBean(DataSource.class), Contexts.pool(context, "dataSource")))
                        .startsWith("AbstractApplicationContextRunner."));
        ofTheRunner()
                .withPropertyValues("flexpool.call-sites.application=org.junit.jupiter.engine")
                .run(context -> assertThat(
                                site(context.getBean(DataSource.class), Contexts.pool(context, "dataSource")))
                        .doesNotContain("ContextRunner"));
    }

    private static String site(DataSource dataSource, FlexPoolDataSource pool) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.isClosed()).isFalse();
            return Objects.requireNonNull(pool.openLeases().get(0).callSite());
        }
    }
}
