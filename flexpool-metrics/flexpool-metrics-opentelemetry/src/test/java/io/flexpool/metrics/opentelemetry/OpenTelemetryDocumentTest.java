// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PoolMetric;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** OpenTelemetry in docs/reference/backends.md: its examples are those below, its instruments are the real ones. */
class OpenTelemetryDocumentTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    private final InMemoryMetricReader collected = InMemoryMetricReader.create();

    @Test
    void pulling() throws SQLException {
        MetricReader reader = collected;
        DataSource dataSource = h2();
        // begin
        PoolMetricProducer pools = PoolMetricProducer.create();
        SdkMeterProvider meters = SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerMetricProducer(pools)
                .build();
        FlexPoolDataSource pool =
                FlexPool.wrap(dataSource).name("orders").metrics(pools).build();
        // end
        use(pool);
        assertThat(CollectedMetrics.of(collected).names()).isEmpty();
        meters.close();
    }

    @Test
    void pushing() throws SQLException {
        OpenTelemetry openTelemetry = OpenTelemetry.noop();
        DataSource dataSource = h2();
        // begin
        FlexPoolDataSource pool = FlexPool.wrap(dataSource)
                .name("orders")
                .metrics(OpenTelemetryMetrics.into(openTelemetry).spansAbove(Duration.ofMillis(50)))
                .build();
        // end
        use(pool);
    }

    @Test
    void theExamplesAreTheOnesRunHere() throws IOException {
        String source = Files.readString(
                Path.of("src/test/java/io/flexpool/metrics/opentelemetry/OpenTelemetryDocumentTest.java"));
        List<String> ran = Pattern.compile("        // begin\\n(.*?)        // end", Pattern.DOTALL)
                .matcher(source)
                .results()
                .map(example -> example.group(1).replaceAll("(?m)^        ", ""))
                .toList();
        Matcher examples = EXAMPLE.matcher(page());
        assertThat(examples.results().map(example -> example.group(1)).toList())
                .hasSize(2)
                .isEqualTo(ran);
    }

    /** The names are those of the table of metrics, whose test is core's. */
    @Test
    void theInstrumentsAreThoseThatThePageNames() throws IOException {
        String page = page();
        for (PoolMetric metric : PoolMetric.values()) {
            String last = metric.conventionName().replaceFirst(".*\\.", "");
            String form = Conventions.form(metric).name().replace("_", "").toLowerCase(Locale.ROOT);
            String expected = switch (metric.kind()) {
                case TIMER, DISTRIBUTION -> "histogram";
                case COUNTER -> "counter";
                case GAUGE -> page.contains("`" + last + "`") ? "gauge" : "updowncounter";
            };
            assertThat(form).as("%s", metric).isEqualTo(expected);
        }
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../../docs/reference/backends.md"))
                .split("\n## OpenTelemetry\n", -1)[1]
                .split("\n## ", -1)[0];
    }

    private static DataSource h2() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:opentelemetry-document;DB_CLOSE_DELAY=-1");
        return h2;
    }

    private static void use(FlexPoolDataSource pool) throws SQLException {
        try (pool;
                Connection connection = pool.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }
}
