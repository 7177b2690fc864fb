// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.vladmihalcea.flexypool.config.PropertyLoader.PropertyKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** {@code flexpool migrate}, with the keys of FlexyPool's own class. */
class MigrateTest {
    private static final String SECRET = "s3cr3t-Tiger";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int migrate(String text, String... options) throws IOException {
        Path file = directory.resolve("flexy-pool.properties");
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        String[] arguments = new String[options.length + 2];
        arguments[0] = "migrate";
        arguments[1] = file.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        CommandLine program = FlexpoolCli.commandLine();
        program.setOut(new PrintWriter(out, true));
        program.setErr(new PrintWriter(err, true));
        return program.execute(arguments);
    }

    private Properties written() throws IOException {
        Properties read = new Properties();
        read.load(new StringReader(out.toString()));
        return read;
    }

    @Test
    void theKeysAreThoseOfFlexyPoolsOwnClass() {
        Map<String, String> flexyPools = Arrays.stream(PropertyKey.values())
                .collect(Collectors.toMap(Enum::name, PropertyKey::getKey, (a, b) -> a, LinkedHashMap::new));
        Map<String, String> ours = Arrays.stream(FlexyKey.values())
                .collect(Collectors.toMap(Enum::name, FlexyKey::key, (a, b) -> a, LinkedHashMap::new));
        assertThat(ours).containsExactlyInAnyOrderEntriesOf(flexyPools);
    }

    @ParameterizedTest
    @EnumSource
    void eachKeyAloneIsReportedOnceAndAsKnown(PropertyKey key) throws IOException {
        String name = key == PropertyKey.DATA_SOURCE_PROPERTY ? key.getKey() + "loginTimeout" : key.getKey();
        assertThat(migrate(name + " = 1\n")).as(err.toString()).isZero();
        assertThat(err.toString().lines().map(line -> line.split(": ", 3)).toList())
                .isNotEmpty()
                .allSatisfy(line -> {
                    assertThat(line[0]).isEqualTo(name);
                    assertThat(line[1]).isIn("translated", "not needed", "by hand");
                    assertThat(line[2]).isNotBlank();
                });
    }

    @Test
    void aWholeFileBecomesFlexpools() throws IOException {
        assertThat(migrate("""
            flexy.pool.data.source.unique.name=orders
            flexy.pool.data.source.jndi.name=java:comp/env/jdbc/orders
            flexy.pool.data.source.jndi.lazy.lookup=true
            flexy.pool.adapter.factory=com.acme.HikariCPFactory
            flexy.pool.metrics.reporter.log.millis=90000
            flexy.pool.metrics.reporter.jmx.enable=false
            flexy.pool.time.threshold.connection.acquisition=50
            flexy.pool.time.threshold.connection.lease=1500
            """)).isZero();
        assertThat(written())
                .containsOnly(
                        Map.entry("flexpool.name", "orders"),
                        Map.entry("flexpool.data-source.jndi-name", "java:comp/env/jdbc/orders"),
                        Map.entry("flexpool.metrics", "dropwizard"),
                        Map.entry("flexpool.metrics.dropwizard.log-every", "90s"),
                        Map.entry("flexpool.metrics.dropwizard.jmx", "false"),
                        Map.entry("flexpool.slow-acquisition", "50ms"),
                        Map.entry("flexpool.long-lease", "1500ms"));
        assertThat(err.toString())
                .contains("flexy.pool.adapter.factory: not needed: ", "flexpool-adapter-hikaricp")
                .contains("flexy.pool.data.source.jndi.lazy.lookup: not needed: ");
    }

    /** Without a key FlexyPool logs every five minutes, and its MBeans are there. */
    @Test
    void theDefaultsOfFlexyPoolAreWrittenDown() throws IOException {
        assertThat(migrate("flexy.pool.data.source.unique.name=orders\n")).isZero();
        assertThat(written())
                .containsOnly(
                        Map.entry("flexpool.name", "orders"),
                        Map.entry("flexpool.metrics", "dropwizard"),
                        Map.entry("flexpool.metrics.dropwizard.log-every", "5m"),
                        Map.entry("flexpool.metrics.dropwizard.jmx", "true"));
    }

    @Test
    void micrometersModuleHasNeitherLogNorMBeans() throws IOException {
        assertThat(migrate(
                        "flexy.pool.metrics.reporter.log.millis=90000\nflexy.pool.metrics.reporter.jmx.enable=true\n",
                        "--metrics",
                        "micrometer"))
                .isZero();
        assertThat(written()).containsOnly(Map.entry("flexpool.metrics", "micrometer"));
        assertThat(err.toString().lines()).hasSize(2).allMatch(line -> line.contains(": not needed: "));
    }

