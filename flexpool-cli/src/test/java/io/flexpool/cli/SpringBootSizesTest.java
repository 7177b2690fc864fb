// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.yaml.snakeyaml.Yaml;

/**
 * The size that {@code budget} reads of a Deployment is the one that Spring Boot binds to HikariCP with the same files, variables
 * and options, or it is not known: Spring Boot 4.1.1's {@link SpringApplication} and binder, HikariCP 7.1.0, and a manifest that
 * SnakeYAML 2.6 dumps.
 */
class SpringBootSizesTest {
    private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";
    private static final String SIZE = "spring.datasource.hikari.maximum-pool-size";
    private static final int HIKARIS_DEFAULT = 10;

    @TempDir
    private Path folder;

    @BeforeAll
    static void leaveLoggingAlone() {
        System.setProperty(LOGGING, "none");
    }

    @AfterAll
    static void restoreLogging() {
        System.clearProperty(LOGGING);
    }

    /**
     * How a program is started.
     *
     * @param files by their names in the folder of its configuration
     * @param known whether the answer must be known
     */
    private record Start(
            String name,
            Map<String, String> files,
            Map<String, String> variables,
            Map<String, String> properties,
            List<String> arguments,
            boolean known) {
        static Start of(String name) {
            return new Start(
                    name, new TreeMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>(), true);
        }

        Start file(String file, String... lines) {
            files.put(file, String.join("\n", lines) + "\n");
            return this;
        }

        Start variable(String variable, String value) {
            variables.put(variable, value);
            return this;
        }

        Start property(String key, String value) {
            properties.put(key, value);
            return this;
        }

        Start argument(String argument) {
            arguments.add(argument);
            return this;
        }

        Start unknown() {
            return new Start(name, files, variables, properties, arguments, false);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Start> starts() {
        return Stream.of(
                Start.of("nothing but a URL"),
                Start.of("YAML")
                        .file(
                                "application.yml",
                                "spring:",
                                "  datasource:",
                                "    hikari:",
                                "      maximum-pool-size: 23"),
                Start.of("camel case").file("application.yml", "spring.datasource.hikari: {maximumPoolSize: 23}"),
                Start.of("properties")
                        .file("application.properties", "spring.datasource.hikari.maximum_pool_size = 23"),
                Start.of("properties before YAML")
                        .file("application.yml", SIZE + ": 20")
                        .file("application.properties", SIZE + "=30"),
                Start.of("a file of a profile, in a map that is sorted")
                        .file("application-prod.yml", SIZE + ": 44")
                        .file("application.yml", SIZE + ": 5")
                        .variable("SPRING_PROFILES_ACTIVE", "prod"),
                Start.of("YAML of a profile before properties of none")
                        .file("application-prod.yml", SIZE + ": 44")
                        .file("application.properties", SIZE + "=5")
                        .variable("SPRING_PROFILES_ACTIVE", "prod"),
                Start.of("the last profile")
                        .file("application-eu.yml", SIZE + ": 6")
                        .file("application-prod.yml", SIZE + ": 44")
                        .file("application.yml", SIZE + ": 5")
                        .variable("SPRING_PROFILES_ACTIVE", "prod,eu"),
                Start.of("documents")
                        .file(
                                "application.yml",
                                SIZE + ": 5",
                                "---",
                                "spring.config.activate.on-profile: prod",
                                SIZE + ": 31",
                                "---",
                                "spring.config.activate.on-profile: test",
                                SIZE + ": 2")
                        .variable("SPRING_PROFILES_ACTIVE", "prod"),
                Start.of("a list of profiles of a document")
                        .file(
                                "application.yml",
                                SIZE + ": 5",
                                "---",
                                "spring:",
                                "  config:",
                                "    activate:",
                                "      on-profile: [staging, test]",
                                SIZE + ": 31")
                        .variable("SPRING_PROFILES_ACTIVE", "prod"),
                Start.of("documents of properties")
                        .file(
                                "application.properties",
                                SIZE + "=5",
                                "#---",
                                "spring.config.activate.on-profile=prod",
                                SIZE + "=31")
                        .variable("SPRING_PROFILES_ACTIVE", "prod"),
                Start.of("a document of a profile, and a file of it")
                        .file(
                                "application.yml",
                                SIZE + ": 5",
                                "---",
                                "spring.config.activate.on-profile: prod",
                                SIZE + ": 31")
                        .file("application-prod.yml", SIZE + ": 12")
                        .variable("SPRING_PROFILES_ACTIVE", "prod"),
                Start.of("profiles of a file")
                        .file("application.yml", "spring.profiles.active: prod", SIZE + ": 5")
                        .file("application-prod.yml", SIZE + ": 12"),
                Start.of("a list of profiles of a file")
                        .file("application.yml", "spring.profiles.active: [prod, eu]", SIZE + ": 5")
                        .file("application-eu.yml", SIZE + ": 12"),
                Start.of("a group of profiles")
                        .file(
                                "application.yml",
                                "spring.profiles.group.production: [large, metrics]",
                                SIZE + ": 5",
                                "---",
                                "spring.config.activate.on-profile: large",
                                SIZE + ": 60")
                        .variable("SPRING_PROFILES_ACTIVE", "production"),
                Start.of("included profiles")
                        .file("application.yml", "spring.profiles.include: large", SIZE + ": 5")
                        .file("application-large.yml", SIZE + ": 60")
                        .variable("SPRING_PROFILES_ACTIVE", "prod"),
                Start.of("profiles of an option")
                        .file("application.yml", SIZE + ": 5")
                        .file("application-prod.yml", SIZE + ": 12")
                        .argument("--spring.profiles.active=prod"),
                Start.of("profiles of a property")
                        .file("application.yml", SIZE + ": 5")
                        .file("application-prod.yml", SIZE + ": 12")
                        .variable("SPRING_PROFILES_ACTIVE", "test")
                        .property("spring.profiles.active", "prod"),
                Start.of("a document of a cloud")
                        .file(
                                "application.yml",
                                SIZE + ": 5",
                                "---",
                                "spring.config.activate.on-cloud-platform: cloud-foundry",
                                SIZE + ": 31"),
                Start.of("a document of Kubernetes")
                        .file(
                                "application.yml",
                                SIZE + ": 5",
                                "---",
                                "spring.config.activate.on-cloud-platform: kubernetes",
                                SIZE + ": 31"),
                Start.of("a placeholder's default").file("application.yml", SIZE + ": ${DB_POOL_SIZE:17}"),
                Start.of("a placeholder")
                        .file("application.yml", SIZE + ": ${DB_POOL_SIZE:17}")
                        .variable("DB_POOL_SIZE", "9"),
                Start.of("a placeholder of a key, in another spelling")
                        .file("application.yml", "app.db.pool-size: 8", SIZE + ": ${app.db.pool-size:17}")
                        .variable("APP_DB_POOLSIZE", "9"),
                Start.of("a placeholder in a placeholder").file("application.yml", SIZE + ": ${A:${B:${C:4}}}"),
                Start.of("a placeholder with the key's own variable, which is not set")
                        .file("application.yml", SIZE + ": ${SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE:20}"),
                Start.of("a placeholder with the key's own variable")
                        .file("application.yml", SIZE + ": ${SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE:20}")
                        .variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "7"),
                Start.of("a placeholder with the profiles' own variable")
                        .file("application.yml", "spring.profiles.active: ${SPRING_PROFILES_ACTIVE:dev}", SIZE + ": 5")
                        .file("application-dev.yml", SIZE + ": 3")
                        .file("application-prod.yml", SIZE + ": 50"),
                Start.of("a placeholder in the name of a placeholder")
                        .file(
                                "application.yml",
                                "memory.profile: large",
                                "memory.large.pool: 33",
                                "memory.small.pool: 3",
                                SIZE + ": ${memory.${memory.profile:small}.pool:1}"),
                Start.of("a placeholder of a variable below a property")
                        .file("application.yml", SIZE + ": ${DB_POOL}")
                        .variable("DB_POOL", "7")
                        .property("db.pool", "8"),
                Start.of("a placeholder of a key below a variable")
                        .file("application.yml", "db.pool: 6", SIZE + ": ${db.pool}")
                        .variable("DB_POOL", "7"),
                Start.of("a placeholder in capitals of a key")
                        .file("application.yml", "db.pool: 6", SIZE + ": ${DB_POOL:4}"),
                Start.of("camel case in a variable").variable("SPRING_DATASOURCE_HIKARI_maximumPoolSize", "1"),
                Start.of("a variable")
                        .file("application.yml", SIZE + ": 5")
                        .variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "7"),
                Start.of("a variable without dashes")
                        .file("application.yml", SIZE + ": 5")
                        .variable("SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE", "7"),
                Start.of("a property before a variable")
                        .variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "7")
                        .property(SIZE, "8"),
                Start.of("JSON before a property and a variable")
                        .variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "7")
                        .property(SIZE, "8")
                        .variable(
                                "SPRING_APPLICATION_JSON",
                                "{\"spring\":{\"datasource\":{\"hikari\":{\"maximum-pool-size\":9}}}}"),
                Start.of("an option before all")
                        .variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "7")
                        .property(SIZE, "8")
                        .variable("SPRING_APPLICATION_JSON", "{\"spring.datasource.hikari.maximum-pool-size\":9}")
                        .argument("--" + SIZE + "=10"),
                Start.of("octal YAML").file("application.yml", SIZE + ": 010"),
                Start.of("quoted YAML").file("application.yml", SIZE + ": \"12\""),
                Start.of("anchors")
                        .file(
                                "application.yml",
                                "base: &base {maximum-pool-size: 14, minimum-idle: 2}",
                                "spring: {datasource: {hikari: {<<: *base, pool-name: shop}}}"),
                Start.of("an expression of profiles")
                        .file(
                                "application.yml",
                                SIZE + ": 5",
                                "---",
                                "spring.config.activate.on-profile: \"!test\"",
                                SIZE + ": 31")
                        .variable("SPRING_PROFILES_ACTIVE", "prod")
                        .unknown());
    }

    @ParameterizedTest
    @MethodSource("starts")
    void theSizeIsTheOneThatSpringBootBinds(Start start) throws IOException {
        OptionalInt read = read(start);
        if (read.isPresent()) {
            assertThat(read.getAsInt()).as("%s", start.files()).isEqualTo(bound(start));
        }
        assertThat(read.isPresent()).as("known").isEqualTo(start.known());
    }

    /** Combinations by chance: never another size than Spring Boot's. {@code -Dflexpool.sizes.seeds} has more of them. */
    @Test
    void anyCombinationIsSpringBootsOrNotKnown() throws IOException {
        int known = 0;
        int seeds = Integer.getInteger("flexpool.sizes.seeds", 50);
        for (int seed = 0; seed < seeds; seed++) {
            Start start = random(new Random(seed));
            OptionalInt read = read(start);
            if (read.isPresent()) {
                known++;
                assertThat(read.getAsInt())
                        .as(
                                "seed %s: files %s, variables %s, properties %s, arguments %s",
                                seed, start.files(), start.variables(), start.properties(), start.arguments())
                        .isEqualTo(bound(start));
            }
        }
        assertThat(known).isGreaterThan(seeds / 3);
    }

    private static Start random(Random random) {
        Start start = Start.of("random");
        for (String name : List.of(
                "application.yml",
                "application.properties",
                "application-prod.yml",
                "application-eu.properties",
                "application-eu.yml")) {
            if (random.nextBoolean()) {
                start.file(name, document(name, random));
            }
        }
        if (random.nextInt(4) == 0) {
            start.file(
                    "application.properties",
                    one(
                            random,
                            "spring.profiles.include=eu",
                            "spring.profiles.group.prod=eu, other",
                            "spring.profiles.group.prod[0]=eu",
                            "spring.profiles.active=${POOL_PROFILE:eu}"));
        }
        if (random.nextInt(4) > 0) {
            start.variable("SPRING_PROFILES_ACTIVE", one(random, "prod", "eu", "prod,eu", "eu, prod", "other"));
        }
        if (random.nextInt(6) == 0) {
            start.property("spring.profiles.active", one(random, "prod", "eu"));
        }
        if (random.nextInt(6) == 0) {
            start.argument("--spring.profiles.active=" + one(random, "prod", "eu"));
        }
        if (random.nextInt(6) == 0) {
            start.variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", size(random));
        }
        if (random.nextInt(6) == 0) {
            start.property(SIZE, size(random));
        }
        if (random.nextInt(6) == 0) {
            start.argument("--" + SIZE + "=" + size(random));
        }
        if (random.nextInt(6) == 0) {
            start.variable("SPRING_APPLICATION_JSON", "{\"" + SIZE + "\":" + (1 + random.nextInt(90)) + "}");
        }
        if (random.nextBoolean()) {
            start.variable("POOL", String.valueOf(1 + random.nextInt(90)));
        }
        return start;
    }

    private static String document(String file, Random random) {
        boolean yaml = file.endsWith("yml");
        StringBuilder text = new StringBuilder();
        for (int documents = 1 + random.nextInt(3); documents > 0; documents--) {
            String spelled = one(
                    random,
                    SIZE,
                    "spring.datasource.hikari.maximumPoolSize",
                    "spring.datasource.hikari.maximum_pool_size");
            text.append(spelled).append(yaml ? ": " : "=").append(size(random)).append('\n');
            if (file.startsWith("application.") && random.nextInt(3) == 0) {
                text.append("spring.config.activate.on-profile")
                        .append(yaml ? ": '" : "=")
                        .append(one(random, "prod", "eu", "eu,other", "dev", "prod & eu", "!eu"))
                        .append(yaml ? "'" : "")
                        .append('\n');
            } else if (random.nextInt(8) == 0) {
                text.append("spring.config.activate.on-cloud-platform")
                        .append(yaml ? ": " : "=")
                        .append(one(random, "kubernetes", "heroku"))
                        .append('\n');
            }
            if (documents > 1) {
                text.append(yaml ? "---\n" : "#---\n");
            }
        }
        return text.toString();
    }

    private static String size(Random random) {
        String number = String.valueOf(1 + random.nextInt(90));
        return one(random, number, number, "${POOL:" + number + "}", "${NONE:${POOL:" + number + "}}");
    }

    private static String one(Random random, String... of) {
        return of[random.nextInt(of.length)];
    }

    private static Map<String, String> variables(Start start) {
        Map<String, String> all = new LinkedHashMap<>(start.variables());
        all.put("SPRING_DATASOURCE_URL", "jdbc:postgresql://db/shop");
        return all;
    }

    private OptionalInt read(Start start) throws IOException {
        Map<String, String> variables = variables(start);
        StringBuilder options = new StringBuilder();
        start.properties()
                .forEach((key, value) ->
                        options.append(" -D").append(key).append('=').append(value));
        variables.put("JAVA_TOOL_OPTIONS", "-Xmx512m" + options);
        List<Map<String, String>> env = variables.entrySet().stream()
                .map(variable -> Map.of("name", variable.getKey(), "value", variable.getValue()))
                .toList();
        Map<String, Object> container = Map.of(
                "name",
                "app",
                "args",
                start.arguments(),
                "env",
                env,
                "volumeMounts",
                List.of(Map.of("name", "files", "mountPath", "/workspace/config")));
        Map<String, Object> pod = Map.of(
                "containers", List.of(container),
                "volumes", List.of(Map.of("name", "files", "configMap", Map.of("name", "shop"))));
        String manifests = new Yaml()
                .dumpAll(List.of(
                                Map.of(
                                        "kind", "Deployment",
                                        "metadata", Map.of("name", "shop"),
                                        "spec", Map.of("template", Map.of("spec", pod))),
                                Map.of("kind", "ConfigMap", "metadata", Map.of("name", "shop"), "data", start.files()))
                        .iterator());
        Path file = Files.writeString(folder.resolve("manifests.yaml"), manifests);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = FlexpoolCli.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("budget", file.toString(), "--max", "1000", "--json", "-");
        assertThat(code).as("%s", err).isLessThanOrEqualTo(1);
        return code == 1
                ? OptionalInt.empty()
                : OptionalInt.of(new ObjectMapper()
                        .readTree(out.toString())
                        .path("applications")
                        .path(0)
                        .path("connectionsEach")
                        .asInt());
    }

    private int bound(Start start) throws IOException {
        Path config = Files.createTempDirectory(folder, "config");
        for (Map.Entry<String, String> file : start.files().entrySet()) {
            Files.writeString(config.resolve(file.getKey()), file.getValue());
        }
        Map<String, Object> variables = new LinkedHashMap<>(variables(start));
        // As each pod of Kubernetes has them.
        variables.put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        variables.put("KUBERNETES_SERVICE_PORT", "443");
        Map<String, Object> properties = new LinkedHashMap<>(start.properties());
        properties.put("spring.config.location", config.toUri().toString());
        SpringApplication application = new SpringApplication(SpringBootSizesTest.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setEnvironment(new StandardEnvironment() {
            @Override
            protected void customizePropertySources(MutablePropertySources sources) {
                sources.addLast(new MapPropertySource(SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, properties));
                sources.addLast(
                        new SystemEnvironmentPropertySource(SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
            }
        });
        try (ConfigurableApplicationContext context =
                application.run(start.arguments().toArray(String[]::new))) {
            HikariConfig hikari = new HikariConfig();
            Binder.get(context.getEnvironment()).bind("spring.datasource.hikari", Bindable.ofInstance(hikari));
            return hikari.getMaximumPoolSize() < 1 ? HIKARIS_DEFAULT : hikari.getMaximumPoolSize();
        }
    }
}
