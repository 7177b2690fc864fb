// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The results of the published scenarios are small, are named in the README above them, and make one page. */
class PublishedResultsTest {
    private static final Path RESULTS = Path.of("results");
    private static final long MOST_BYTES = 100_000;

    @TempDir
    private Path folder;

    private static List<Path> results() throws IOException {
        try (Stream<Path> files = Files.list(RESULTS.resolve("scenarios"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void eachIsSmallAndNamedOnThePage() throws IOException {
        String page = Files.readString(RESULTS.resolve("README.md"));

        assertThat(results()).hasSizeGreaterThan(5).allSatisfy(file -> {
            assertThat(file.toString()).endsWith(".json");
            assertThat(Files.size(file)).isLessThan(MOST_BYTES);
            assertThat(page).contains("](scenarios/" + file.getFileName() + ")");
        });
    }

    @Test
    void onePageIsMadeOfThem() throws IOException {
        Path markdown = folder.resolve("report.md");

        report("--markdown", markdown.toString());

        assertThat(Files.readString(markdown).split("(?m)^## "))
                .hasSize(results().size() + 1);
    }

    @Test
    void publishedAgainEachIsTheSameButForItsGraphs() throws IOException {
        Path published = Files.createDirectory(folder.resolve("published"));

        report("--publish", published.toString());

        assertThat(results())
                .allSatisfy(file -> assertThat(withoutGraphs(published.resolve(file.getFileName())))
                        .isEqualTo(withoutGraphs(file)));
    }

    private static JsonNode withoutGraphs(Path result) throws IOException {
        return ((ObjectNode) new ObjectMapper().readTree(result.toFile())).without("graphs");
    }

    private static void report(String... options) throws IOException {
        Stream<String> results = results().stream().map(Path::toString);
        Run run = Run.of(Stream.of(Stream.of("report"), Stream.of(options), results)
                .flatMap(arguments -> arguments)
                .toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
    }
}
