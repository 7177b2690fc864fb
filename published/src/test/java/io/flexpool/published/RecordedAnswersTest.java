// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.jdk.JmxMetrics;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keys, metrics, attributes and fields have the names that they had when all features were in core: the answers were recorded before
 * the first one became a part.
 */
class RecordedAnswersTest {
    private static final Path RECORDED = Path.of("src", "test", "resources", "recorded");
    private static final MBeanServer SERVER = MBeanServerFactory.newMBeanServer();

    private static FlexPoolDataSource pool;

    @BeforeAll
    static void wrap() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:recorded");
        config.setMaximumPoolSize(2);
        pool = FlexPool.wrap(new HikariDataSource(config))
                .name("recorded")
                .metrics(JmxMetrics.into(SERVER))
                .properties(Map.of(
                        "flexpool.fleet", "local",
                        "flexpool.fleet.max", "10",
                        "flexpool.fleet.instances-max", "2",
                        "flexpool.server-view", "always"))
                .build();
    }

    @AfterAll
    static void close() {
        pool.close();
    }

    private static List<String> recorded(String file) throws IOException {
        return Files.readAllLines(RECORDED.resolve(file));
    }

    @Test
    void theKeysAreTheSame() throws IOException {
        assertThat(FlexPool.configurationKeys().stream()
                        .filter(key -> !key.name().startsWith("metrics."))
                        .map(key -> key.name() + " " + kind(key.kind().name())))
                .containsExactlyInAnyOrderElementsOf(recorded("keys.txt"));
    }

    private static String kind(String kind) {
        return switch (kind) {
            case "FLAG" -> "switch";
            case "COUNT" -> "number";
            default -> kind.toLowerCase(Locale.ROOT);
        };
    }

    @Test
    void theMetricsAreTheSame() throws IOException {
        Stream<String> core = Arrays.stream(PoolMetric.values())
                .map(metric -> String.join(
                        " ",
                        metric.shortName(),
                        metric.conventionName(),
                        metric.kind().name().toLowerCase(Locale.ROOT),
                        metric.unit().ucum()));
        Stream<String> parts = pool.parts().stream()
                .map(PartView::metrics)
                .flatMap(List::stream)
                .map(RecordedAnswersTest::line);
        assertThat(Stream.concat(core, parts)).containsExactlyInAnyOrderElementsOf(recorded("metrics.txt"));
    }

    private static String line(PartMetric metric) {
        return String.join(
                " ",
                metric.shortName(),
                metric.conventionName(),
                metric.kind().name().toLowerCase(Locale.ROOT),
                metric.unit());
    }

    @Test
    void theAttributesAreTheSame() throws Exception {
        Set<String> attributes = Arrays.stream(SERVER.getMBeanInfo(new ObjectName("flexpool:type=Pool,name=recorded"))
                        .getAttributes())
                .map(MBeanAttributeInfo::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        attributes.remove("Classes");
        assertThat(attributes).containsExactlyElementsOf(recorded("mbean-attributes.txt"));
    }
}
