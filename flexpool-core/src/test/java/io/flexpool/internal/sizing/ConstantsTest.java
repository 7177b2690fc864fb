// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each constant of the controller has its reason, and its value stands beside the results of other values. */
class ConstantsTest {
    private static final Path SOURCES = Path.of("src/main/java/io/flexpool/internal/sizing");
    /** Units, and what keeps a logarithm finite. */
    private static final Set<String> NO_FIGURES = Set.of("NANOS", "MS", "NAN", "NEVER", "Rate.HALF");
    /** Names of another class's constant. */
    private static final Set<String> SAME = Set.of("EpisodeTracker.SECOND", "Signals.SECOND");

    @Test
    void theResultsOfOtherValuesAreOfTheseValues() throws Exception {
        List<String> documented = Files.readAllLines(Path.of("../benchmarks/results/simulation.md")).stream()
                .filter(line -> line.matches("\\| `[A-Z]\\w+\\.[A-Z_]+` .*"))
                .map(line -> line.replaceAll("^\\| `([^`]+)` \\| ([^ ]+) .*", "$1 = $2"))
                .toList();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(constants());
    }

    @Test
    void eachConstantHasItsReason() throws Exception {
        for (String constant : constants()) {
            String[] name = constant.split("[. ]", -1);
            String source = Files.readString(SOURCES.resolve(name[0] + ".java"));
            assertThat(source).as(constant).containsPattern("\\*/\\R    [a-z ]*static final \\w+ " + name[1] + " =");
        }
    }

    private static List<String> constants() throws IOException, ReflectiveOperationException {
        List<String> constants = new ArrayList<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file :
                    files.filter(path -> !path.endsWith("package-info.java")).toList()) {
                String simple = file.getFileName().toString().replace(".java", "");
                for (Field field :
                        Class.forName("io.flexpool.internal.sizing." + simple).getDeclaredFields()) {
                    String name = simple + "." + field.getName();
                    boolean figure = Modifier.isStatic(field.getModifiers())
                            && field.getType().isPrimitive()
                            && !field.isSynthetic()
                            && !NO_FIGURES.contains(field.getName())
                            && !NO_FIGURES.contains(name)
                            && !SAME.contains(name);
                    if (figure) {
                        field.setAccessible(true);
                        constants.add(
                                name + " = " + String.valueOf(field.get(null)).replaceAll("\\.0$", ""));
                    }
                }
            }
        }
        return constants;
    }
}
