// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.ProgramRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is reported of a project, and what is not. Most settings are those of public projects, with other names. */
class LintTest {
    private static final String APPLICATION = "src/main/resources/application.yml";
    private static final String WEB_WITH_JPA = """
        <project><dependencies>
        <dependency><artifactId>spring-boot-starter-web</artifactId></dependency>
        <dependency><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>
        </dependencies></project>
        """;
    private static final String QUIET = """
        spring:
          datasource:
            url: jdbc:postgresql://db:5432/orders
            password: ${DB_PASSWORD}
            hikari: {maximum-pool-size: 20, leak-detection-threshold: 60000}
        """;

    @TempDir
    private Path project;

    private void file(String name, String text) throws IOException {
        Path file = project.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private List<String> found(String... options) throws IOException {
        int available = options.length == 0 ? -1 : Integer.parseInt(options[0]);
        List<String> found = new ArrayList<>();
        for (Finding each : Linter.run(project, false, available).findings()) {
            found.add(each.rule().id() + " " + each.file().getFileName() + ":" + each.line());
        }
        return found;
    }

    @Test
    void aPoolWithoutASizeIsReportedAtItsUrl() throws IOException {
        file(APPLICATION, """
            server.port: 8080
            spring:
              datasource:
                url: jdbc:mysql://db.internal:3306/shop?useSSL=false
                username: shop
                password: ${SHOP_PASSWORD}
            """);
        assertThat(found()).containsExactly("pool-size-default application.yml:4", "leak-detection application.yml:4");
    }

    @Test
    void aProjectWithoutFaultsHasNone() throws IOException {
        file(APPLICATION, QUIET);
        assertThat(found()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE"})
    void aSizeInAManifestCounts(String variable) throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db:3306/shop\n");
        file("k8s/shop.yaml", """
            kind: Deployment
            metadata: {name: shop}
            spec: {replicas: 1, template: {spec: {containers: [{env: [{name: NAME, value: "8"}]}]}}}
            """.replace("NAME", variable));
        assertThat(found()).containsExactly("leak-detection application.yml:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.datasource.url: jdbc:h2:mem:shop",
                "spring.datasource.url: jdbc:h2:~/shop",
                "spring.datasource: {url: 'jdbc:mysql://db/x', type: com.alibaba.druid.pool.DruidDataSource}",
                "spring.datasource: {url: 'jdbc:mysql://db/x', druid: {max-active: 20}}",
                "spring.datasource: {jndi-name: java:comp/env/jdbc/shop}",
                "spring: {datasource: {url: 'jdbc:mysql://db/x'}, config: {import: 'configserver:http://c'}}",
                "spring: {datasource: {url: 'jdbc:mysql://db/x'}, autoconfigure.exclude:"
                        + " org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration}",
                "spring: {data.mongodb.uri: 'mongodb://db/x'}"
            })
    void aPoolThatIsNotHikarisOrIsSetElsewhereIsNotJudged(String settings) throws IOException {
        file(APPLICATION, settings + "\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void codeThatMakesAPoolMakesTheSizeUnknown() throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\n");
        file("src/main/java/shop/Config.java", "class Config { HikariDataSource pool() { return null; } }\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void theValuesOfProductionDecide() throws IOException {
        file(APPLICATION, "spring.datasource: {url: 'jdbc:mysql://localhost/x', password: secret}\n");
        file("src/main/resources/application-dev.yml", "spring.datasource.hikari.minimum-idle: 1\n");
        file("src/main/resources/application-docker-prod.yml", """
            spring.datasource:
              url: jdbc:mysql://db/x
              hikari:
                maximum-pool-size: 50
                minimum-idle: 10
                leak-detection-threshold: 0
            """);
        assertThat(found())
                .containsExactly(
                        "minimum-idle application-docker-prod.yml:5", "leak-detection application-docker-prod.yml:6");
    }

    @Test
    void documentsOfAProfileCountForItAlone() throws IOException {
        file(APPLICATION, QUIET + """
            ---
            spring.config.activate.on-profile: prod
            spring.datasource.hikari.minimum-idle: 5
            ---
            spring.config.activate.on-profile: dev
            spring.datasource.hikari.minimum-idle: 1
            """);
        assertThat(found()).containsExactly("minimum-idle application.yml:8");
    }

    @Test
    void sessionsThatStayOpenAreReportedInAWebApplicationWithJpa() throws IOException {
        file(APPLICATION, QUIET);
        assertThat(found()).isEmpty();
        file("pom.xml", WEB_WITH_JPA);
        assertThat(found()).containsExactly("open-in-view application.yml:3", "auto-commit application.yml:3");
        file(APPLICATION, QUIET + "  jpa: {open-in-view: true}\n");
        assertThat(found()).containsExactly("auto-commit application.yml:3", "open-in-view application.yml:6");
        file(APPLICATION, QUIET + "  jpa: {open-in-view: false}\n");
        assertThat(found()).containsExactly("auto-commit application.yml:3");
        file("pom.xml", WEB_WITH_JPA.replace("starter-web<", "starter-webflux<"));
        file(APPLICATION, QUIET);
        assertThat(found()).containsExactly("auto-commit application.yml:3");
    }

    @Test
    void autoCommitNeedsBothSettings() throws IOException {
        file(
                "build.gradle",
                "dependencies { implementation 'org.springframework.boot:spring-boot-starter-data-jpa' }\n");
        String settings = """
            spring.datasource.url=jdbc:postgresql://db/x
            spring.datasource.hikari.maximumPoolSize=8
            spring.datasource.hikari.leakDetectionThreshold=60000
            spring.datasource.hikari.auto-commit=false
            """;
        file("src/main/resources/application.properties", settings);
        assertThat(found()).containsExactly("auto-commit application.properties:4");
        file(
                "src/main/resources/application.properties",
                settings + "spring.jpa.properties.hibernate.connection.provider_disables_autocommit=true\n");
        assertThat(found()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password: hunter2",
                "password: \"hunter2\"",
                "password: hunter2@1",
                "hikari: {password: hunter2, maximum-pool-size: 4, leak-detection-threshold: 60s}"
            })
    void aPasswordIsReportedAndNeverShown(String password) throws IOException {
        file(APPLICATION, "spring.datasource:\n  url: jdbc:mysql://10.1.2.3/x\n  " + password + "\n");
        assertThat(found()).contains("password application.yml:3");
        ProgramRun run = ProgramRun.of("lint", project.toString(), "--json", "-", "--fail-on", "error");
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.out() + run.err()).contains("password").doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password: ${DB_PASSWORD}",
                "password: ${DB_PASSWORD:hunter2}",
                "password: ENC(abcdef)",
                "password: '{cipher}0123'",
                "password: <your password>",
                "password: your_password",
                "password: CHANGE_ME",
                "password: '********'",
                "password: '@db.password@'",
                "password: 请修改密码",
                "password: ",
                "pass: hunter2"
            })
    void aPlaceForAPasswordIsNone(String password) throws IOException {
        file(APPLICATION, QUIET.replace("password: ${DB_PASSWORD}", password));
        assertThat(found()).isEmpty();
    }

    @Test
    void aPasswordOfADevelopersMachineIsNotReported() throws IOException {
        file(APPLICATION, QUIET.replace("//db:5432", "//localhost:5432").replace("${DB_PASSWORD}", "secret"));
        file("src/main/resources/application-local.yml", "spring.datasource.password: secret\n");
        file("src/test/resources/application.yml", "spring.datasource: {url: 'jdbc:mysql://ci/x', password: secret}\n");
        file("docker-compose.yml", "services: {app: {environment: {SPRING_DATASOURCE_PASSWORD: secret}}}\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void passwordsInUrlsAndManifestsAreReported() throws IOException {
        file(APPLICATION, QUIET.replace("/orders", "/orders?user=a&password=hunter2"));
        file("k8s/orders.yaml", """
            kind: Deployment
            metadata: {name: orders}
            spec:
              template: {spec: {containers: [{env: [
                {name: SPRING_DATASOURCE_PASSWORD,
                 value: hunter2}]}]}}
            """);
        assertThat(found()).containsExactly("password orders.yaml:6", "password application.yml:3");
    }

    @Test
    void settingsBesideTheirPlaceAreIgnoredBySpringBoot() throws IOException {
        file("src/main/resources/application.properties", """
            spring.datasource.url=jdbc:mysql://db/x
            spring.datasource.maximumPoolSize=30
            spring.datasource.hikari.maximum-pool-size=30
            spring.datasource.hikari.leak-detection-threshold=1m
            """);
        assertThat(found()).containsExactly("ignored-setting application.properties:2");
    }

    @Test
    void callersThatWaitShorterThanThePoolAreReported() throws IOException {
        file(APPLICATION, QUIET + "  mvc.async.request-timeout: 10s\n");
        assertThat(found()).containsExactly("connection-timeout application.yml:6");
        file(
                APPLICATION,
                QUIET.replace("maximum-pool-size: 20", "maximum-pool-size: 20, connection-timeout: 3000")
                        + "  mvc.async.request-timeout: 10s\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void aServerThatClosesFirstIsReported() throws IOException {
        file(
                APPLICATION,
                QUIET.replace("postgresql://db:5432/orders", "mysql://db/x?sessionVariables=wait_timeout=600"));
        assertThat(found()).containsExactly("max-lifetime application.yml:3");
        file(
                APPLICATION,
                QUIET.replace("postgresql://db:5432/orders", "mysql://db/x?sessionVariables=wait_timeout=28800"));
        assertThat(found()).isEmpty();
    }

    @Test
    void allInstancesAreAddedUp() throws IOException {
        file(APPLICATION, QUIET);
        file("k8s/orders.yaml", "kind: Deployment\nmetadata: {name: orders}\nspec:\n  replicas: 3\n");
        file(
                "k8s/hpa.yaml",
                "kind: HorizontalPodAutoscaler\nspec:\n  scaleTargetRef: {name: orders}\n  maxReplicas: 5\n");
        assertThat(found("100")).isEmpty();
        assertThat(found("99")).containsExactly("max-connections hpa.yaml:4");
        assertThat(Linter.run(project, false, -1).unknown())
                .singleElement()
                .asString()
                .contains("--max-connections");
    }

    @Test
    void chartsHaveInstancesToo() throws IOException {
        file(APPLICATION, QUIET);
        file("chart/orders/values.yaml", "replicaCount: 2\nautoscaling:\n  enabled: true\n  maxReplicas: 6\n");
        file("chart/orders/templates/deployment.yaml", "replicas: {{ .Values.replicaCount }}\n");
        assertThat(found("119")).containsExactly("max-connections values.yaml:4");
        assertThat(Linter.run(project, false, 120).problems()).isEmpty();
    }

    @Test
    void tomcatsAndHibernatesFilesAreRead() throws IOException {
        file("src/main/webapp/META-INF/context.xml", """
            <Context>
              <Resource name="jdbc/a" type="javax.sql.DataSource" maxActive="50" url="jdbc:mysql://db/x"
                        password="hunter2"/>
              <Resource name="jdbc/b" type="javax.sql.DataSource" maxActive="50" url="jdbc:mysql://db/x"
                        factory="org.apache.tomcat.jdbc.pool.DataSourceFactory"/>
            </Context>
            """);
        file("src/main/resources/META-INF/persistence.xml", """
            <persistence>
              <persistence-unit name="a"><properties>
                <property name="hibernate.connection.pool_size" value="20"/>
              </properties></persistence-unit>
              <persistence-unit name="b"><properties>
                <property name="hibernate.connection.pool_size" value="20"/>
                <property name="hibernate.c3p0.max_size" value="20"/>
              </properties></persistence-unit>
            </persistence>
            """);
        assertThat(found())
                .containsExactly(
                        "built-in-pool persistence.xml:3", "ignored-setting context.xml:2", "password context.xml:3");
    }

    @Test
    void aDocumentForDevelopersIsNoProblemWithoutAProductionProfile() throws IOException {
        file(
                APPLICATION,
                QUIET + "---\nspring.config.activate.on-profile: dev\nspring.datasource.hikari.minimum-idle: 1\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void whatIsBelowACommentOfABuildFileIsRead() throws IOException {
        file(APPLICATION, QUIET);
        file("build.gradle", """
            // implementation 'org.springframework.boot:spring-boot-starter-webflux'
            sourceSets { main { exclude '**/*.bak' } }
            repositories { maven { url 'https://repo.internal/' } }
            dependencies {
                implementation 'org.springframework.boot:spring-boot-starter-web' // HTTP
                implementation group: 'org.springframework.boot', name: 'spring-boot-starter-data-jpa'
                /* the end */
            }
            """);
        assertThat(found()).containsExactly("open-in-view application.yml:3", "auto-commit application.yml:3");
        file("build.gradle", "// implementation 'org.springframework.boot:spring-boot-starter-data-jpa'\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void artifactsOfAVersionCatalogAreKnown() throws IOException {
        file(APPLICATION, QUIET);
        file("gradle/libs.versions.toml", """
            [versions]
            boot = "4.1.1"
            [libraries]
            spring-web = { module = "org.springframework.boot:spring-boot-starter-web", version.ref = "boot" }
            spring-data-jpa = { group = "org.springframework.boot", name = "spring-boot-starter-data-jpa" }
            spring-jdbc = "org.springframework.boot:spring-boot-starter-jdbc:4.1.1"
            [bundles]
            served = ["spring-web", "spring-jdbc"]
            """);
        file("build.gradle.kts", "dependencies {\n implementation(libs.bundles.served)\n}\n");
        assertThat(found()).isEmpty();
        file(
                "build.gradle.kts",
                "dependencies {\n implementation(libs.bundles.served)\n implementation(libs.spring.data.jpa)\n}\n");
        assertThat(found()).containsExactly("open-in-view application.yml:3", "auto-commit application.yml:3");
    }

    @Test
    void anExcludedPoolIsNotUsed() throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\n");
        file("pom.xml", """
            <project><dependencies><dependency><artifactId>spring-boot-starter-jdbc</artifactId>
            <exclusions><exclusion><artifactId>tomcat-jdbc</artifactId></exclusion></exclusions>
            </dependency></dependencies></project>
            """);
        assertThat(found()).hasSize(2);
    }

    @Test
    void profilesThatAreIncludedOrGroupedHoldToo() throws IOException {
        file("pom.xml", WEB_WITH_JPA);
        file(APPLICATION, QUIET + "  profiles.group.prod: [common, secrets]\n");
        file("src/main/resources/application-common.yml", "spring.jpa.open-in-view: false\n");
        assertThat(found()).containsExactly("auto-commit application.yml:3");
        file(APPLICATION, QUIET + "  profiles.include: common\n");
        assertThat(found()).containsExactly("auto-commit application.yml:3");
        file(APPLICATION, QUIET);
        assertThat(found()).contains("open-in-view application.yml:3");
    }

    @Test
    void placeholdersOfMavenAreNoErrorInYaml() throws IOException {
        file(APPLICATION, "spring.profiles.active: @profile@\nspring.datasource.url: jdbc:mysql://@db.host@/x\n");
        assertThat(found()).hasSize(2);
        assertThat(Linter.run(project, false, -1).problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.config.import: ['classpath:db.yml']",
                "spring.config.import: 'optional:file:.env[.properties],classpath:db.yml'",
                "spring.cloud.config.uri: http://config"
            })
    void settingsThatAreElsewhereAreUnknown(String setting) throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\n" + setting + "\n");
        assertThat(found()).isEmpty();
        assertThat(Linter.run(project, false, -1).unknown())
                .singleElement()
                .asString()
                .startsWith("whether a pool size is set: ");
    }

    @Test
    void aFileOfVariablesHidesNoSetting() throws IOException {
        file(
                APPLICATION,
                "spring.datasource.url: jdbc:mysql://db/x\nspring.config.import: 'optional:file:.env[.properties]'\n");
        assertThat(found()).hasSize(2);
    }

    @Test
    void whatIsNotJudgedIsNotReportedAsFine() throws IOException {
        assertThat(Linter.run(project, false, -1).unknown())
                .singleElement()
                .asString()
                .contains("no settings");
        file(APPLICATION, "spring.datasource: {url: 'jdbc:mysql://db/x', druid: {max-active: 20}}\n");
        assertThat(Linter.run(project, false, -1).unknown())
                .containsExactly(
                        "whether the settings of the pool are good: lint checks only HikariCP, and they name another pool");
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\n");
        file("src/main/resources/application-prod.yml", "spring: {\n");
        Linter.Result result = Linter.run(project, false, -1);
        assertThat(result.findings()).isEmpty();
        assertThat(result.unknown()).containsExactly("whether a pool size is set: a settings file could not be read");
    }

    @Test
    void sizesOfVariablesAreNotCompared() throws IOException {
        file(APPLICATION, QUIET.replace("20,", "'${SIZE:20}', minimum-idle: '${LEAST:5}',"));
        assertThat(found()).isEmpty();
    }

    @Test
    void aPasswordOfAServerInADevelopmentProfileIsReported() throws IOException {
        file(APPLICATION, QUIET);
        String settings = "spring.datasource:\n  url: jdbc:postgresql://HOST:5432/shop\n  password: hunter2\n";
        for (String host : List.of("db", "192.168.0.2", "10.1.2.3", "172.20.0.2", "shop.local", "xxxx.xxx.com")) {
            file("src/main/resources/application-dev.yml", settings.replace("HOST", host));
            assertThat(found()).as(host).isEmpty();
        }
        for (String host : List.of("shop.eu-west-1.rds.example.com", "8.8.8.8")) {
            file("src/main/resources/application-dev.yml", settings.replace("HOST", host));
            assertThat(found()).as(host).containsExactly("password application-dev.yml:3");
        }
    }

    @Test
    void aCommentSuppressesARuleInItsFile() throws IOException {
        file(
                APPLICATION,
                "# flexpool: ignore pool-size-default, leak-detection\nspring.datasource.url: jdbc:mysql://db/x\n");
        Linter.Result result = Linter.run(project, false, -1);
        assertThat(result.findings()).isEmpty();
        assertThat(result.suppressed()).isEqualTo(2);
        file(APPLICATION, "# flexpool: ignore leak-detecton\nspring.datasource.url: jdbc:mysql://db/x\n");
        assertThat(found()).hasSize(2);
        assertThat(Linter.run(project, false, -1).problems())
                .containsExactly(Path.of(APPLICATION)
                        + ": 'flexpool: ignore leak-detecton' names no rule; the nearest one is leak-detection");
    }

    private static final String SERVICE = """
        package shop;
        @Service
        class Orders {
            private final RestTemplate http; // RestTemplate http = {
            private final Audit audit;
            private final Stock stock;

            @Transactional(timeout = 5)
            public void pay(Order order) {
                log("{");
                send(order);
                audit.write(order);
            }

            private void send(Order order) {
                http.postForObject("http://pay;", order, Void.class);
            }

            public void withoutATransaction() {
                stock.reserve(1);
            }

            @Transactional
            public void later(Order order) {
                CompletableFuture.runAsync(() -> stock.reserve(2));
            }

            @Transactional(propagation = Propagation.NOT_SUPPORTED)
            public void suspended(Order order) {
                stock.reserve(3);
            }

            @Transactional
            public void stock(Order order) {
                stock.reserve(4);
            }

            @Transactional
            @Async
            public void ofAnotherPool(Order order) {
                audit.write(order);
            }
        }
        """;
    private static final String AUDIT = """
        class Audit {
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            public void write(Order order) {
            }
        }
        """;

    @Test
    void transactionsThatWaitForSomethingElseAreReported() throws IOException {
        file(APPLICATION, QUIET + "  jpa.open-in-view: false\n");
        file("pom.xml", WEB_WITH_JPA);
        file("src/main/java/shop/Orders.java", SERVICE);
        assertThat(found()).containsExactly("http-in-transaction Orders.java:16", "auto-commit application.yml:3");
        file("src/main/java/shop/Audit.java", AUDIT);
        file("src/main/java/shop/Stock.java", "@FeignClient(\"stock\")\ninterface Stock {\n void reserve(int n);\n}\n");
        assertThat(found())
                .containsExactly(
                        "nested-transaction Orders.java:12",
                        "http-in-transaction Orders.java:16",
                        "http-in-transaction Orders.java:35",
                        "auto-commit application.yml:3");
        file(APPLICATION, QUIET.replace("20,", "250,") + "  jpa.open-in-view: false\n");
        assertThat(found()).noneMatch(each -> each.startsWith("nested"));
        file(APPLICATION, "spring.datasource.url: jdbc:h2:mem:x\n");
        assertThat(found()).isEmpty();
    }

    @Test
    void transactionsOfKotlinAreRead() throws IOException {
        file(APPLICATION, QUIET);
        file("src/main/kotlin/Orders.kt", """
            @Transactional
            class Orders(private val client: WebClient, private val http: RestClient) {
                fun lazy(id: Long): Mono<String> {
                    return client.get().uri("/$id").retrieve().bodyToMono()
                }

                fun pay(id: Long): String? {
                    return http.get().uri("/$id").retrieve().body<String>()
                }
            }
            """);
        assertThat(found()).containsExactly("http-in-transaction Orders.kt:8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class A { @Transactional void a(",
                "class A { /* @Transactional",
                "@Transactional class A {}}}{{{",
                "a(){}"
            })
    @Timeout(300)
    void brokenSourcesAreNoProblem(String part) throws IOException {
        file(APPLICATION, QUIET);
        file("A.java", "@Transactional class B {" + part.repeat(1_000_000 / part.length()));
        assertThat(found()).isEmpty();
    }

    @Test
    void eachRuleIsFoundByATestAndOnThePage() throws IOException {
        String tests = Files.readString(Path.of("src/test/java/io/flexpool/cli/lint/LintTest.java"));
        String page = Files.readString(Path.of("..", "docs", "reference", "program.md"));
        for (Rule rule : Rule.values()) {
            assertThat(tests).contains('"' + rule.id() + ' ');
            assertThat(page).contains("| `" + rule.id() + "` | " + rule.severity() + " | " + rule.summary() + " |");
            assertThat(rule.why().split("\\. "))
                    .allSatisfy(sentence ->
                            assertThat(sentence.split(" ")).as(sentence).hasSizeLessThanOrEqualTo(25));
            if (rule.page() != null) {
                assertThat(Path.of("..", rule.page())).exists();
            }
        }
    }

    @Test
    void theCodeForCiFollowsTheSeverity() throws IOException {
        file(APPLICATION, QUIET.replace("20,", "20, minimum-idle: 5,"));
        assertThat(ProgramRun.of("lint", project.toString()).code()).isZero();
        assertThat(ProgramRun.of("lint", project.toString(), "--fail-on", "note")
                        .code())
                .isEqualTo(3);
        assertThat(ProgramRun.of("lint", project.toString(), "--fail-on", "never")
                        .code())
                .isZero();
        ProgramRun refused = ProgramRun.of("lint", project.toString(), "--fail-on", "fatal");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--fail-on = fatal: must be one of error, warning, note, never");
        assertThat(ProgramRun.of("lint", project.resolve("none").toString()).code())
                .isEqualTo(2);
    }

    @Test
    void sarifHasWhatCodeHostsNeed() throws IOException {
        file("a b/" + APPLICATION, QUIET.replace("20,", "20, minimum-idle: 5,"));
        ProgramRun run = ProgramRun.of("lint", project.toString(), "--sarif", "-");
        JsonNode root = new ObjectMapper().readTree(run.out());
        assertThat(root.path("version").asText()).isEqualTo("2.1.0");
        JsonNode of = root.path("runs").path(0);
        assertThat(of.at("/tool/driver/rules")).hasSize(Rule.values().length);
        JsonNode result = of.at("/results/0");
        assertThat(result.path("ruleId").asText()).isEqualTo("minimum-idle");
        assertThat(of.at("/tool/driver/rules/" + result.path("ruleIndex").asInt() + "/id")
                        .asText())
                .isEqualTo("minimum-idle");
        assertThat(result.path("level").asText()).isEqualTo("note");
        assertThat(result.at("/message/text").asText()).contains("5 is less than maximum-pool-size 20");
        assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri")
                        .asText())
                .isEqualTo("a%20b/src/main/resources/application.yml");
        assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uriBaseId")
                        .asText())
                .isEqualTo("%SRCROOT%");
        assertThat(of.at("/originalUriBaseIds/%SRCROOT%").isObject()).isTrue();
        assertThat(result.at("/locations/0/physicalLocation/region/startLine").asInt())
                .isEqualTo(5);
    }

    @Test
    void filesOfSarifAreBelowTheRootOfTheRepository() throws IOException {
        file("a:b/c%20d/\u00e4 \ud83d\ude00#?/application.yml", QUIET.replace("20,", "20, minimum-idle: 5,"));
        String uri = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
        Path below = project.resolve("a:b");
        ProgramRun alone = ProgramRun.of("lint", below.toString(), "--sarif", "-");
        String inside = "c%2520d/%C3%A4%20%F0%9F%98%80%23%3F/application.yml";
        assertThat(new ObjectMapper().readTree(alone.out()).at(uri).asText()).isEqualTo(inside);
        Files.createDirectory(project.resolve(".git"));
        ProgramRun run = ProgramRun.of("lint", below.toString(), "--sarif", "-");
        assertThat(new ObjectMapper().readTree(run.out()).at(uri).asText()).isEqualTo("a%3Ab/" + inside);
    }

    @Test
    void whatWasNotReadOrJudgedIsInSarif() throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\nspring.config.import: 'classpath:db.yml'\n");
        file("b/" + APPLICATION, "a: [\n");
        ProgramRun run = ProgramRun.of("lint", project.toString(), "--sarif", "-");
        JsonNode invocation = new ObjectMapper().readTree(run.out()).at("/runs/0/invocations/0");
        assertThat(invocation.path("executionSuccessful").asBoolean()).isFalse();
        assertThat(invocation.path("toolExecutionNotifications"))
                .extracting(each -> each.path("level").asText())
                .containsExactly("error", "note");
    }

