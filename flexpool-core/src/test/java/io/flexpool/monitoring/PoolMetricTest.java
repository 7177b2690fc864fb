// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.pool.AcquisitionOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PoolMetricTest {
    /** With {@code -Dflexpool.write} it writes the table. */
    @Test
    void theDocumentedTableIsThisEnum() throws IOException {
        Path page = Path.of("..", "docs", "reference", "metrics.md");
        List<String> lines = Files.readAllLines(page);
        int begin = lines.indexOf("<!-- metrics: tested against PoolMetric -->") + 3;
        List<String> table = lines.stream()
                .skip(begin)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        List<String> expected =
                Arrays.stream(PoolMetric.values()).map(PoolMetricTest::row).toList();
        if (Boolean.getBoolean("flexpool.write")) {
            List<String> renewed = new ArrayList<>(lines.subList(0, begin));
            renewed.addAll(expected);
            renewed.addAll(lines.subList(begin + table.size(), lines.size()));
            Files.write(page, renewed);
        } else {
            assertThat(table).isEqualTo(expected);
        }
    }

    private static String row(PoolMetric metric) {
        return String.format(
                Locale.ROOT,
                "| `%s` | `%s` | %s | %s |",
                metric.shortName(),
                metric.conventionName(),
                metric.kind().name().toLowerCase(Locale.ROOT),
                metric.meaning());
    }

    /** It threw for those of classes. */
    @Test
    void aLoopOverAllReadsEachByItsKind() {
        FakePool fake = new FakePool();
        FakePool other = new FakePool();
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                        .adapter(fake)
                        .set("base", 4)
                        .set("classes", "web, batch")
                        .set("classes.web.guarantee", 0.5)
                        .set("classes.web.max", 3)
                        .set("classes.batch.guarantee", 0.25)
                        .set("classes.batch.max", 1)
                        .build();
                FlexPoolDataSource plain =
                        FlexPool.wrap(other.dataSource).adapter(other).build()) {
            for (PoolMetric metric : PoolMetric.values()) {
                for (FlexPoolDataSource each : List.of(pool, plain)) {
                    PoolReading reading = PoolReading.of(each);
                    switch (metric.kind()) {
                        case COUNTER -> assertThat(reading.counter(metric)).isNotNegative();
                        case GAUGE ->
                            assertThat(reading.gauge(metric)).as("%s", metric).satisfies(value -> {});
                        case TIMER ->
                            assertThat(reading.statistics().total().durations(metric, AcquisitionOutcome.OK))
                                    .isNotNull();
                        case DISTRIBUTION ->
                            assertThat(reading.statistics().total().numbers(metric))
                                    .isNotNull();
                    }
                }
            }
            assertThat(PoolReading.of(pool).gauge(PoolMetric.CLASS_MAX)).isEqualTo(4);
            assertThat(PoolReading.of(pool).gauge(PoolMetric.CLASS_GUARANTEED)).isEqualTo(3);
            assertThat(PoolReading.of(pool).gauge(PoolMetric.CLASS_USED)).isZero();
            assertThat(PoolReading.of(plain).gauge(PoolMetric.CLASS_USED)).isNaN();
        }
    }

    @Test
    void namesAreUniqueWhereTheyMustBe() {
        assertThat(Arrays.stream(PoolMetric.values()).map(PoolMetric::shortName))
                .doesNotHaveDuplicates();
    }
}
