// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PoolMetricTest {
    @Test
    void theDocumentedTableIsThisEnum() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "metrics", "README.md"));
        int begin = lines.indexOf("<!-- metrics: tested against PoolMetric -->");
        List<String> table = lines.stream()
                .skip(begin + 3L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(table)
                .containsExactlyElementsOf(Arrays.stream(PoolMetric.values())
                        .map(PoolMetricTest::row)
                        .toList());
    }

    private static String row(PoolMetric metric) {
        return String.format(
                Locale.ROOT,
                "| `%s` | `%s` | %s | %s | %s |",
                metric.shortName(),
                metric.conventionName(),
                metric.kind().name().toLowerCase(Locale.ROOT),
                metric.unit().name().toLowerCase(Locale.ROOT),
                metric.meaning());
    }

    @Test
    void namesAreUniqueWhereTheyMustBe() {
        assertThat(Arrays.stream(PoolMetric.values()).map(PoolMetric::shortName))
                .doesNotHaveDuplicates();
    }
}
