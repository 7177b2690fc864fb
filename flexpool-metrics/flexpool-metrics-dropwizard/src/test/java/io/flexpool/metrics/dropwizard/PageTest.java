// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The page about Dropwizard: its code is copied here and runs; its names and keys are the real ones. */
class PageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "metrics", "dropwizard.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "io", "flexpool", "metrics", "dropwizard", "PageTest.java");
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final JdbcDataSource pool = new JdbcDataSource();
    private final JdbcDataSource otherPool = new JdbcDataSource();

    @Test
    void theCodeRuns() throws SQLException {
        pool.setURL("jdbc:h2:mem:dropwizard-page");
        otherPool.setURL("jdbc:h2:mem:dropwizard-page");
        MetricRegistry registry = new MetricRegistry();
        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .metrics(DropwizardMetrics.into(registry))
                .build();
        FlexPoolDataSource invoices = FlexPool.wrap(otherPool)
                .name("invoices")
                .metrics(DropwizardMetrics.create()
                        .logEvery(Duration.ofMinutes(1))
                        .jmx())
                .build();
        orders.getConnection().close();
        invoices.getConnection().close();
        assertThat(registry.getMetrics()).containsKey("flexpool.orders.lease");
        invoices.close();
        orders.close();
    }

    @Test
    void theCodeOfThePageIsThisCode() throws IOException {
        String here = normal(Files.readString(HERE));
        assertThat(CODE.matcher(page()).results().map(block -> normal(block.group(1))))
                .hasSize(2)
                .allSatisfy(block -> assertThat(here).contains(block));
    }

    @Test
    void theNamesAreThoseThatAreRegistered() throws IOException {
        MetricRegistry registry = new MetricRegistry();
        Map<String, String> registered = new TreeMap<>();
        DropwizardMetrics.into(registry).bind(new ScriptedPool("orders"));
        registry.getMetrics()
                .forEach((name, metric) -> registered.put(name.substring("flexpool.orders.".length()), kind(metric)));
        Map<String, String> documented = new TreeMap<>();
        Pattern row = Pattern.compile("\\| (.*) \\| `(Timer|Histogram|Gauge|Counter)` \\|");
        for (MatchResult found : row.matcher(page()).results().toList()) {
            Pattern.compile("`([^`]*)`")
                    .matcher(found.group(1))
                    .results()
                    .forEach(name -> documented.put(name.group(1), found.group(2)));
        }
        assertThat(documented).isEqualTo(registered);
    }

    private static String kind(Metric metric) {
        return metric instanceof Timer
                ? "Timer"
                : metric instanceof Histogram
                        ? "Histogram"
                        : metric instanceof Counter ? "Counter" : metric instanceof Gauge ? "Gauge" : "none";
    }

    @Test
    void theKeysAreThoseOfTheProvider() throws IOException {
        assertThat(Pattern.compile("\\| `flexpool\\.metrics\\.dropwizard\\.([a-z-]+)`")
                        .matcher(page())
                        .results()
                        .map(row -> row.group(1)))
                .containsExactlyElementsOf(new DropwizardProvider()
                        .keys().stream().map(ConfigKey::name).toList());
    }

    @Test
    void theVersionsAreThoseOfTheBuild() throws IOException {
        String own = version(Path.of("pom.xml"), "dropwizard-metrics.oldest");
        String root = version(Path.of("..", "..", "pom.xml"), "dropwizard-metrics.version");
        assertThat(page()).contains("run on " + own + " and " + root + ".");
    }

    private static String version(Path pom, String property) throws IOException {
        return Pattern.compile("<" + Pattern.quote(property) + ">(.*?)<")
                .matcher(Files.readString(pom))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    private static String normal(String code) {
        return code.replaceAll("\\s+", "");
    }
}