    @ParameterizedTest
    @CsvSource({
        "com.vladmihalcea.flexypool.metric.micrometer.MicrometerMetrics, micrometer",
        "com.vladmihalcea.flexypool.metric.dropwizard.DropwizardMetrics, dropwizard",
        "com.acme.OwnMetrics,"
    })
    void theFactorysPackageNamesTheBackend(String factory, String backend) throws IOException {
        assertThat(migrate("flexy.pool.metrics.factory=" + factory + "\n")).isZero();
        assertThat(written().getProperty("flexpool.metrics")).isEqualTo(backend);
        assertThat(err.toString()).contains(backend == null ? ": by hand: " : ": translated: ");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1ms",
        "1, 1ms",
        "60000, 1m",
        "7200000, 2h",
        "86400000, 24h",
        "86400001,",
        "-1,",
        "9223372036854775807,"
    })
    void aThresholdIsWrittenWithinFlexpoolsRange(String millis, String expected) throws IOException {
        assertThat(migrate("flexy.pool.time.threshold.connection.lease=" + millis + "\n"))
                .isZero();
        assertThat(written().getProperty("flexpool.long-lease")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"99,", "100, 100ms", "86400001,", "0,", "-5,"})
    void aLogsPeriodIsWrittenWithinFlexpoolsRange(String millis, String expected) throws IOException {
        assertThat(migrate("flexy.pool.metrics.reporter.log.millis=" + millis + "\n"))
                .isZero();
        assertThat(written().getProperty("flexpool.metrics.dropwizard.log-every"))
                .isEqualTo(expected);
    }

    /** The key of FlexyPool 2, which FlexyPool 3 passes over without a word. */
    @Test
    void anUnknownKeyIsReportedWithTheNearestOne() throws IOException {
        String old = "flexy.pool.time.threshold.connection.acquire";
        assertThat(migrate(old + "=50\n")).isZero();
        assertThat(err.toString())
                .contains(old + ": unknown: ", "nearest key is flexy.pool.time.threshold.connection.acquisition");
        assertThat(written()).doesNotContainKey("flexpool.slow-acquisition");
        assertThat(migrate("flexy.pool.data.source.unique.nam=orders\n")).isZero();
        assertThat(err.toString()).contains("the nearest key is flexy.pool.data.source.unique.name");
    }

    /** A byte order mark, which no reader of the file sees. */
    @Test
    void aNameThatFlexpoolRefusesIsNotTranslated() throws IOException {
        assertThat(migrate("flexy.pool.data.source.unique.name=\\ufefforders\n"))
                .isZero();
        assertThat(err.toString())
                .contains("flexy.pool.data.source.unique.name: by hand: flexpool.name must have 1 to 100");
        assertThat(written()).doesNotContainKey("flexpool.name");
    }

    @Test
    void strictFailsWhereWorkIsLeft() throws IOException {
        assertThat(migrate("flexy.pool.data.source.unique.name=orders\n", "--strict"))
                .isZero();
        assertThat(migrate("flexy.pool.event.listener.resolver=com.acme.Listeners\n", "--strict"))
                .isEqualTo(3);
        assertThat(migrate("flexy.pool.none=1\n", "--strict")).isEqualTo(3);
    }

    /** With the values that it has by default, as SnakeYAML 2.6 writes them. */
    @Test
    void eachKeyOfTheStartersOwnMetadataIsTranslated() throws IOException {
        String starter = "com/github/gavlyukovskiy/boot/jdbc/decorator/flexypool/FlexyPoolProperties.class";
        String jar = Objects.requireNonNull(getClass().getClassLoader().getResource(starter))
                .toString()
                .replace(starter, "");
        Map<String, Object> keys = new TreeMap<>();
        try (InputStream metadata = new URL(jar + "META-INF/spring-configuration-metadata.json").openStream()) {
            new ObjectMapper().readTree(metadata).path("properties").forEach(property -> {
                String key = property.path("name").asText();
                if (key.startsWith("decorator.datasource.flexy-pool.")) {
                    keys.put(key, property.path("defaultValue").asText());
                }
            });
        }
        assertThat(keys).hasSizeGreaterThanOrEqualTo(8);
        Path file = Files.writeString(directory.resolve("application.yml"), new Yaml().dump(keys));
        CommandLine program =
                FlexpoolCli.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        assertThat(program.execute("migrate", file.toString())).isZero();
        assertThat(err.toString()).doesNotContain("unknown");
        assertThat(keys.keySet()).allSatisfy(key -> assertThat(err.toString()).contains(key + ": "));
        assertThat(out.toString())
                .contains(
                        "flexpool.ceiling = 15",
                        "flexpool.grow-on-wait.after = 500ms",
                        "flexpool.slow-acquisition = 50ms");
    }

    @Test
    void aKeyOfAProfileIsNotTranslatedForAll() throws IOException {
        String text = """
            decorator.datasource.flexy-pool.threshold.connection.lease=5
            #---
            spring.config.activate.on-profile=prod
            decorator.datasource.flexy-pool.threshold.connection.lease=9000
            """;
        assertThat(migrate(text, "--strict")).isEqualTo(3);
        assertThat(written().getProperty("flexpool.long-lease")).isEqualTo("5ms");
        assertThat(err.toString()).contains("lease: by hand: flexpool does not translate the profile prod");
    }

    @Test
    void aRefusedValueNamesTheFile() throws IOException {
        assertThat(migrate("flexy.pool.time.threshold.connection.lease=abc\n")).isEqualTo(1);
        assertThat(err.toString()).contains("flexy-pool.properties: flexy.pool.time.threshold.connection.lease = ");
    }

    @Test
    void theStandardInputMayBeYaml() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(
                "decorator: {datasource: {flexy-pool: {threshold: {connection: {lease: 7}}}}}\n"
                        .getBytes(StandardCharsets.UTF_8)));
        try {
            CommandLine program = FlexpoolCli.commandLine().setOut(new PrintWriter(out, true));
            assertThat(program.execute("migrate", "-")).isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(out.toString()).contains("flexpool.long-lease = 7ms");
    }

    @Test
    void keysOfAnotherLibraryAreNone() throws IOException {
        assertThat(migrate("flexypool.size=1\n")).isEqualTo(1);
        assertThat(err.toString()).contains("flexy-pool.properties: has no key of FlexyPool");
    }

    @Test
    void noPasswordIsShown() throws IOException {
        assertThat(migrate("""
            flexy.pool.data.source.class.name=%1$s
            flexy.pool.data.source.property.password=%1$s
            flexy.pool.data.source.property.url=jdbc:postgresql://db/orders?password=%1$s
            flexy.pool.data.source.jndi.nam=ldap://admin:%1$s@directory/orders
            flexy.pool.strategies.factory.resolver=%1$s
            password=%1$s
            """.replace("%1$s", SECRET))).isZero();
        assertThat(migrate("flexy.pool.data.source.jndi.name=ldap://admin:" + SECRET + "@directory/orders\n"))
                .isZero();
        assertThat(migrate("flexy.pool.time.threshold.connection.lease=password=" + SECRET + "\n"))
                .isEqualTo(1);
        assertThat(out.toString() + err).contains("set password on the pool").doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "acquisition"})
    void aValueThatFlexyPoolCannotReadIsRefusedByKey(String threshold) throws IOException {
        assertThat(migrate("flexy.pool.time.threshold.connection." + threshold + "=1s\n"
                        + "flexy.pool.metrics.reporter.log.millis=often\n"))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("flexy.pool.time.threshold.connection." + threshold + " = 1s: must be a whole number")
                .contains("flexy.pool.metrics.reporter.log.millis = often: must be a whole number");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileIsNeverReplacedWithoutForce() throws IOException {
        Path to = directory.resolve("flexpool.properties");
        Files.writeString(to, "mine, and longer than what is written instead of it".repeat(10));
        String one = "flexy.pool.data.source.unique.name=orders\n";
        assertThat(migrate(one, "--out", to.toString())).isEqualTo(1);
        assertThat(err.toString()).contains(to + ": exists already; --force replaces it");
        assertThat(to).content().startsWith("mine");
        assertThat(migrate(one, "--out", to.toString(), "--force")).isZero();
        assertThat(to).content().contains("flexpool.name = orders\n").doesNotContain("mine");
        assertThat(out.toString()).isEmpty();
        Path fresh = directory.resolve("fresh.properties");
        assertThat(migrate(one, "--out", fresh.toString())).isZero();
        assertThat(fresh).content().isEqualTo(Files.readString(to));
    }

    @Test
    void theFileThatIsReadIsNotReplacedEvenWithForce() throws IOException {
        String one = "flexy.pool.data.source.unique.name=orders\n";
        Path same = directory.resolve("flexy-pool.properties");
        assertThat(migrate(one, "--out", same.toString(), "--force")).isEqualTo(2);
        assertThat(same).content().isEqualTo(one);
    }

    @Test
    void whatIsWrongIsRefusedByName() throws IOException {
        assertThat(migrate("", "--metrics", "prometheus")).isEqualTo(2);
        assertThat(err.toString()).contains("--metrics = prometheus: must be dropwizard or micrometer");
        assertThat(migrate("flexy.pool.data.source.unique.name=\\u00zz\n")).isEqualTo(1);
        CommandLine program = FlexpoolCli.commandLine();
        program.setErr(new PrintWriter(err, true));
        assertThat(program.execute("migrate", directory.resolve("none").toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("none: no such file");
    }

    @Test
    void aNameIsReadAsFlexyPoolReadsItAndWrittenInUtf8() throws IOException {
        Path to = directory.resolve("flexpool.properties");
        assertThat(migrate("flexy.pool.data.source.unique.name=auftr\u00e4ge \\\\ 1\n", "--out", to.toString()))
                .isZero();
        Properties read = new Properties();
        read.load(Files.newBufferedReader(to, StandardCharsets.UTF_8));
        assertThat(read.getProperty("flexpool.name")).isEqualTo("auftr\u00e4ge \\ 1");
    }

    /** The page's table has each key once, and the key of flexpool that the program writes. */
    @Test
    void thePageHasEachKey() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        Pattern.compile("(?m)^\\| (`flexy\\.pool\\.[^|]+) \\| (.*?) \\|")
                .matcher(Files.readString(Path.of("..", "docs", "how-to", "migrate-flexypool.md")))
                .results()
                .forEach(row -> Pattern.compile("`([a-z.]+)\\*?`")
                        .matcher(row.group(1))
                        .results()
                        .forEach(key -> assertThat(rows.put(key.group(1), row.group(2)))
                                .as(key.group(1))
                                .isNull()));
        assertThat(rows.keySet())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(PropertyKey.values())
                        .map(PropertyKey::getKey)
                        .toList());
        for (PropertyKey key : PropertyKey.values()) {
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
            String name = key.getKey() + (key.getKey().endsWith(".") ? "url" : "");
            String value = key == PropertyKey.POOL_METRICS_FACTORY
                    ? "com.vladmihalcea.flexypool.metric.dropwizard.Factory"
                    : "1000";
            assertThat(migrate(name + "=" + value)).isZero();
            List<String> translated = err.toString()
                    .lines()
                    .filter(line -> line.startsWith(name + ": translated: "))
                    .map(line -> line.substring((name + ": translated: ").length()))
                    .toList();
            assertThat(rows.get(key.getKey()))
                    .as(key.getKey())
                    .isEqualTo(translated.isEmpty() ? "none" : "`" + translated.get(0) + "`");
        }
    }

    @Test
    void theKeysOfTheStarterAreTranslatedAndTheApplicationsAreLeftAlone() throws IOException {
        assertThat(migrate("""
            server.port=8080
            decorator.datasource.exclude-beans=reports
            decorator.datasource.flexy-pool.acquisition-strategy.increment-pool.max-overgrow-pool-size=15
            decorator.datasource.flexy-pool.acquisition-strategy.increment-pool.timeout-millis=250
            decorator.datasource.flexy-pool.acquisition-strategy.retry.attempts=2
            decorator.datasource.flexyPool.threshold.connection.lease=1000
            decorator.datasource.flexy-pool.threshold.connection.acquire=50
            decorator.datasource.flexy-pool.metrics.reporter.jmx.enabled=true
            decorator.datasource.flexy-pool.metrics.reporter.log.millis=60000
            decorator.datasource.p6spy.logging=slf4j
            """)).isZero();
        assertThat(written())
                .containsOnly(
                        Map.entry("flexpool.ceiling", "15"),
                        Map.entry("flexpool.grow-on-wait.enabled", "true"),
                        Map.entry("flexpool.grow-on-wait.after", "250ms"),
                        Map.entry("flexpool.long-lease", "1000ms"),
                        Map.entry("flexpool.slow-acquisition", "50ms"),
                        Map.entry("flexpool.metrics", "jmx,slf4j"),
                        Map.entry("flexpool.metrics.slf4j.period", "60000ms"),
                        Map.entry("flexpool.datasources.reports.enabled", "false"));
        assertThat(err.toString())
                .contains("retry.attempts: by hand: ")
                .contains("decorator.datasource.p6spy.logging: not needed: ")
                .doesNotContain("server.port");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "server.port=8080\n", "public class Config {}\n", "PK\0\0\1"})
    void aFileWithoutAKeyOfFlexyPoolIsRefused(String text) throws IOException {
        assertThat(migrate(text)).isEqualTo(1);
        assertThat(err.toString()).contains("flexy-pool.properties: ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aControlCharacterOfAValueIsEscaped() throws IOException {
        assertThat(migrate("flexy.pool.data.source.jndi.name = java:/jdbc/a\u008a\u001b[31m\n"))
                .isZero();
        assertThat(out.toString()).contains("java:/jdbc/a\\u008a\\u001b[31m");
        assertThat(written().getProperty("flexpool.data-source.jndi-name")).isEqualTo("java:/jdbc/a\u008a\u001b[31m");
    }
}
