// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ByteArrayResource;

/** docs/reference/spring.md beside the code: its keys and its first steps; the answers of docs/reference/endpoint.md. */
class DocumentTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "spring.md");
    private static final Path ENDPOINT = PAGE.resolveSibling("endpoint.md");

    /** The starter's own. */
    private static final Predicate<String> OF_THE_STARTER = Pattern.compile(
                    "datasources\\.[^.]+\\.(enabled|name)|transaction-deadlines|web\\.unavailable")
            .asMatchPredicate();

    private static final Pattern OF_A_POOL = Pattern.compile("pools\\.[^.]+\\.(.+)");

    /** The row of classes names them. */
    private static final Predicate<String> OF_A_CLASS =
            Pattern.compile("classes\\.[^.]+\\.(guarantee|max|timeout|threads)").asMatchPredicate();

    /** The table in docs/reference/keys.md is tested against the code elsewhere. */
    @Test
    void everyNamedKeyIsKnown() throws IOException {
        Set<String> known = known();
        List<String> named = Pattern.compile("`flexpool\\.([^`=\\s]+)")
                .matcher(Files.readString(PAGE) + Files.readString(ENDPOINT))
                .results()
                .map(match -> match.group(1))
                // Those that stand for many: flexpool.<key>, flexpool.*
                .filter(key -> !key.endsWith(">") && !key.endsWith("*"))
                .toList();
        assertThat(named).hasSizeGreaterThan(8).allSatisfy(key -> assertKnown(key, known));
    }

    /** Keys with a value, in blocks and in sentences. */
    @Test
    void everyKeyThatAHowToSetsIsKnown() throws IOException {
        Set<String> known = known();
        List<String> set = new ArrayList<>();
        try (Stream<Path> pages = Files.list(PAGE.resolveSibling("../how-to"))) {
            for (Path page : pages.toList()) {
                Pattern.compile("\\bflexpool\\.([a-z][\\w.-]*\\w) ?=")
                        .matcher(Files.readString(page))
                        .results()
                        .map(match -> match.group(1))
                        // JUnit's parameters have their own page and test.
                        .filter(key -> !key.startsWith("leases."))
                        .forEach(set::add);
            }
        }
        assertThat(set).hasSizeGreaterThan(20).allSatisfy(key -> assertKnown(key, known));
    }

    /** An example once had a key that every application refused. */
    @Test
    void theExamplesInYamlHaveKnownKeys() throws IOException {
        Set<String> known = known();
        assertThat(blocks(PAGE, "yaml")).isNotEmpty().allSatisfy(block -> {
            YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
            yaml.setResources(new ByteArrayResource(block.getBytes(StandardCharsets.UTF_8)));
            assertThat(Objects.requireNonNull(yaml.getObject()).stringPropertyNames())
                    .isNotEmpty()
                    .allSatisfy(key -> {
                        assertThat(key).startsWith("flexpool.");
                        assertKnown(key.substring("flexpool.".length()), known);
                    });
        });
    }

    /** The keys in the table of docs/reference/keys.md, without their prefix. */
    private static Set<String> known() throws IOException {
        return Pattern.compile("(?m)^\\| `flexpool\\.(\\S+)` \\|")
                .matcher(Files.readString(PAGE.resolveSibling("keys.md")))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static void assertKnown(String key, Set<String> known) {
        String core = OF_A_POOL.matcher(key).replaceFirst("$1");
        assertThat(known.contains(core) || OF_A_CLASS.test(core) || OF_THE_STARTER.test(key))
                .as(key)
                .isTrue();
    }

    /** The example has what the page recommends. */
    @Test
    void theFirstStepsAreTheExamples() throws IOException {
        Properties example = new Properties();
        example.load(Files.newBufferedReader(Path.of("src", "main", "resources", "application.properties")));
        Properties steps = new Properties();
        for (String block : blocks(PAGE, "properties").toList()) {
            steps.load(new StringReader(block));
        }
        assertThat(steps)
                .isNotEmpty()
                .allSatisfy((key, value) -> assertThat(example).containsEntry(key, value));
        String pom = Files.readString(Path.of("pom.xml"));
        assertThat(blocks(PAGE, "xml").findFirst().orElseThrow())
                .contains("<artifactId>flexpool-spring-boot-starter</artifactId>");
        assertThat(pom).contains("<artifactId>flexpool-spring-boot-starter</artifactId>");
    }

    /** The JSON of the page about the endpoint. */
    static List<String> answers() throws IOException {
        return blocks(ENDPOINT, "json").toList();
    }

    /** The blocks of one language, without their fences. */
    private static Stream<String> blocks(Path page, String language) throws IOException {
        return Pattern.compile("(?s)```" + language + "\\n(.*?)```")
                .matcher(Files.readString(page))
                .results()
                .map(match -> match.group(1));
    }
}
