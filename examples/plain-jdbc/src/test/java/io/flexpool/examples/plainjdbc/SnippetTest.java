// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.monitoring.PoolMetric;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java on the pages: what README.md and docs/reference/keys.md show compiles, and all others have a test that compares. */
@Timeout(300)
class SnippetTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path README = ROOT.resolve("README.md");

    /** Whose code is compared with sources that are compiled there. */
    private static final Map<String, String> COMPARED = Map.ofEntries(
            entry("docs/reference/frameworks.md", "flexpool-frameworks/flexpool-dropwizard"),
            entry("docs/reference/backends.md", "flexpool-metrics"),
            entry("docs/how-to/migrate-flexypool.md", "examples/migrate"),
            entry("docs/how-to/migrate-hikaricp.md", "examples/migrate"),
            entry("docs/how-to/migrate-druid.md", "examples/migrate"),
            entry("docs/how-to/migrate-datasource-proxy.md", "examples/migrate"),
            entry("docs/reference/pools.md", "examples/pools"),
            entry("docs/how-to/find-leaks-in-tests.md", "flexpool-test/flexpool-junit5"),
            entry("docs/how-to/batch-beside-interactive.md", "examples/plain-jdbc"),
            entry("docs/how-to/several-instances.md", "examples/plain-jdbc"),
            entry("docs/how-to/warm-up-and-drain.md", "examples/plain-jdbc"),
            entry("docs/how-to/grow.md", "examples/plain-jdbc"),
            entry("docs/how-to/find-holders.md", "examples/plain-jdbc"),
            entry("docs/how-to/stop-a-retry-storm.md", "examples/plain-jdbc"),
            entry("docs/how-to/remove.md", "examples/plain-jdbc"),
            entry("docs/how-to/write-a-part.md", "examples/own-adapter"),
            entry("docs/how-to/write-an-adapter.md", "examples/own-adapter"),
            entry("docs/reference/adapter-spi.md", "examples/own-adapter"));

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
        assertThat(compiled).contains("README.md", "docs/reference/keys.md");
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
        try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().replace('\\', '/').contains("/src/test/"))
                    .toList()) {
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
    void theTutorialsPoolGrowsWhileThreadsWait() throws Exception {
        Method run = Snippet.of(ROOT.resolve("docs/tutorial/plain-java.md"))
                .get(1)
                .compiled(folder)
                .getDeclaredMethod("run", DataSource.class);
        run.setAccessible(true);
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:mem:tutorial");
        hikari.setMaximumPoolSize(2);
        run.invoke(null, hikari);
        List<Connection> held = new ArrayList<>();
        try (FlexPoolDataSource pool = OpenPools.list().stream()
                .filter(one -> one.name().equals("orders"))
                .findFirst()
                .orElseThrow()) {
            // The third is more than the pool's own max.
            for (int each = 0; each < 3; each++) {
                held.add(pool.getConnection());
            }
            assertThat(pool.state().limit()).isGreaterThan(2);
            assertThat(pool.statistics().total().counter(PoolMetric.GROWTHS)).isEqualTo(1);
            for (Connection one : held) {
                one.close();
            }
        }
    }

    /** A block that has none is copied, and Maven answers that the version is missing. */
    @Test
    void everyDependencyOnAPageIsOfTheVersionsOfThisBuild() throws IOException {
        String build = Files.readString(ROOT.resolve("pom.xml"));
        Map<String, String> versions = Map.of(
                "com.zaxxer:HikariCP", "hikaricp",
                "com.h2database:h2", "h2",
                "org.slf4j:slf4j-simple", "slf4j",
                "org.slf4j:slf4j-jdk14", "slf4j");
        String own = one(build, "<artifactId>flexpool-parent</artifactId>\\s*<version>(.*?)<");
        List<String> wrong = new ArrayList<>();
        int found = 0;
        for (Path page : pages()) {
            for (String dependency : dependencies(Files.readString(page))) {
                String name = dependency.substring(0, dependency.lastIndexOf(':'));
                String expected = name.startsWith("io.flexpool:")
                        ? own
                        : one(build, "<" + versions.getOrDefault(name, "unknown") + "\\.version>(.*?)<");
                found++;
                if (!dependency.equals(name + ":" + expected)) {
                    wrong.add(ROOT.relativize(page) + ": " + dependency);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(found).isGreaterThanOrEqualTo(10);
    }

    /** As {@code group:artifact:version}, with a dash where one is missing. What a Gradle platform manages is left out. */
    private static List<String> dependencies(String page) {
        List<String> all = new ArrayList<>();
        for (String block : page.split("<dependency>", -1)) {
            if (block.contains("</dependency>")) {
                all.add(Stream.of("groupId", "artifactId", "version")
                        .map(tag -> block.contains("<" + tag + ">") ? one(block, "<" + tag + ">(.*?)<") : "-")
                        .collect(Collectors.joining(":")));
            }
        }
        boolean platform = page.contains("implementation(platform(");
        Pattern.compile("(?:mplementation|untimeOnly)\\((?:platform\\()?\"([^\"]+)\"")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .map(one -> one.split(":", -1).length == 3 ? one : one + ":-")
                .filter(one -> !platform || !one.endsWith(":-"))
                .forEach(all::add);
        return all;
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
