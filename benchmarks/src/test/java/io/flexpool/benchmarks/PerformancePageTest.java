// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every table of results/performance.md stands beside the command that makes its figures, and beside the figures. */
class PerformancePageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = Path.of("results", "performance.md");
    private static final Pattern FILE = Pattern.compile("(benchmarks/results/performance/[a-z-]+\\.json)");
    /** A cell of a table with a figure in it. */
    private static final Pattern FIGURES = Pattern.compile("(?m)^\\|.*\\| *[-−*×]*\\d[\\d,.–]*[*]* *\\|");

    private static final long MOST_BYTES = 100_000;

    private static List<String> sections() throws IOException {
        return Stream.of(Files.readString(PAGE).split("(?m)^## ")).skip(1).toList();
    }

    private static Set<String> files(String text) {
        return FILE.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void sectionsWithFiguresNameTheirCommand() throws IOException {
        List<String> withFigures = sections().stream()
                .filter(section -> FIGURES.matcher(section).find())
                .toList();

        assertThat(withFigures).hasSizeGreaterThanOrEqualTo(7);
        assertThat(withFigures)
                .allSatisfy(section -> assertThat(files(section))
                        .as("files of '%s'", section.lines().findFirst().orElse(""))
                        .isNotEmpty());
    }

    @Test
    void theFilesAreThereAndSmall() throws IOException {
        assertThat(files(Files.readString(PAGE))).allSatisfy(name -> {
            Path file = ROOT.resolve(name);
            assertThat(file).isRegularFile();
            assertThat(Files.size(file)).isLessThan(MOST_BYTES);
            assertThat(new ObjectMapper().readTree(file.toFile())).isNotEmpty();
        });
    }
}