    @Test
    void aFileThatCannotBeReadDoesNotHideTheOthers() throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\n");
        String bomb = """
            a: &a [x,x,x,x,x,x,x,x,x]
            b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
            c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
            d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]
            e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]
            f: [*e,*e,*e,*e,*e,*e,*e,*e,*e]
            """;
        file("b/" + APPLICATION, bomb);
        file("c/" + APPLICATION, "a: &a\n  b: *a\n");
        file("d/" + APPLICATION, "a: [\n");
        file("e/" + APPLICATION, "{{- if .Values.a }}\na: 1\n{{- end }}\n");
        file("f/" + APPLICATION, "a: " + "[".repeat(5_000) + "\n");
        file("h/context.xml", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/hostname\">]><Context>&b;</Context>");
        file("i/application.properties", "spring.datasource.url=\\uZZZZ\n");
        Path binary = project.resolve("g/" + APPLICATION);
        Files.createDirectories(binary.getParent());
        Files.write(binary, new byte[] {1, 0, 2});
        Files.write(
                Files.createDirectories(project.resolve("j")).resolve("application.yml"),
                "a: \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(Files.createDirectories(project.resolve("k")).resolve("application.yml"), new byte[(4 << 20) + 1]);
        Files.createSymbolicLink(project.resolve("loop"), project);
        file("l/" + APPLICATION, "spring:\n\tdatasource:\n");
        file("m/" + APPLICATION, "url: {{ .Values.url }}\n");
        file("n/" + APPLICATION, "---\na: 1\n".repeat(100_001));
        file("o/application.properties", "a=b\n".repeat(100_001));
        file("p/" + APPLICATION, "a: &a\n  <<: *a\n");
        Linter.Result result = Linter.run(project, false, -1);
        assertThat(result.findings()).hasSize(2);
        for (String name : Arrays.asList("b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p")) {
            assertThat(result.problems())
                    .as(name)
                    .filteredOn(problem -> problem.startsWith(name + "/"))
                    .hasSize(1);
        }
        ProgramRun run = ProgramRun.of("lint", project.toString(), "--fail-on", "never");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("e/" + APPLICATION + ": line 1: is a template");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<project><!-- ", "<exclusions>", "<artifactId> "})
    @Timeout(300)
    void buildFilesWithoutEndsAreRead(String part) throws IOException {
        file("pom.xml", part.repeat(20_000));
        file("build.gradle", "/* '\"".repeat(30_000));
        file("build.gradle.kts", "libs.a.".repeat(30_000));
        file("gradle/libs.versions.toml", "a = { module\nb = [".repeat(6_000));
        file(APPLICATION, QUIET);
        Linter.Result result = Linter.run(project, false, -1);
        assertThat(result.problems()).isEmpty();
        assertThat(result.files()).isEqualTo(5);
    }

    @Test
    void linksAreNotFollowedAndReported() throws IOException {
        file("settings/common.yml", "spring.datasource.hikari.maximum-pool-size: 20\n");
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\n");
        Files.createSymbolicLink(
                project.resolve("src/main/resources/application-prod.yml"), project.resolve("settings/common.yml"));
        Linter.Result result = Linter.run(project, false, -1);
        assertThat(result.findings()).isEmpty();
        assertThat(result.unknown())
                .containsExactly(
                        "the settings of src/main/resources/application-prod.yml: only regular files are read, and no link"
                                + " is followed",
                        "whether a pool size is set: a settings file could not be read");
    }

    @Test
    void aChartThatMaySetThePoolMakesItsSizeUnknown() throws IOException {
        file(APPLICATION, "spring.datasource.url: jdbc:mysql://db/x\n");
        file(
                "chart/templates/a.yaml",
                "{{- if .Values.pool }}\n- name: SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE\n{{- end }}\n");
        assertThat(found()).isEmpty();
        assertThat(Linter.run(project, false, -1).unknown())
                .contains(
                        "the settings of chart/templates/a.yaml: line 1: is a template, which must be rendered first");
    }

    @Test
    void defaultsOfNestedPlaceholdersHold() throws IOException {
        file(APPLICATION, QUIET.replace("60000", "'${LEAKS:${FLEX_LEAKS:0}}'"));
        assertThat(found()).containsExactly("leak-detection application.yml:5");
        file(APPLICATION, QUIET.replace("60000", "'${LEAKS:${FLEX_LEAKS}}'"));
        assertThat(found()).isEmpty();
    }

    @Test
    void whatIsMergedHoldsBehindWhatIsSet() throws IOException {
        file(APPLICATION, """
            a: &a {maximum-pool-size: 20, leak-detection-threshold: 60000}
            b: &b {maximum-pool-size: 5, minimum-idle: 5}
            spring.datasource:
              url: jdbc:mysql://db/x
              hikari: {maximum-pool-size: 30, <<: [*b, *a]}
            """);
        assertThat(found()).containsExactly("minimum-idle application.yml:2");
    }

    @Test
    void unicodeEscapesOfPropertiesAreRead() throws IOException {
        file("application.properties", """
            spring.datasource.url=jdbc\\u003amysql://db/x
            spring.datasource.hikari.max\\u0069mum-pool-size=\\u0032\\u0030
            """);
        assertThat(found()).containsExactly("leak-detection application.properties:1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        src/main/resources/application.yml | 'spring.datasource.url: jdbc:mysql://db/x # flexpool: ignore pool-size-default,leak-detection'
        application.properties | '! flexpool: ignore pool-size-default, leak-detection\nspring.datasource.url=jdbc:mysql://db/x'
        context.xml | '<Context><!-- flexpool: ignore password --><Resource type="javax.sql.DataSource" password="hunter2"/></Context>'
        Dockerfile | '# flexpool: ignore pool-size-default, leak-detection\nENV SPRING_DATASOURCE_URL=jdbc:mysql://db/x'
        k8s/a.yaml | '# flexpool: ignore pool-size-default, leak-detection\nkind: Deployment\nspec: {env: [{name: SPRING_DATASOURCE_URL, value: "jdbc:mysql://db/x"}]}'
        """)
    void eachFormOfACommentSuppresses(String name, String text) throws IOException {
        file(APPLICATION, "spring.application.name: shop\n");
        file(name, text.replace("\\n", "\n"));
        Linter.Result result = Linter.run(project, false, -1);
        assertThat(result.findings()).isEmpty();
        assertThat(result.suppressed()).isPositive();
        file(name, text.replace("\\n", "\n").replace("flexpool: ignore", "flexpool ignores"));
        assertThat(found()).isNotEmpty();
    }

    @Test
    void otherEncodingsOfPropertiesAreRead() throws IOException {
        Path file = project.resolve("application.properties");
        Files.write(
                file, "# \u00e4\r\nspring.datasource.url=jdbc:mysql://db/x\r\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(found())
                .containsExactly(
                        "pool-size-default application.properties:2", "leak-detection application.properties:2");
        Files.writeString(file, "spring.datasource.url=\\\n  jdbc:mysql://db/x\n");
        assertThat(found())
                .containsExactly(
                        "pool-size-default application.properties:1", "leak-detection application.properties:1");
    }
}
