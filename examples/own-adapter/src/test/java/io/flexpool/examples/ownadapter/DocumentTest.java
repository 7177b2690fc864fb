// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in docs/how-to/write-an-adapter.md and docs/reference/adapter-spi.md is compiled and tested here. */
class DocumentTest {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final List<Path> DOCUMENTS =
            List.of(DOCS.resolve("how-to/write-an-adapter.md"), DOCS.resolve("reference/adapter-spi.md"));

    @Test
    void everyBlockOfJavaIsInASourceOfThisModule() throws IOException {
        List<String> blocks = blocks("java");
        assertThat(blocks).hasSizeGreaterThan(5);
        List<String> sources = sources();
        for (String block : blocks) {
            assertThat(sources.stream().anyMatch(source -> source.contains(block)))
                    .as("is in a source: %s", block)
                    .isTrue();
        }
    }

    @Test
    void theConfigurationOfJUnitIsThisModules() throws IOException {
        assertThat(blocks("xml"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(oneLine(Files.readString(Path.of("pom.xml"))))
                        .contains(block));
    }

    /** Older ones say that no test was run. */
    @Test
    void theVersionOfSurefireIsTheOneThatTheBuildUses() throws IOException {
        Pattern version = Pattern.compile("<artifactId>maven-surefire-plugin</artifactId>\\s*<version>(.*?)<");
        MatchResult plugin = version.matcher(Files.readString(Path.of("..", "..", "pom.xml")))
                .results()
                .findFirst()
                .orElseThrow();
        assertThat(text()).contains("Surefire " + plugin.group(1) + " or newer");
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(text())
                .results()
                .map((MatchResult found) -> oneLine(found.group(1)))
                .toList();
    }

    private static String text() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path document : DOCUMENTS) {
            text.append(Files.readString(document));
        }
        return text.toString();
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            List<String> texts = new ArrayList<>();
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                texts.add(oneLine(Files.readString(file)));
            }
            return texts;
        }
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
