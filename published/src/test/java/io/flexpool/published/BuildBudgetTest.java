// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The size of the build. A number may fall freely; to raise one needs a reason beside it. */
class BuildBudgetTest {
    private static final Path ROOT = Path.of("..");
    /** 51 with flexpool-session: session state is a part of its own, not a package of core. */
    private static final int POMS = 51;

    private static final int LINES_OF_THE_PARENT = 685;
    private static final int LINES_OF_CI = 300;
    private static final int LINES_OF_THE_BENCHMARKS = 21_640;

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.getFileName().toString().endsWith(ending))
                    .filter(file -> Stream.of("target", ".git", "node_modules")
                            .noneMatch(name -> Stream.iterate(file, Path::getParent)
                                    .takeWhile(path -> path != null)
                                    .anyMatch(path -> path.endsWith(name))))
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }

    private static int lines(List<Path> files) throws IOException {
        int lines = 0;
        for (Path file : files) {
            lines += Files.readAllLines(file).size();
        }
        return lines;
    }

    @Test
    void thePomsAreFew() throws IOException {
        assertThat(files(ROOT, "pom.xml")).hasSizeBetween(30, POMS);
    }

    @Test
    void theParentPomIsShort() throws IOException {
        assertThat(lines(List.of(ROOT.resolve("pom.xml")))).isBetween(100, LINES_OF_THE_PARENT);
    }

    @Test
    void theReleaseNeedsLittleCode() throws IOException {
        assertThat(lines(files(ROOT.resolve(".ci"), ""))).isBetween(100, LINES_OF_CI);
    }

    @Test
    void theBenchmarksAreNoSecondProduct() throws IOException {
        assertThat(lines(files(ROOT.resolve(Path.of("benchmarks", "src", "main")), ".java")))
                .isBetween(5_000, LINES_OF_THE_BENCHMARKS);
    }
}
