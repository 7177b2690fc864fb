// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.metrics.prometheus.Selector.LabelMatcher;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks each expression of the dashboard and of the alert rules against a scrape of each backend. */
@Tag("micrometer")
class GrafanaTest {
    private static final Path GRAFANA = Path.of("..", "..", "docs", "grafana");
    private static final String EXPR = "expr: ";
    private static final String SERIES = "- series: ";
    /** The labels that Prometheus adds to what it scrapes. */
    private static final String TARGET = "job=~\"\\$job\",instance=~\"\\$instance\",";

    /** The ways of flexpool's figures to Prometheus. */
    enum Way {
        PROMETHEUS,
        MICROMETER,
        MICROMETER_WITH_TIMERS,
        MICROMETER_WITH_PERCENTILE_HISTOGRAMS;

        /** A pool that has never failed: rules and panels must not need what comes only with a failure. */
        Scrape scrape(MetricLevel level) {
            PrometheusRegistry registry = new PrometheusRegistry();
            binder(registry, level)
                    .bind(new ScriptedPool("orders").withoutFailures().withClasses());
            return Scrape.of(Scrape.http(registry, Scrape.TEXT));
        }

        private MetricsBinder binder(PrometheusRegistry registry, MetricLevel level) {
            if (this == PROMETHEUS) {
                return PrometheusMetrics.into(registry).level(level);
            }
            PrometheusMeterRegistry meters =
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
            if (this == MICROMETER_WITH_PERCENTILE_HISTOGRAMS) {
                meters.config().meterFilter(new PercentileHistograms());
            }
            MicrometerMetrics metrics = MicrometerMetrics.into(meters).level(level);
            return this == MICROMETER ? metrics : metrics.histogram();
        }
    }

    private static final class PercentileHistograms implements MeterFilter {
        @Override
        public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
            return DistributionStatisticConfig.builder()
                    .percentilesHistogram(true)
                    .build()
                    .merge(config);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDashboardReadsScrapedSeries(Way way) throws IOException {
        List<String> essential = dashboard(MetricLevel.ESSENTIAL);
        assertThat(essential).hasSizeGreaterThan(15);
        assertAsked(essential, way.scrape(MetricLevel.ESSENTIAL));
        List<String> others = dashboard(MetricLevel.ALL);
        assertThat(others).isNotEmpty();
        assertAsked(others, way.scrape(MetricLevel.ALL));
    }

    @ParameterizedTest
    @EnumSource
    void theAlertsReadScrapedSeries(Way way) throws IOException {
        List<String> expressions = lines("flexpool-alerts.yaml", EXPR);
        assertThat(expressions).hasSize(13);
        assertAsked(expressions, way.scrape(MetricLevel.ESSENTIAL));
    }

    /** A reader of an alert at night needs the place that says what to do. */
    @Test
    void everyAlertHasItsRunbook() throws IOException {
        List<String> alerts = lines("flexpool-alerts.yaml", "- alert: ");
        List<String> runbooks = lines("flexpool-alerts.yaml", "runbook_url: ");
        assertThat(runbooks)
                .containsExactlyElementsOf(alerts.stream()
                        .map(alert -> "docs/how-to/on-call.md#" + alert.toLowerCase(Locale.ROOT))
                        .toList());
        assertThat(lines(GRAFANA.resolveSibling("how-to").resolve("on-call.md"), "## Flexpool"))
                .containsExactlyElementsOf(alerts.stream()
                        .map(alert -> alert.substring("Flexpool".length()))
                        .toList());
    }

