// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java on the pages: what README.md and docs/configuration.md show compiles, and all others have a test that compares. */
@Timeout(60)
class SnippetTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path README = ROOT.resolve("README.md");

    /** Whose code is compared with sources that are compiled there. */
    private static final Map<String, String> COMPARED = Map.ofEntries(
            entry("docs/frameworks.md", "flexpool-frameworks/flexpool-dropwizard"),
            entry("docs/metrics/dropwizard.md", "flexpool-metrics/flexpool-metrics-dropwizard"),
            entry("docs/metrics/micrometer.md", "flexpool-metrics/flexpool-metrics-micrometer"),
            entry("docs/metrics/opentelemetry.md", "flexpool-metrics/flexpool-metrics-opentelemetry"),
            entry("docs/metrics/prometheus.md", "flexpool-metrics/flexpool-metrics-prometheus"),
            entry("docs/metrics/slf4j.md", "flexpool-metrics/flexpool-metrics-slf4j"),
            entry("docs/metrics/jfr.md", "flexpool-metrics/flexpool-metrics-jdk"),
            entry("docs/metrics/jmx.md", "flexpool-metrics/flexpool-metrics-jdk"),
            entry("docs/migrate/flexypool.md", "examples/migrate"),
            entry("docs/migrate/hikaricp-leak-detection.md", "examples/migrate"),
            entry("docs/migrate/druid-monitor.md", "examples/migrate"),
            entry("docs/migrate/datasource-proxy.md", "examples/migrate"),
            entry("docs/pools.md", "examples/pools"),
            entry("docs/testing.md", "flexpool-test/flexpool-junit5"),
            entry("docs/write-an-adapter.md", "examples/own-adapter"));

    @TempDir
    private Path folder;

    @Test
    void everyPageWithJavaIsCompiledHereOrComparedElsewhere() throws Exception {
        List<String> compiled = new ArrayList<>();
        for (Path page : pages()) {
            String name = ROOT.relativize(page).toString().replace('\\', '/');
            List<Snippet> snippets = Snippet.of(page);
            if (COMPARED.containsKey(name)) {
                assertThat(snippets).as(name).isNotEmpty();
                assertThat(tests(COMPARED.get(name)))
                        .as("a test of %s that reads %s", COMPARED.get(name), name)
                        .anyMatch(test -> test.contains("\"" + page.getFileName() + "\"")
                                || test.contains("/" + page.getFileName()));
                continue;
            }
            for (Snippet snippet : snippets) {
                assertThat(snippet.compiled(folder)).as(name).isNotNull();
                compiled.add(name);
            }
        }
        assertThat(compiled).contains("README.md", "docs/configuration.md");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(README, ROOT.resolve("CONTRIBUTING.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> tests(String module) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    /** Else a reader of the README would see a compiler's error, and not this build. */
    @Test
    void aSnippetThatDoesNotCompileIsFound() {
        assertThatThrownBy(() ->
                        new Snippet("Wrong", "class Wrong { io.flexpool.FlexPool.Missing missing; }").compiled(folder))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Missing");
    }

    @Test
    void theReadmesPoolGrowsWhileThreadsWait() throws Exception {
        Method orders = Snippet.of(README).get(0).compiled(folder).getDeclaredMethod("orders", String.class);
        orders.setAccessible(true);
        List<Connection> held = new ArrayList<>();
        try (FlexPoolDataSource pool = (FlexPoolDataSource) orders.invoke(null, "jdbc:h2:mem:readme")) {
            // The sixth is more than the pool's own max.
            for (int each = 0; each < 6; each++) {
                held.add(pool.getConnection());
            }
            assertThat(pool.state().limit()).isGreaterThan(5);
            assertThat(pool.statistics().total().growths()).isEqualTo(1);
            for (Connection one : held) {
                one.close();
            }
        }
    }

    /** The first dependencies that a reader copies are those that this build is tested with. */
    @Test
    void theReadmesVersionsAreThoseOfTheBuild() throws IOException {
        String readme = Files.readString(README);
        String build = Files.readString(ROOT.resolve("pom.xml"));
        Map<String, String> versions = Map.of("HikariCP", "hikaricp", "slf4j-simple", "slf4j");
        versions.forEach((artifact, property) -> {
            String version = one(build, "<" + property + "\\.version>(.*?)<");
            assertThat(readme)
                    .contains("<artifactId>" + artifact + "</artifactId><version>" + version + "</version>")
                    .contains(":" + artifact + ":" + version + "\"");
        });
        String own = one(build, "<artifactId>flexpool-parent</artifactId>\\s*<version>(.*?)<");
        assertThat(Pattern.compile("flexpool-[a-z0-9-]+(?:</artifactId><version>|:)([0-9][^<\"]*)")
                        .matcher(readme)
                        .results()
                        .map(found -> found.group(1)))
                .hasSize(4)
                .containsOnly(own);
    }

    private static String one(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }
}
