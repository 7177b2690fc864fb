// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.vladmihalcea.flexypool.FlexyPoolDataSource;
import com.vladmihalcea.flexypool.adaptor.HikariCPPoolAdapter;
import com.vladmihalcea.flexypool.metric.dropwizard.DropwizardMetrics;
import com.vladmihalcea.flexypool.metric.micrometer.MicrometerMetrics;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code in docs/how-to/migrate-*.md is that of the programs, and the tables are complete. */
class DocumentTest {
    static final Path PAGES = Path.of("..", "..", "docs", "how-to");

    @ParameterizedTest
    @ValueSource(
            strings = {"migrate-flexypool.md", "migrate-hikaricp.md", "migrate-druid.md", "migrate-datasource-proxy.md"
            })
    void theCodeOfThePageIsThatOfThePrograms(String page) throws IOException {
        String text = Files.readString(PAGES.resolve(page));
        List<String> sources = sources();
        List<String> blocks = blocks(text, "java");
        assertThat(blocks)
                .isNotEmpty()
                .allSatisfy(block -> assertThat(sources)
                        .as("is in a program:%n%s", block)
                        .anyMatch(source -> source.contains(oneLine(block))));
    }

    @Test
    void everyGuideIsTestedHere() throws IOException {
        try (Stream<Path> pages = Files.list(PAGES)) {
            assertThat(pages.map(page -> page.getFileName().toString()).filter(name -> name.startsWith("migrate-")))
                    .containsExactlyInAnyOrder(
                            "migrate-flexypool.md",
                            "migrate-hikaricp.md",
                            "migrate-druid.md",
                            "migrate-datasource-proxy.md");
        }
    }

    /** What an application can name in its code: each public class of FlexyPool has a row. */
    @Test
    void everyPublicClassOfFlexyPoolIsInTheTable() throws Exception {
        Set<String> classes = new TreeSet<>();
        for (Class<?> one : List.of(
                FlexyPoolDataSource.class,
                HikariCPPoolAdapter.class,
                DropwizardMetrics.class,
                MicrometerMetrics.class)) {
            classes.addAll(publicClasses(one));
        }
        assertThat(classes).hasSizeGreaterThan(50);
        String page = Files.readString(PAGES.resolve("migrate-flexypool.md"));
        String table = page.substring(page.indexOf("<!-- classes:"));
        Set<String> named = Pattern.compile("`([A-Z]\\w+)`")
                .matcher(table.lines()
                        .filter(line -> line.startsWith("| "))
                        .map(line -> line.split("\\|", -1)[1])
                        .collect(Collectors.joining("\n")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).isEqualTo(classes);
    }

    private static Set<String> publicClasses(Class<?> ofJar) throws IOException, URISyntaxException {
        File jar = new File(
                ofJar.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (JarFile file = new JarFile(jar)) {
            return file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.contains("$"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(DocumentTest::isPublic)
                    .map(name -> name.substring(name.lastIndexOf('.') + 1))
                    .collect(Collectors.toSet());
        }
    }

    private static boolean isPublic(String name) {
        try {
            Class<?> found = Class.forName(name, false, DocumentTest.class.getClassLoader());
            return java.lang.reflect.Modifier.isPublic(found.getModifiers());
        } catch (ClassNotFoundException | LinkageError absent) {
            throw new IllegalStateException(name, absent);
        }
    }

    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                sources.add(oneLine(Files.readString(file)));
            }
        }
        return sources;
    }

    private static List<String> blocks(String text, String language) {
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** The figures that a page expects of both programs: {@code leases 8, long leases 3}. */
    static Map<String, Long> expectedOn(String page) throws IOException {
        return Pattern.compile("([a-z ]+) (\\d+)(?:, |$)")
                .matcher(blocks(Files.readString(PAGES.resolve(page)), "text")
                        .get(0)
                        .strip())
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> Long.valueOf(found.group(2))));
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
