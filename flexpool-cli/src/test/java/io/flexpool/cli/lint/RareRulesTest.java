// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The four rules of which the study found no case, on projects as they are written: relaxed names, placeholders with defaults, several
 * documents, profiles, charts, manifests and Compose files.
 */
class RareRulesTest {
    private static final String YAML = "src/main/resources/application.yaml";
    private static final String PROPERTIES = "src/main/resources/application.properties";
    private static final String PERSISTENCE = "src/main/resources/META-INF/persistence.xml";

    @TempDir
    private Path project;

    private void file(String name, String text) throws IOException {
        Path file = project.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** What a rule reports, with at most 100 connections. */
    private List<String> found(Rule rule) throws IOException {
        List<String> found = new ArrayList<>();
        for (Finding each : Linter.run(project, false, 100).findings()) {
            if (each.rule() == rule) {
                found.add(each.file().getFileName() + ":" + each.line() + " " + each.what());
            }
        }
        return found;
    }

    @Test
    void aTimeLimiterBelowTheDefaultOfAPlaceholder() throws IOException {
        file(YAML, """
            spring:
              datasource:
                url: jdbc:postgresql://${DB_HOST:db}:5432/orders
                hikari:
                  maximumPoolSize: ${POOL_SIZE:20}
                  connectionTimeout: ${POOL_TIMEOUT:20000}
            resilience4j:
              timelimiter:
                instances:
                  inventory:
                    timeoutDuration: 2s
            """);
        assertThat(found(Rule.CONNECTION_TIMEOUT))
                .containsExactly("application.yaml:6 connection-timeout 20 s is not below"
                        + " resilience4j.timelimiter.instances.inventory.timeoutDuration 2 s");
    }

    @Test
    void aRequestThatEndsBeforeAPoolWithUnderscoresInItsNames() throws IOException {
        file(PROPERTIES, """
            spring.datasource.url=jdbc:mysql://mysql:3306/shop
            spring.datasource.hikari.maximum_pool_size=20
            spring.datasource.hikari.connection_timeout=30000
            spring.mvc.async.request-timeout=5000
            """);
        assertThat(found(Rule.CONNECTION_TIMEOUT)).singleElement().asString().startsWith("application.properties:3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1500", "PT1.5S", "${POOL_TIMEOUT}"})
    void aPoolThatFailsBeforeItsCaller(String timeout) throws IOException {
        file(YAML, """
            spring.datasource:
              url: jdbc:postgresql://db:5432/orders
              hikari: {maximum-pool-size: 20, connection-timeout: "TIMEOUT"}
            resilience4j.timelimiter.configs.default.timeoutDuration: 2s
            """.replace("TIMEOUT", timeout));
        assertThat(found(Rule.CONNECTION_TIMEOUT)).isEmpty();
    }

    @Test
    void aTimeoutOfTheProductionProfileHolds() throws IOException {
        file(YAML, """
            spring:
              datasource.url: jdbc:postgresql://db:5432/orders
              mvc.async.request-timeout: 3s
            ---
            spring.config.activate.on-profile: prod
            spring.datasource.hikari.connection-timeout: 1000
            """);
        assertThat(found(Rule.CONNECTION_TIMEOUT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://db/x?useSSL=false&sessionVariables=sql_mode='ANSI',wait_timeout=300&characterEncoding=utf8",
                "postgresql://db/x?options=-c%20idle_session_timeout=10min",
                "postgresql://db/x?options=-c%20idle_session_timeout=600s&ssl=true"
            })
    void aServerThatClosesBeforeTheDefaultLifetime(String url) throws IOException {
        file(PROPERTIES, "server.port=8080\nspring.datasource.url=jdbc:" + url + "\n");
        assertThat(found(Rule.MAX_LIFETIME)).singleElement().asString().startsWith("application.properties:2");
    }

    /** For HikariCP 0 is no limit. */
    @Test
    void aLifetimeWithoutALimitIsTooLong() throws IOException {
        file(YAML, """
            spring.datasource:
              url: jdbc:mysql://db/x?sessionVariables=wait_timeout=600
              hikari.max-lifetime: 0
            """);
        assertThat(found(Rule.MAX_LIFETIME)).singleElement().asString().startsWith("application.yaml:3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://db/x?sessionVariables=innodb_lock_wait_timeout=50",
                "mysql://db/x?sessionVariables=lock_wait_timeout=10",
                "postgresql://db/x?options=-c%20idle_in_transaction_session_timeout=10000",
                "postgresql://db/x?options=-c%20idle_session_timeout=0",
                "mysql://db/x?sessionVariables=wait_timeout=1830"
            })
    void aLimitThatIsNoneOfIdleSessionsOrIsLong(String url) throws IOException {
        file(PROPERTIES, "spring.datasource.url=jdbc:" + url + "\n");
        assertThat(found(Rule.MAX_LIFETIME)).isEmpty();
    }

    private static String unit(String type, String content) {
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
             <persistence-unit name="shop" transaction-type="TYPE">CONTENT<properties>
              <property name="hibernate.connection.pool_size" value="10"/>
             </properties></persistence-unit></persistence>
            """.replace("TYPE", type).replace("CONTENT", content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<provider>org.hibernate.jpa.HibernatePersistenceProvider</provider>"})
    void aUnitWithASizeAndNoPoolHasHibernates(String content) throws IOException {
        file(PERSISTENCE, unit("RESOURCE_LOCAL", content));
        assertThat(found(Rule.BUILT_IN_POOL)).singleElement().asString().startsWith("persistence.xml:4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<jta-data-source>java:/jdbc/shop</jta-data-source>",
                "<non-jta-data-source>java:comp/env/jdbc/shop</non-jta-data-source>"
            })
    void aUnitWithADataSourceOfItsServerHasItsPool(String content) throws IOException {
        file(PERSISTENCE, unit("JTA", content));
        assertThat(found(Rule.BUILT_IN_POOL)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hibernate.connection.datasource", "jakarta.persistence.nonJtaDataSource"})
    void aDataSourceMayBeAPropertyToo(String name) throws IOException {
        file(
                PERSISTENCE,
                unit("JTA", "")
                        .replace(
                                "<properties>",
                                "<properties><property name=\"" + name + "\" value=\"java:/jdbc/x\"/>"));
        assertThat(found(Rule.BUILT_IN_POOL)).isEmpty();
    }

    private void pool(int size) throws IOException {
        file(YAML, "spring.datasource: {url: 'jdbc:postgresql://db/x', hikari.maximum-pool-size: " + size + "}\n");
    }

    @Test
    void replicasOfOneOfSeveralDocumentsAreAddedUp() throws IOException {
        pool(30);
        String text = """
            apiVersion: v1
            kind: Service
            metadata: {name: orders}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: orders
            spec:
              replicas: 4
            """;
        file("deploy/orders.yaml", text);
        assertThat(found(Rule.MAX_CONNECTIONS))
                .containsExactly("orders.yaml:10 4 x 30 = 120 connections, 100 are available");
        file("deploy/orders.yaml", text.replace("replicas: 4", "replicas: 3"));
        assertThat(found(Rule.MAX_CONNECTIONS)).isEmpty();
    }

    @Test
    void aSizeInTheEnvironmentHoldsForEachReplica() throws IOException {
        pool(10);
        file("deploy/orders.yaml", """
            kind: Deployment
            metadata: {name: orders}
            spec:
              replicas: 2
              template: {spec: {containers: [{name: orders, env:
                [{name: SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE, value: "60"}]}]}}
            """);
        assertThat(found(Rule.MAX_CONNECTIONS)).singleElement().asString().contains("2 x 60 = 120");
    }

    @ParameterizedTest
    @ValueSource(strings = {"deploy: {replicas: 4}", "scale: 4"})
    void replicasOfComposeAreAddedUp(String replicas) throws IOException {
        pool(30);
        String text = "services:\n  orders:\n    image: orders\n    " + replicas + "\n  db: {image: 'postgres:17'}\n";
        file("docker-compose.yml", text);
        assertThat(found(Rule.MAX_CONNECTIONS)).singleElement().asString().contains("4 x 30 = 120");
        file("docker-compose.yml", text.replace("4", "2"));
        assertThat(found(Rule.MAX_CONNECTIONS)).isEmpty();
    }

    @Test
    void anotherWorkloadWithoutAnApplicationIsUnknown() throws IOException {
        pool(30);
        file("deploy/orders.yaml", "kind: Deployment\nmetadata: {name: orders}\nspec: {replicas: 2}\n");
        file("deploy/web.yaml", "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 10}\n");
        assertThat(found(Rule.MAX_CONNECTIONS)).isEmpty();
        assertThat(Linter.run(project, false, 100).unknown())
                .singleElement()
                .asString()
                .contains("--pool");
    }
}
