// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.monitoring.MetricsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of backends in docs/reference/backends.md and their keys in docs/reference/keys.md, beside the backends. */
class DocumentTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path OVERVIEW =
            ROOT.resolve("docs").resolve("reference").resolve("backends.md");
    private static final String TABLE = "<!-- backends: tested against examples/pools -->";
    private static final int MODULE_CELL = 2;
    private static final int CODE_CELL = 3;
    private static final int PROPERTY_CELL = 4;

    @Test
    void everyLineOfCodeIsInTheExample() throws IOException {
        String example = Files.readString(
                Path.of("src", "main", "java", "io", "flexpool", "examples", "metrics", "EveryBackend.java"));
        List<String> code = cells(CODE_CELL).filter(cell -> !cell.isEmpty()).toList();
        assertThat(code).hasSize((int)
                example.lines().filter(line -> line.contains("        return ")).count());
        assertThat(code)
                .doesNotHaveDuplicates()
                .allSatisfy(line -> assertThat(example).contains("return " + line + ";"));
    }

    @Test
    void everyModuleHasARow() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT.resolve("flexpool-metrics"))) {
            Set<String> names = modules.map(module -> module.getFileName().toString())
                    .filter(name -> name.startsWith("flexpool-metrics-"))
                    .collect(Collectors.toCollection(TreeSet::new));
            names.add("flexpool-core");
            assertThat(new TreeSet<>(cells(MODULE_CELL).toList())).isEqualTo(names);
        }
    }

    @Test
    void everyNameForPropertiesHasARow() throws IOException {
        Set<String> names = new TreeSet<>();
        ServiceLoader.load(MetricsProvider.class)
                .forEach(provider -> names.add("flexpool.metrics = " + provider.name()));
        List<String> documented =
                cells(PROPERTY_CELL).filter(cell -> !cell.isEmpty()).toList();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(names);
    }

    /** All keys there are, the backends' too. */
    @Test
    void everyKeyOfABackendStandsInTheDocumentation() throws IOException {
        List<String> keys = FlexPool.configurationKeys().stream()
                .filter(key -> key.name().startsWith("metrics."))
                .map(key -> "| `flexpool." + key.name() + "` | " + key.fallback() + " | " + key.allowed() + " | "
                        + key.meaning() + " |")
                .toList();
        assertThat(keys).hasSizeGreaterThan(1);
        try (Stream<String> lines =
                Files.lines(ROOT.resolve("docs").resolve("reference").resolve("keys.md"))) {
            assertThat(lines.filter(line -> line.startsWith("| `flexpool.metrics.")))
                    .containsExactlyInAnyOrderElementsOf(keys);
        }
    }

    private static Stream<String> cells(int at) throws IOException {
        return rows().map(row -> row[at].replace("`", ""));
    }

    private static Stream<String[]> rows() throws IOException {
        List<String> lines = Files.readAllLines(OVERVIEW);
        assertThat(lines).contains(TABLE);
        return lines.stream()
                .skip(lines.indexOf(TABLE) + 3L)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split(" *\\| *", -1));
    }
}
