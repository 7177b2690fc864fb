// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings in forms and encodings that other projects have: they are read as the program reads them, or unknown. */
class LintFormsTest {
    private static final String APPLICATION = "src/main/resources/application.yml";
    private static final String URL = "spring.datasource.url: jdbc:mysql://db.internal/x\n";
    private static final String SIZE = "SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE";
    private static final String LEAKS = "SPRING_DATASOURCE_HIKARI_LEAK_DETECTION_THRESHOLD";

    @TempDir
    private Path project;

    private void file(String name, String text, Charset charset) throws IOException {
        Path file = project.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, charset);
    }

    private void file(String name, String text) throws IOException {
        file(name, text, StandardCharsets.UTF_8);
    }

    private Linter.Result result() throws IOException {
        return Linter.run(project, false, -1);
    }

    private List<String> found() throws IOException {
        List<String> found = new ArrayList<>();
        for (Finding each : result().findings()) {
            found.add(each.rule().id() + " " + each.file().getFileName() + ":" + each.line());
        }
        return found;
    }

    private static String hibernate(String properties) {
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE hibernate-configuration PUBLIC "-//Hibernate/Hibernate Configuration DTD 3.0//EN"
                "http://www.hibernate.org/dtd/hibernate-configuration-3.0.dtd">
            <hibernate-configuration>
              <session-factory>
            PROPERTIES
              </session-factory>
            </hibernate-configuration>
            """.replace("PROPERTIES", properties);
    }

    private static final String OF_TUTORIAL = """
                <property name="connection.url">jdbc:mysql://db.internal:3306/shop</property>
                <property name="hibernate.connection.username">shop</property>
                <property
                    name="connection.password">
                    hunter2
                </property>
                <property name="connection.pool_size">10</property>
            """.stripTrailing();

    @Test
    void hibernatesOwnFileIsRead() throws IOException {
        file("src/main/resources/hibernate.cfg.xml", hibernate(OF_TUTORIAL));
        assertThat(found()).containsExactly("password hibernate.cfg.xml:8", "built-in-pool hibernate.cfg.xml:12");
        assertThat(result().problems()).isEmpty();
        assertThat(result().unknown()).isEmpty();
    }

    @Test
    void anotherPoolOrAnEmbeddedDatabaseOfHibernateIsNoFinding() throws IOException {
        String name = "src/main/resources/hibernate.cfg.xml";
        file(name, hibernate(OF_TUTORIAL.replace("jdbc:mysql://db.internal:3306/shop", "jdbc:h2:mem:shop")));
        assertThat(found()).isEmpty();
        file(name, hibernate(OF_TUTORIAL.replace("db.internal", "localhost")));
        assertThat(found()).containsExactly("built-in-pool hibernate.cfg.xml:12");
        file(name, hibernate(OF_TUTORIAL + "<property name=\"c3p0.max_size\">20</property>"));
        assertThat(found()).containsExactly("password hibernate.cfg.xml:8");
        file(name, hibernate("<property name=\"connection.datasource\">java:comp/env/jdbc/x</property>"));
        assertThat(found()).isEmpty();
        file("src/main/resources/ehcache.cfg.xml", "<cache><a></cache>");
        assertThat(result().problems()).isEmpty();
    }

    /** Hibernate takes the only provider on the class path before its own, whatever size is set. */
    @Test
    void aPoolOfHibernatesOnTheClassPathIsUsed() throws IOException {
        String unit = "<persistence><persistence-unit name=\"a\"><properties>"
                + "<property name=\"hibernate.connection.pool_size\" value=\"10\"/>"
                + "</properties></persistence-unit></persistence>";
        file("src/main/resources/META-INF/persistence.xml", unit);
        file("src/main/resources/hibernate.cfg.xml", hibernate(OF_TUTORIAL.replace("hunter2", "${password}")));
        assertThat(found()).hasSize(2);
        file("pom.xml", "<project><dependency><artifactId>hibernate-hikaricp</artifactId></dependency></project>");
        assertThat(found()).isEmpty();
    }

    /** An element of several lines was reported at its last one. */
    @Test
    void aFindingOfXmlIsAtItsOwnLine() throws IOException {
        file("src/main/webapp/META-INF/context.xml", """
            <Context>
              <!-- the pool -->
              <Resource name="jdbc/a" type="javax.sql.DataSource"
                        maxActive="50"
                        url="jdbc:mysql://db/x"
                        password="hunter2"

                        />
            </Context>
            """);
        file("src/main/resources/META-INF/persistence.xml", """
            <persistence><persistence-unit name="a"><properties>
              <property
                name="hibernate.connection.pool_size"
                value="20"
              />
            </properties></persistence-unit></persistence>
            """);
        assertThat(found())
                .containsExactly(
                        "built-in-pool persistence.xml:2", "ignored-setting context.xml:4", "password context.xml:6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "windows-1252", "UTF-16", "GBK", "UTF-8"})
    void xmlIsReadInTheEncodingThatItDeclares(String encoding) throws IOException {
        String comment = encoding.equals("GBK") ? "连接池" : "Größe";
        file(
                "src/main/resources/hibernate.cfg.xml",
                hibernate(OF_TUTORIAL)
                        .replace("UTF-8", encoding)
                        .replace("<session-factory>", "<session-factory><!-- " + comment + " -->"),
                Charset.forName(encoding));
        assertThat(found()).containsExactly("password hibernate.cfg.xml:8", "built-in-pool hibernate.cfg.xml:12");
        assertThat(result().problems()).isEmpty();
    }

    @Test
    void aBuildFileInAnotherEncodingIsRead() throws IOException {
        file(APPLICATION, URL + "spring.datasource.hikari: {maximum-pool-size: 20, leak-detection-threshold: 9000}\n");
        file("build.gradle", "// Größe\nimplementation 'a:spring-boot-starter-web:1'\n", StandardCharsets.ISO_8859_1);
        file(
                "pom.xml",
                "<?xml version='1.0' encoding='ISO-8859-1'?>\n<project><!-- ü --><dependency>"
                        + "<artifactId>spring-boot-starter-data-jpa</artifactId></dependency></project>",
                StandardCharsets.ISO_8859_1);
        assertThat(result().problems()).isEmpty();
        assertThat(found()).contains("open-in-view application.yml:1");
    }

    @Test
    void yamlOfTwoBytesIsReadByItsMark() throws IOException {
        file(APPLICATION, "# Größe\n" + URL, StandardCharsets.UTF_16);
        assertThat(found()).containsExactly("pool-size-default application.yml:2", "leak-detection application.yml:2");
        file(APPLICATION, "\ufeff" + URL);
        assertThat(found()).containsExactly("pool-size-default application.yml:1", "leak-detection application.yml:1");
    }

    /** Spring Boot 3.5 and 4.1 read it as a part of the first key: a mark before a comment does no harm. */
    @Test
    void aMarkBeforeTheFirstSettingOfPropertiesHidesIt() throws IOException {
        String name = "application.properties";
        String settings =
                "spring.datasource.hikari.maximum-pool-size=20\nspring.datasource.url=jdbc:mysql://db.internal/x\n";
        file(name, "\ufeff" + settings);
        assertThat(found())
                .containsExactly(
                        "ignored-setting application.properties:1",
                        "pool-size-default application.properties:2",
                        "leak-detection application.properties:2");
        assertThat(result().findings().get(0).what())
                .isEqualTo(
                        "spring.datasource.hikari.maximum-pool-size is not read: the byte order mark of the file becomes part of the key");
        file(name, "\ufeff# of production\n" + settings);
        assertThat(found()).containsExactly("leak-detection application.properties:3");
        file(name, "\ufeff\n" + settings);
        assertThat(found()).containsExactly("leak-detection application.properties:3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:${random.uuid}",
                "jdbc:h2:file:${user.home}/shop;MODE=PostgreSQL",
                "jdbc:${DB_KIND:h2}:mem:x",
                "jdbc:sqlite:${DB_FILE:${HOME}/x.db}"
            })
    void anEmbeddedDatabaseMayHaveAVariable(String url) throws IOException {
        file(APPLICATION, "spring.datasource: {url: '" + url + "', password: secret}\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void variablesOfSeveralLinesOfAnImageAreRead() throws IOException {
        file(APPLICATION, URL);
        file("Dockerfile", """
            FROM eclipse-temurin:21
            ENV TZ=UTC LANG="C.UTF-8" \\
                # the pool
                SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE=20 \\
                SPRING_DATASOURCE_HIKARI_MINIMUM_IDLE=5
            ENV SPRING_DATASOURCE_HIKARI_LEAK_DETECTION_THRESHOLD 60000
            """);
        assertThat(found()).containsExactly("minimum-idle Dockerfile:5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{kind: Deployment, spec: {containers: [{env: [{name: JAVA_TOOL_OPTIONS, value: 'OPTIONS'}]}]}}",
                "{kind: Deployment, spec: {containers: [{args: ['-jar', 'x.jar', 'OPTIONS']}]}}",
                "services: {shop: {command: java OPTIONS -jar x.jar}}"
            })
    void optionsOfTheProgramAreRead(String manifest) throws IOException {
        file(APPLICATION, URL);
        file(
                "deploy/shop.yaml",
                manifest.replace(
                        "OPTIONS",
                        "-Xmx1g -Dspring.datasource.hikari.maximum-pool-size=20"
                                + " -Dspring.datasource.hikari.leak-detection-threshold=60000"));
        assertThat(found()).isEmpty();
    }

    @Test
    void aConfigMapSetsThePool() throws IOException {
        file(APPLICATION, URL);
        file("k8s/config.yaml", """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: shop}
            data:
              SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE: "20"
              application.yml: |
                # of the cluster
                spring.datasource.hikari:
                  minimum-idle: 5
                  leak-detection-threshold: 60000
                ---
                spring.config.activate.on-profile: dev
                spring.datasource.hikari.minimum-idle: 20
            ---
            kind: Secret
            metadata: {name: shop}
            data: {SPRING_DATASOURCE_USERNAME: c2hvcA==}
            stringData:
              SPRING_DATASOURCE_PASSWORD: hunter2
            """);
        file("k8s/shop.yaml", """
            kind: Deployment
            metadata: {name: shop}
            spec: {template: {spec: {containers: [{envFrom: [{configMapRef: {name: shop}}, {secretRef: {name: shop}}]}]}}}
            """);
        assertThat(found()).containsExactly("minimum-idle config.yaml:9", "password config.yaml:19");
        assertThat(result().unknown()).hasSize(1).allMatch(each -> each.startsWith("whether all instances fit"));
    }

    /** It may have the size. */
    @Test
    void variablesOfAMapThatNoFileHasAreUnknown() throws IOException {
        file(APPLICATION, URL);
        String manifest = """
            kind: Deployment
            metadata: {name: shop}
            spec: {containers: [{envFrom: [{secretRef: {name: vault}}]}]}
            """;
        file("k8s/shop.yaml", manifest);
        assertThat(found()).isEmpty();
        assertThat(result().unknown())
                .contains("the variables of k8s/shop.yaml:3: Secret vault is in no file that was read");
        file("k8s/shop.yaml", manifest.replace("name: vault}", "name: vault, optional: true}"));
        assertThat(found()).hasSize(2);
    }

    @Test
    void generatorsOfAKustomizationSetThePool() throws IOException {
        file(APPLICATION, URL);
        file("k8s/kustomization.yaml", """
            resources: [shop.yaml]
            configMapGenerator:
            - name: shop
              literals:
              - SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE=20
              envs: [pool.env]
            replicas:
            - {name: shop, count: 30}
            """);
        file("k8s/pool.env", "# leaks\n" + LEAKS + "=60000\n");
        assertThat(found()).isEmpty();
        assertThat(Linter.run(project, false, 100).findings())
                .singleElement()
                .satisfies(each -> assertThat(each.what()).startsWith("30 x 20 = 600 connections"));
        Files.delete(project.resolve("k8s/pool.env"));
        assertThat(found()).isEmpty();
        assertThat(result().unknown())
                .contains("the variables of k8s/kustomization.yaml:6: k8s/pool.env is in no file that was read");
    }

    @Test
    void valuesOfAChartSetThePool() throws IOException {
        file(APPLICATION, URL);
        file("chart/values.yaml", "env:\n  " + SIZE + ": 20\n  " + LEAKS + ": 0\n");
        assertThat(found()).containsExactly("leak-detection values.yaml:3");
        file("chart/values.yaml", "extraEnvVars:\n- {name: " + SIZE + ", value: '20'}\n- name: " + LEAKS + "\n");
        assertThat(found()).isEmpty();
    }

    /** Two overlays: which one holds depends on where it is installed. */
    @Test
    void otherValuesOfOtherOverlaysAreUnknown() throws IOException {
        file(APPLICATION, URL);
        String manifest = "kind: ConfigMap\nmetadata: {name: shop}\ndata:\n  " + LEAKS + ": '60000'\n  " + SIZE
                + ": '20'\n  SPRING_DATASOURCE_HIKARI_MINIMUM_IDLE: 'IDLE'\n";
        file("k8s/overlays/eu/shop.yaml", manifest.replace("IDLE'", "20'"));
        file("k8s/overlays/us/shop.yaml", manifest.replace("IDLE'", "5'"));
        assertThat(found()).isEmpty();
        // That for developers does not count.
        Files.move(project.resolve("k8s/overlays/eu"), project.resolve("k8s/overlays/dev"));
        assertThat(found()).containsExactly("minimum-idle shop.yaml:6");
    }

    @Test
    void variablesOfABuildServerAreNotTheApplications() throws IOException {
        file(APPLICATION, URL + "spring.datasource.hikari.leak-detection-threshold: 9000\n");
        file("azure-pipelines.yml", "variables:\n  SPRING_DATASOURCE_PASSWORD: hunter2\n  " + SIZE + ": 20\n");
        assertThat(found()).containsExactly("pool-size-default application.yml:1");
    }

    @Test
    @Timeout(600)
    void longLinesTakeNoLongTime() throws IOException {
        String spaces = " ".repeat(500_000);
        file(APPLICATION, URL + "a: b" + spaces + "c\n" + spaces + "# x\n");
        file("k8s/a.yaml", "kind: Deployment\na: 'b" + spaces + "c'\n" + spaces + "# x\n");
        file("Dockerfile", "ENV A=" + spaces + "x\nENV " + "a".repeat(500_000) + "\nENV A=" + "\\ ".repeat(200_000));
        assertThatCode(this::result).doesNotThrowAnyException();
    }

    /** The time was quadratic in the length of a key, and in the number of passwords. */
    @Test
    @Timeout(600)
    void longKeysAndManyPasswordsTakeNoLongTime() throws IOException {
        file("src/main/resources/application.properties", "datasource".repeat(90_000) + "=x\n");
        String passwords = IntStream.range(0, 15_000)
                .mapToObj(each -> "spring.datasource.p" + each + ".password=${P}\n")
                .collect(Collectors.joining());
        file("src/main/resources/application-prod.properties", passwords);
        assertThatCode(this::result).doesNotThrowAnyException();
    }

    /** A comparison in a script set the variable, and a reference of Azure was a password. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ \"$SPRING_DATASOURCE_PASSWORD\" = \"welcome1\" ]",
                "SPRING_DATASOURCE_PASSWORD = \"@Microsoft.KeyVault(SecretUri=https://v.vault.azure.net/secrets/p)\""
            })
    void aComparisonAndAReferenceAreNoPasswords(String line) throws IOException {
        file(APPLICATION, URL);
        file("deploy/start.conf", line + "\n");
        assertThat(found()).noneMatch(each -> each.startsWith("password"));
        file("deploy/start.conf", "SPRING_DATASOURCE_PASSWORD = \"hunter2\"\n");
        assertThat(found()).contains("password start.conf:1");
    }

    /** It ended lint for the whole project. */
    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing yet\n"})
    void anEmptyFileHasNoSettings(String text) throws IOException {
        file(APPLICATION, URL);
        file("src/main/resources/application-x.yml", text);
        assertThatCode(this::result).doesNotThrowAnyException();
    }

    /** A comment in place of a password was reported as one, and one before a URL hid an embedded database. */
    @Test
    void commentsInXmlAreNoValues() throws IOException {
        file("src/main/resources/hibernate.cfg.xml", hibernate("""
                <property name="connection.url"><!-- dev -->jdbc:h2:mem:x</property>
                <property name="connection.password"><!-- set at run time --></property>
                <property name="connection.pool_size">5</property>
                """));
        assertThat(found()).isEmpty();
    }

    /** It was read as no setting, and the size as missing. */
    @Test
    void theFileOfASecretIsDecoded() throws IOException {
        String settings = """
            spring.datasource.hikari.maximum-pool-size: 5
            spring.datasource.hikari.leak-detection-threshold: 30000
            """;
        file(APPLICATION, URL);
        file("k8s/secret.yaml", """
                apiVersion: v1
                kind: Secret
                metadata:
                  name: shop
                data:
                  application.yml: BASE64
                """.replace(
                        "BASE64", Base64.getEncoder().encodeToString(settings.getBytes(StandardCharsets.UTF_8))));
        assertThat(found()).isEmpty();
    }

    /** A Secret of a program beside the application silenced the rules for missing settings. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: grafana, image: 'grafana/grafana:11', envFrom: [{secretRef: {name: grafana}}]",
                "name: mailer, image: 'registry/mailer', envFrom: [{secretRef: {name: mail}}, {configMapRef: {name: m}}]",
                "name: mailer, env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: mail, key: token}}}]"
            })
    void aSecretOfAnotherProgramHidesNothing(String container) throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://${DB_HOST:db}/x\n");
        String shop = """
            kind: Deployment
            metadata: {name: shop}
            spec: {containers: [{name: shop, env: [{name: DB_HOST, value: a}]}]}
            """;
        file("k8s/all.yaml", shop + "---\nkind: Deployment\nspec: {containers: [{" + container + "}]}\n");
        assertThat(found()).containsExactly("pool-size-default application.yml:1", "leak-detection application.yml:1");
        // One of the application itself may have the size.
        file("k8s/all.yaml", shop.replace("env:", "envFrom: [{secretRef: {name: pool}}], env:"));
        assertThat(found()).isEmpty();
        assertThat(result().unknown()).anyMatch(each -> each.contains("Secret pool is in no file that was read"));
    }

    /** A migration's variable made the Secret of the service another program's, and the missing size an error. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "---\nkind: Job\nmetadata: {name: migrate}\nspec: {containers: [{image: flyway/flyway, ENV}]}\n",
                "---\nkind: CronJob\nmetadata: {name: purge}\nspec: {containers: [{image: registry/purge, ENV}]}\n",
                "---\nkind: Pod\nmetadata: {name: m}\nspec: {initContainers: [{image: liquibase/liquibase, ENV}]}\n"
            })
    void aMigrationWithTheApplicationsVariableIsNotTheApplication(String migration) throws IOException {
        file(APPLICATION, URL + "spring.datasource.password: ${DB_PASSWORD}\n");
        file(
                "k8s/all.yaml",
                "kind: Deployment\nmetadata: {name: web-api}\nspec: {containers: [{envFrom: [{secretRef: {name: api}}]}]}\n"
                        + migration.replace("ENV", "env: [{name: DB_PASSWORD, value: \"${PW}\"}]"));
        assertThat(found()).isEmpty();
        assertThat(result().unknown()).anyMatch(each -> each.contains("Secret api is in no file that was read"));
    }

    @Test
    void aDatabaseBesideAnApplicationHidesNothing() throws IOException {
        file(APPLICATION, URL);
        file(
                "k8s/db.yaml",
                "kind: StatefulSet\nspec: {containers: [{image: 'mysql:8', envFrom: [{secretRef: {name: root}}]}]}\n");
        assertThat(found()).hasSize(2);
    }

    /** A prefix before the names of a Secret's variables: Spring Boot reads only its own names. */
    @ParameterizedTest
    @CsvSource({"MAIL_, 2", "SPRING_MAIL_, 2", "SPRING_, 0", "spring.datasource., 0", "SPRING_DATASOURCE_HIKARI_, 0"})
    void aSecretWithAPrefixOfOtherNamesHidesNothing(String prefix, int findings) throws IOException {
        file(APPLICATION, URL);
        file(
                "k8s/shop.yaml",
                "kind: Deployment\nspec: {containers: [{env: [{name: SPRING_MAIN_BANNER_MODE, value: off}],"
                        + " envFrom: [{prefix: '" + prefix + "', secretRef: {name: a}}]}]}\n");
        assertThat(found()).hasSize(findings);
    }

    private static String unit(String... properties) {
        StringBuilder unit = new StringBuilder("<persistence><persistence-unit name=\"a\"><properties>\n");
        for (String each : properties) {
            int at = each.indexOf('=');
            unit.append(
                    "<property name=\"" + each.substring(0, at) + "\" value=\"" + each.substring(at + 1) + "\"/>\n");
        }
        return unit.append("</properties></persistence-unit></persistence>\n").toString();
    }

    /** Only the first key of a unit was checked, and pools' own keys were not. */
    @Test
    void eachPasswordOfAUnitIsChecked() throws IOException {
        file(
                "src/main/resources/META-INF/persistence.xml",
                unit(
                        "jakarta.persistence.jdbc.url=jdbc:mysql://db.internal/x",
                        "jakarta.persistence.jdbc.password=${password}",
                        "hibernate.hikari.dataSource.password=hunter2",
                        "hibernate.hikari.password=hunter2",
                        "hibernate.connection.password=hunter2",
                        "eclipselink.jdbc.password=hunter2",
                        "openjpa.ConnectionPassword=hunter2",
                        "javax.persistence.jdbc.password=hunter2",
                        "hibernate.hikari.dataSource.trustStorePassword=hunter2",
                        "hibernate.search.backend.password=hunter2"));
        assertThat(found())
                .containsExactly(
                        "password persistence.xml:4",
                        "password persistence.xml:5",
                        "password persistence.xml:6",
                        "password persistence.xml:7",
                        "password persistence.xml:8",
                        "password persistence.xml:9");
    }

    /** The URL of another data source of the unit decided. */
    @Test
    void aPasswordOfAUnitBelongsToTheUrlOfItsDataSource() throws IOException {
        file(
                "src/main/resources/META-INF/persistence.xml",
                unit(
                        "eclipselink.jdbc.url=jdbc:mysql://localhost/x",
                        "eclipselink.jdbc.password=a",
                        "hibernate.hikari.dataSource.serverName=db.shop.com",
                        "hibernate.hikari.dataSource.password=hunter2"));
        assertThat(found()).containsExactly("password persistence.xml:5");
        file(
                "src/main/resources/META-INF/persistence.xml",
                unit("hibernate.hikari.dataSource.serverName=localhost", "hibernate.hikari.dataSource.password=a"));
        assertThat(found()).isEmpty();
    }

    @Test
    void passwordsOfOtherResourcesAreReported() throws IOException {
        file("src/main/webapp/META-INF/context.xml", """
            <Context>
              <Resource name="jdbc/a" type="javax.sql.XADataSource" maxActive="9" password="hunter2"/>
              <Resource name="jdbc/b" type="javax.sql.DataSource" factory="com.zaxxer.hikari.HikariJNDIFactory"
                        dataSource.password="hunter2"/>
              <Resource name="jdbc/c" type="com.mchange.v2.c3p0.ComboPooledDataSource" password="hunter2"
                        factory="org.apache.naming.factory.BeanFactory"/>
              <Resource name="mail/d" type="jakarta.mail.Session" password="hunter2"/>
            </Context>
            """);
        assertThat(found())
                .containsExactly("password context.xml:2", "password context.xml:4", "password context.xml:5");
    }

    /** The line to write is one of the framework, not Spring Boot's. */
    @ParameterizedTest
    @CsvSource({
        "application.properties, datasources.default.url, datasources.default.password",
        "application.properties, quarkus.datasource.jdbc.url, quarkus.datasource.password",
        "application.properties, %prod.quarkus.datasource.jdbc.url, %prod.quarkus.datasource.password",
        "application.properties, db.connection.url, db.connection.password",
        "META-INF/microprofile-config.properties, javax.sql.DataSource.a.dataSource.url, javax.sql.DataSource.a.dataSource.password",
        "application.properties, spring.datasource.url, spring.datasource.password"
    })
    void passwordsOfOtherFrameworksAreReported(String name, String url, String password) throws IOException {
        String file = "src/main/resources/" + name;
        file(file, url + "=jdbc:mysql://db/x\n" + password + "=hunter2\n");
        assertThat(result().findings())
                .filteredOn(each -> each.rule() == Rule.PASSWORD)
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.line()).isEqualTo(2);
                    assertThat(each.instead()).isEqualTo(password + "=${DB_PASSWORD}");
                });
        file(file, url + "=jdbc:mysql://localhost/x\n" + password + "=hunter2\n");
        assertThat(result().findings()).noneMatch(each -> each.rule() == Rule.PASSWORD);
    }

    /** The URL of Quarkus' profile for development stood behind the password of the other, and hid it. */
    @Test
    void aUrlOfAnotherProfileOfQuarkusDoesNotCount() throws IOException {
        file("src/main/resources/application.properties", """
            %prod.quarkus.datasource.jdbc.url=jdbc:mysql://db/x
            %{staging,prod}.quarkus.datasource.password=hunter2
            %dev.quarkus.datasource.password=a
            %dev.quarkus.datasource.jdbc.url=jdbc:mysql://localhost/x
            quarkus.datasource.reports.password=hunter2
            quarkus.datasource.reports.jdbc.url=jdbc:mysql://reports/x
            quarkus.datasource.cache.password=a
            quarkus.datasource.cache.jdbc.url=jdbc:h2:mem:cache
            """);
        assertThat(found()).containsExactly("password application.properties:2", "password application.properties:5");
    }

    @Test
    void aThresholdIsNamedByTheKeyOfItsPool() throws IOException {
        file(APPLICATION, "app.orders.hikari: {maximum-pool-size: 5, jdbc-url: 'jdbc:mysql://db/x'}\n");
        assertThat(result().findings())
                .filteredOn(each -> each.rule() == Rule.LEAK_DETECTION)
                .singleElement()
                .satisfies(each ->
                        assertThat(each.instead()).isEqualTo("app.orders.hikari.leak-detection-threshold=60000"));
    }

    /** The second one was left out. */
    @Test
    void eachIgnoredSettingOfALineIsReported() throws IOException {
        file(
                "src/main/webapp/META-INF/context.xml",
                "<Context><Resource type='javax.sql.DataSource' maxActive='50' maxWait='9' removeAbandoned='true'/></Context>");
        assertThat(found())
                .containsExactly(
                        "ignored-setting context.xml:1",
                        "ignored-setting context.xml:1",
                        "ignored-setting context.xml:1");
        Files.delete(project.resolve("src/main/webapp/META-INF/context.xml"));
        file(
                APPLICATION,
                "spring.datasource: {url: 'jdbc:mysql://db/x', max-active: 5, max-wait: 9, password: a, hikari: {password: b}}\n");
        assertThat(found())
                .filteredOn(each -> !each.contains("default") && !each.contains("leak"))
                .containsExactly(
                        "password application.yml:1",
                        "password application.yml:1",
                        "ignored-setting application.yml:1",
                        "ignored-setting application.yml:1");
    }

    /** A size in a file of another program was not read, and so reported as missing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "infra/main.tf|environment { variables = { SIZE = \"20\", LEAKS = 60000 } }",
                "infra/main.tf|env {\n  name = \"SIZE\"\n  value = \"20\"\n}\nenv {\n  name  = \"LEAKS\"\n  value = var.leaks\n}\n",
                "infra/main.tf|environment = [{ name = \"SIZE\", value = tostring(var.size) }, { name = \"LEAKS\", value = \"1\" }]",
                "ecs/task.json|{\"environment\": [{\"value\": \"20\", \"name\": \"SIZE\"}, {\"name\": \"LEAKS\", \"value\": \"1\"}]}",
                "fly.toml|[env]\n  SIZE = \"20\"\n  LEAKS = \"1\"\n",
                "shop.service|[Service]\nEnvironment=SIZE=20\nEnvironment=\"LEAKS=1\"\n",
                "bin2/setenv.sh|export SIZE=20\nexport LEAKS=$THRESHOLD\n",
                "Procfile|web: java -Dspring.datasource.hikari.maximum-pool-size=$SIZE"
                        + " -Dspring.datasource.hikari.leak-detection-threshold=1 -jar a.jar",
                "manifest.yml|applications: [{name: shop, env: {SIZE: 20, LEAKS: 1}}]",
                "app.yaml|runtime: java21\nenv_variables: {SIZE: 20, LEAKS: 1}",
                "stack.yaml|AWSTemplateFormatVersion: 2010-09-09\nResources: {T: {Properties: {ContainerDefinitions: [{Environment:"
                        + " [{Name: SIZE, Value: 20}, {Name: LEAKS, Value: !Ref Leaks}]}]}}}"
            })
    void aSizeInAFileOfAnotherProgramCounts(String file) throws IOException {
        file(APPLICATION, URL);
        int at = file.indexOf('|');
        String text = file.substring(at + 1);
        file(file.substring(0, at), text.replaceAll("\\bSIZE\\b", SIZE).replaceAll("\\bLEAKS\\b", LEAKS));
        assertThat(found()).isEmpty();
        file(file.substring(0, at), "# " + SIZE + "=20\n");
        assertThat(found()).hasSize(2);
    }

    @Test
    void aValueInTerraformIsReadAndAnExpressionIsUnknown() throws IOException {
        file(APPLICATION, URL + "spring.datasource.hikari.maximum-pool-size: 20\n");
        file("infra/main.tf", """
            locals {
              app = {
                SPRING_DATASOURCE_PASSWORD = "hunter2"
                SPRING_DATASOURCE_HIKARI_LEAK_DETECTION_THRESHOLD = "0"
                SPRING_DATASOURCE_HIKARI_MINIMUM_IDLE = "${var.idle}"
              }
            }
            """);
        assertThat(found()).containsExactly("password main.tf:3", "leak-detection main.tf:4");
        file("infra/main.tf", "SPRING_DATASOURCE_PASSWORD = \"${var.p}\"\n" + LEAKS + " = 9000\n");
        assertThat(found()).isEmpty();
        file(
                "infra/main.tf",
                "x = [{ name = \"SPRING_DATASOURCE_PASSWORD\", value = data.p },\n { name = \"" + LEAKS
                        + "\", value = \"9000\" }]\n");
        assertThat(found()).isEmpty();
    }
}
