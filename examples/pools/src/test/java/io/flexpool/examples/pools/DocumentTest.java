// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in docs/reference/pools.md is run by PoolExamplesTest, and its versions are those tested. */
class DocumentTest {
    @Test
    void theJavaOfThePageIsAnExample() throws IOException {
        List<String> sources = examples();
        List<String> blocks = Document.javaBlocks();
        assertThat(blocks).isNotEmpty();
        assertThat(sources).hasSameSizeAs(Document.pools());
        for (String block : blocks) {
            assertThat(sources.stream().anyMatch(source -> has(source, block)))
                    .as("is in an example:%n%s", block)
                    .isTrue();
        }
    }

    private static boolean has(String source, String block) {
        String rest = String.join(
                "\n", block.lines().filter(line -> !line.startsWith("import ")).toList());
        return block.lines().filter(line -> line.startsWith("import ")).allMatch(source::contains)
                && source.contains(oneLine(rest));
    }

    private static List<String> examples() throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
            for (Path file : files.filter(file -> file.toString().endsWith("Example.java"))
                    .toList()) {
                sources.add(oneLine(Files.readString(file)));
            }
        }
        return sources;
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    @Test
    void everyPoolOfTheTableHasItsSettings() throws IOException {
        for (String pool : Document.pools()) {
            if (!pool.equals("any other")) {
                assertThat(Document.text()).as(pool).containsPattern("\n\\| " + pool + "( \\| [^|]+){3} \\|\n");
            }
        }
    }

    @Test
    void theVersionsAreThoseOfTheBuild() throws IOException {
        String root = Files.readString(Path.of("..", "..", "pom.xml"));
        for (String pool : Document.pools()) {
            if (pool.equals("any other")) {
                continue;
            }
            String module = Files.readString(
                    Path.of("..", "..", "flexpool-adapters", "flexpool-adapter-" + Document.module(pool), "pom.xml"));
            List<String> versions = Document.versions(pool);
            assertThat(root).as(pool).contains(".version>" + versions.get(versions.size() - 1) + "</");
            if (module.contains("<pool.oldest>")) {
                assertThat(versions).as(pool).hasSize(2);
                assertThat(module).as(pool).contains("<pool.oldest>" + versions.get(0) + "</pool.oldest>");
            }
        }
    }
}
