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
import io.flexpool.pool.AcquisitionOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Dropwizard in the page of backends: its code is copied here and runs; the names of the table of metrics are the real ones. */
class PageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "backends.md");
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
                .hasSize(1)
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
        Pattern row = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| `[a-z._]+` \\| ([a-z]+) \\|");
        for (MatchResult found : row.matcher(Files.readString(PAGE.resolveSibling("metrics.md")))
                .results()
                .toList()) {
            String kind = found.group(2).equals("distribution") ? "Histogram" : capitalized(found.group(2));
            if (found.group(1).equals("acquisition")) {
                for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                    documented.put("acquisition." + outcome.name().toLowerCase(Locale.ROOT), kind);
                }
            } else if (!found.group(1).startsWith("class.")) { // the pool of this test has no classes
                documented.put(found.group(1), kind);
            }
        }
        assertThat(documented).isEqualTo(registered);
    }

    private static String capitalized(String kind) {
        return kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
    }

    private static String kind(Metric metric) {
        return metric instanceof Timer
                ? "Timer"
                : metric instanceof Histogram
                        ? "Histogram"
                        : metric instanceof Counter ? "Counter" : metric instanceof Gauge ? "Gauge" : "none";
    }

    @Test
    void theVersionsAreThoseOfTheBuild() throws IOException {
        String own = version(Path.of("pom.xml"), "dropwizard-metrics.oldest");
        String root = version(Path.of("..", "..", "pom.xml"), "dropwizard-metrics.version");
        assertThat(Files.readString(PAGE)).contains("(" + own + ", " + root + ")");
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
        return Files.readString(PAGE).split("\n## Dropwizard Metrics\n", -1)[1].split("\n## ", -1)[0];
    }

    private static String normal(String code) {
        return code.replaceAll("\\s+", "");
    }
}
