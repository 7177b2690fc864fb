// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.fleet.FleetReport;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Picture;
import io.flexpool.benchmarks.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The figures and the picture of docs/fleet.md are those of benchmarks/results/fleet. With {@code -Dflexpool.write} the picture is
 * made anew.
 */
class FleetPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path RESULTS = Path.of("results", "fleet");
    private static final Path PICTURE = DOCS.resolve(Path.of("fleet", "sigstop.svg"));
    private static final long MOST_BYTES = 100_000;

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(RESULTS)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    private static FleetReport report(Path file) throws IOException {
        return new ObjectMapper().readValue(file.toFile(), FleetReport.class);
    }

    @Test
    void eachTableStandsOnThePageAndEachFileIsSmallAndNamed() throws IOException {
        String page = Files.readString(DOCS.resolve("fleet.md"));

        assertThat(files()).isNotEmpty().allSatisfy(file -> {
            assertThat(Files.size(file)).isLessThan(MOST_BYTES);
            assertThat(page).contains("](../benchmarks/results/fleet/" + file.getFileName() + ")");
            for (Table table : report(file).tables()) {
                if (!table.rows().isEmpty()) {
                    assertThat(page).contains(table.text().markdown());
                }
            }
        });
    }

    @Test
    void thePictureIsThatOfTheRun() throws IOException {
        Graph run = report(RESULTS.resolve("postgresql.json")).graphs().stream()
                .filter(graph -> graph.title().startsWith("flexpool: sigstop"))
                .findFirst()
                .orElseThrow();
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(PICTURE, Picture.svg(run));
        }

        assertThat(PICTURE).hasContent(Picture.svg(run));
    }
}
