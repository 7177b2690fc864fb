// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ByteArrayResource;

/** docs/reference/spring.md beside the code: its keys, its links, its three steps. */
class DocumentTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "spring.md");

    /** The starter's own. */
    private static final Predicate<String> OF_THE_STARTER = Pattern.compile(
                    "datasources\\.[^.]+\\.(enabled|name)|transaction-deadlines|web\\.unavailable")
            .asMatchPredicate();

    private static final Pattern OF_A_POOL = Pattern.compile("pools\\.[^.]+\\.(.+)");

    /** The page lists these two as not accepted. */
    private static final Set<String> NOT_IN_SPRING = Set.of("name", "data-source.jndi-name");

    /** The table in docs/reference/keys.md is tested against the code elsewhere. */
    @Test
    void everyKeyIsNamedAndEveryNamedOneIsKnown() throws IOException {
        Set<String> known = known();
        List<String> named = Pattern.compile("`flexpool\\.([^`=\\s]+)")
                .matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1))
                // Those that stand for many: flexpool.<key>, flexpool.*
                .filter(key -> !key.endsWith(">") && !key.endsWith("*"))
                .toList();
        assertThat(named).hasSizeGreaterThan(15).allSatisfy(key -> assertKnown(key, known));
        known.removeAll(NOT_IN_SPRING);
        assertThat(named).containsAll(known);
    }

    /** An example once had a key that every application refused. */
    @Test
    void theExamplesInYamlHaveKnownKeys() throws IOException {
        Set<String> known = known();
        assertThat(blocks("yaml")).isNotEmpty().allSatisfy(block -> {
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
        assertThat(known.contains(core) || OF_THE_STARTER.test(key)).as(key).isTrue();
    }

    /** The table of FlexyPool's keys says what takes their place, or that nothing does. */
    @Test
    void everyKeyOfFlexyPoolsStarterIsTranslated() throws IOException {
        List<String[]> rows = rowsAfter("<!-- migration: keys of flexpool are tested against the code -->");
        assertThat(rows).hasSize(10).allSatisfy(row -> assertThat(row[3]).matches("none|`flexpool\\..*"));
    }

    /** The example has what the page recommends. */
    @Test
    void theThreeStepsAreTheExamples() throws IOException {
        Properties example = new Properties();
        example.load(Files.newBufferedReader(Path.of("src", "main", "resources", "application.properties")));
        Properties steps = new Properties();
        for (String block : blocks("properties").toList()) {
            steps.load(new StringReader(block));
        }
        assertThat(steps)
                .isNotEmpty()
                .allSatisfy((key, value) -> assertThat(example).containsEntry(key, value));
        String pom = Files.readString(Path.of("pom.xml"));
        assertThat(blocks("xml").findFirst().orElseThrow())
                .contains("<artifactId>flexpool-spring-boot-starter</artifactId>");
        assertThat(pom).contains("<artifactId>flexpool-spring-boot-starter</artifactId>");
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        String page = Files.readString(PAGE);
        Set<String> headings = Pattern.compile("(?m)^#+ (.+)$")
                .matcher(page)
                .results()
                .map(match -> match.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toCollection(TreeSet::new));
        List<MatchResult> links = Pattern.compile("\\]\\(([^)#]*)(#[^)]*)?\\)")
                .matcher(page)
                .results()
                .toList();
        assertThat(links).hasSizeGreaterThan(10).allSatisfy(link -> {
            if (link.group(1).isEmpty()) {
                assertThat(headings).contains(link.group(2).substring(1));
            } else {
                assertThat(PAGE.resolveSibling(link.group(1))).exists();
            }
        });
    }

    /** Of the folder of pictures all or none: they are taken of a page that runs, in a browser. */
    @Test
    void everyPictureIsThereOnceTheyAreTaken() throws IOException {
        List<Path> pictures = Pattern.compile("(?:src|srcset)=\"([^\"]+)\"")
                .matcher(Files.readString(PAGE))
                .results()
                .map(picture -> PAGE.resolveSibling(picture.group(1)))
                .toList();
        assertThat(pictures).hasSize(4);
        Path folder = PAGE.resolveSibling("spring");
        assertThat(pictures).allSatisfy(picture -> {
            assertThat(picture).hasParentRaw(folder);
            assertThat(Files.exists(picture)).as("%s", picture).isEqualTo(Files.isDirectory(folder));
        });
    }

    /** The blocks of one language, without their fences. */
    static Stream<String> blocks(String language) throws IOException {
        return Pattern.compile("(?s)```" + language + "\\n(.*?)```")
                .matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1));
    }

    private static List<String[]> rowsAfter(String mark) throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        assertThat(lines).contains(mark);
        return lines.stream()
                .skip(lines.indexOf(mark) + 3L)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split(" *\\| *", -1))
                .toList();
    }
}