    /** Else two applications with a pool of one name are added up. */
    @Test
    void everyPanelShowsTheChosenApplicationOnly() throws IOException {
        JsonNode dashboard = dashboard();
        List<String> expressions = new ArrayList<>();
        panels(dashboard)
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> expressions.add(target.get("expr").asText())));
        dashboard
                .at("/annotations/list")
                .forEach(annotation -> expressions.add(annotation.get("expr").asText()));
        assertThat(expressions).hasSizeGreaterThan(30).allSatisfy(expression -> {
            assertThat(Selector.of(expression))
                    .allSatisfy(selector -> assertThat(selector.matchers())
                            .contains(matcher("job"), matcher("instance"), matcher("pool")));
        });
        assertThat(dashboard.findValuesAsText("definition"))
                .containsExactly(
                        "label_values(db_client_connection_pending_requests, job)",
                        "label_values(db_client_connection_pending_requests{job=~\"$job\"}, instance)",
                        "label_values(db_client_connection_pending_requests{job=~\"$job\",instance=~\"$instance\"},"
                                + " pool)");
    }

    private static LabelMatcher matcher(String label) {
        return new LabelMatcher(label, "=~", "$" + label);
    }

    /** Reader's first look: the state now, in colours. Series that most pools do not have are folded. */
    @Test
    void theDashboardBeginsWithTheStateAndFoldsTheRest() throws IOException {
        List<JsonNode> top = new ArrayList<>();
        dashboard().get("panels").forEach(top::add);
        List<JsonNode> state =
                top.stream().filter(panel -> "stat".equals(type(panel))).toList();
        assertThat(state).hasSize(6).isEqualTo(top.subList(0, 6));
        assertThat(state)
                .allSatisfy(panel -> assertThat(panel.at("/fieldConfig/defaults/thresholds/steps"))
                        .hasSizeGreaterThan(1));
        List<JsonNode> rows =
                top.stream().filter(panel -> "row".equals(type(panel))).toList();
        assertThat(rows).isNotEmpty().allSatisfy(row -> {
            assertThat(row.get("collapsed").asBoolean()).isTrue();
            assertThat(row.get("panels")).isNotEmpty();
        });
        List<String> folded = List.of("flexpool_class_", "flexpool_fleet_", "flexpool_server_");
        assertThat(top)
                .filteredOn(panel -> !"row".equals(type(panel)))
                .allSatisfy(panel -> assertThat(panel.toString()).doesNotContain(folded));
        List<String> ids = panels(dashboard()).stream()
                .map(panel -> panel.get("id").asText())
                .toList();
        assertThat(ids).doesNotHaveDuplicates();
    }

    private static String type(JsonNode panel) {
        return panel.get("type").asText();
    }

    /**
     * promtool computes with these: they must be series as they are scraped, with exactly these labels, because labels
     * decide what is compared.
     */
    @ParameterizedTest
    @EnumSource
    void theSeriesOfTheAlertsOwnTestAreScraped(Way way) throws IOException {
        List<String> series = lines("flexpool-alerts-test.yaml", SERIES);
        assertThat(series).hasSizeGreaterThan(10);
        assertScraped(series, way.scrape(MetricLevel.ESSENTIAL));
    }

    private static void assertScraped(List<String> lines, Scrape scrape) {
        List<String> series = lines.stream()
                .map(line -> line.substring(1, line.length() - 1)
                        .replaceAll("instance=\"\\w+:80\",", "")
                        .replaceAll("pool=\"\\w+\"", "pool=\"orders\""))
                .toList();
        for (String one : series) {
            Selector selector = Selector.of(one).get(0);
            assertThat(scrape.value(selector.name(), selector.exactLabels()))
                    .as(one)
                    .isPresent();
        }
    }

    /** The example for an autoscaler, with the expression that promtool computes with. */
    @ParameterizedTest
    @EnumSource
    void theAutoscalerReadsScrapedSeries(Way way) throws IOException {
        List<String> queries = lines(GRAFANA.resolve("keda-scaledobject.yaml"), "query: ");
        Path computed = GRAFANA.resolve("keda-scaledobject-test.yaml");
        assertThat(queries).hasSize(1);
        assertThat(Set.copyOf(lines(computed, "- " + EXPR))).isEqualTo(Set.copyOf(queries));
        Scrape scrape = way.scrape(MetricLevel.ESSENTIAL);
        assertAsked(queries, scrape);
        assertScraped(lines(computed, SERIES), scrape);
    }

    @Test
    void listedLabelsAreFound() {
        assertThat(Selector.listedLabels("sum by (pool, state) (a) / ignoring(outcome) b and on () c"))
                .containsExactlyInAnyOrder("pool", "state", "outcome");
    }

    @Test
    void selectorsAreFound() {
        assertThat(Selector.of(
                        "sum by (pool) (rate(a_total{pool=~\"$pool\",x!=\"y\"}[$__rate_interval])) / ignoring (state) b"
                                + " > 0.9 and on (pool) c{state=\"used\"} == 0"))
                .extracting(
                        Selector::name,
                        Selector::range,
                        selector -> selector.matchers().size())
                .containsExactly(tuple("a_total", true, 2), tuple("b", false, 0), tuple("c", false, 1));
    }

    private static void assertAsked(List<String> expressions, Scrape scrape) {
        for (String expression : expressions) {
            // Grafana puts the pools chosen there.
            List<Selector> selectors =
                    Selector.of(expression.replaceAll(TARGET, "").replace("$pool", "orders"));
            assertThat(selectors).as(expression).isNotEmpty();
            for (Selector selector : selectors) {
                assertThat(selector.isIn(scrape))
                        .as("%s in %s", selector, expression)
                        .isTrue();
                // A gauge has no rate, but a mean over time.
                if (selector.range() && !expression.contains("_over_time(" + selector.name())) {
                    assertThat(selector.name()).as(expression).matches(".*(_total|_count|_sum|_bucket)");
                }
            }
            assertThat(selectors.stream()
                            .flatMap(selector -> selector.labelsIn(scrape).stream())
                            .collect(Collectors.toSet()))
                    .as("labels that %s groups by or leaves out", expression)
                    .containsAll(Selector.listedLabels(expression).stream()
                            .filter(label -> !label.equals("job"))
                            .toList());
        }
    }

    /** What the dashboard asks for that a level shows: what needs all of them is marked so where it is seen. */
    private static List<String> dashboard(MetricLevel level) throws IOException {
        List<String> expressions = new ArrayList<>();
        for (JsonNode panel : panels(dashboard())) {
            for (JsonNode target : panel.path("targets")) {
                String seen = panel.get("title").asText()
                        + target.path("legendFormat").asText();
                if (seen.contains("level = all") == (level == MetricLevel.ALL)) {
                    expressions.add(target.get("expr").asText());
                }
            }
        }
        if (level == MetricLevel.ESSENTIAL) {
            dashboard()
                    .at("/annotations/list")
                    .forEach(one -> expressions.add(one.get("expr").asText()));
        }
        return expressions;
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper()
                .readTree(GRAFANA.resolve("flexpool-dashboard.json").toFile());
    }

    /** Those in rows too. */
    private static List<JsonNode> panels(JsonNode parent) {
        List<JsonNode> panels = new ArrayList<>();
        for (JsonNode panel : parent.path("panels")) {
            panels.add(panel);
            panels.addAll(panels(panel));
        }
        return panels;
    }

    private static List<String> lines(String file, String key) throws IOException {
        return lines(GRAFANA.resolve(file), key);
    }

    private static List<String> lines(Path file, String key) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(String::strip)
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).strip())
                    .toList();
        }
    }
}
