// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads figures back from the text that Prometheus scrapes. */
class PrometheusContractTest extends MetricsContract {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private String text = "";
    private Scrape scrape = Scrape.of(text);

    @Override
    protected MetricsBinder binder() {
        return PrometheusMetrics.into(registry).level(MetricLevel.ALL);
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric.kind()) {
            case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
            // The mean is sum by count.
            case TIMER, DISTRIBUTION -> EnumSet.complementOf(EnumSet.of(Part.VALUE, Part.RECENT_MEAN));
        };
    }

    @Override
    protected OptionalDouble shown(String pool, Figure figure) {
        PoolMetric metric = figure.metric();
        Map<String, String> labels = new TreeMap<>(Map.of("pool", pool));
        String name = metric.conventionName().replace('.', '_');
        switch (metric) {
            case ACQUISITION -> labels.put("outcome", figure.outcome().label());
            case ACTIVE -> labels.put("state", "used");
            case IDLE -> labels.put("state", "idle");
            default -> {
                if (metric.perClass()) {
                    labels.put("class", figure.requestClass());
                }
            }
        }
        boolean timer = metric.kind() == Kind.TIMER;
        String part = figure.part() == Part.COUNT ? "_count" : "_sum";
        return switch (figure.part()) {
            case VALUE -> scrape().value(valueName(metric, name), labels);
            case COUNT, SUM -> scrape().value(timer ? name + "_seconds" + part : name + part + "_total", labels);
            default -> {
                labels.put("quantile", quantile(figure.part()));
                yield scrape().value(name + "_recent" + (timer ? "_seconds" : ""), labels);
            }
        };
    }

    private static String valueName(PoolMetric metric, String name) {
        if (metric.kind() == Kind.COUNTER) {
            return name + "_total";
        }
        return metric.unit() == Unit.NANOSECONDS ? name + "_seconds" : name;
    }

    private static String quantile(Part part) {
        return switch (part) {
            case RECENT_MAX -> "1";
            case RECENT_P50, RECENT_P95, RECENT_P99 ->
                "0." + part.name().toLowerCase(Locale.ROOT).substring(8).replace("50", "5");
            default -> throw new IllegalArgumentException(part.toString());
        };
    }

    @SuppressWarnings("deprecation") // The constructor's replacement is not in the oldest versions.
    private Scrape scrape() {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        try {
            new PrometheusTextFormatWriter(false).write(page, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String now = page.toString(StandardCharsets.UTF_8);
        // Of one page many figures are asked for.
        if (!now.equals(text)) {
            text = now;
            scrape = Scrape.of(now);
        }
        return scrape;
    }

    @Override
    protected OptionalDouble shown(String pool, PartMetric metric) {
        String name = metric.conventionName().replace('.', '_')
                + (metric.unit().equals("s") ? "_seconds" : "")
                + (metric.kind() == Kind.COUNTER ? "_total" : "");
        return scrape().value(name, Map.of("pool", pool));
    }

    /** Each sample with the two lines about its metric. */
    @Override
    protected Set<String> described() {
        scrape();
        Set<String> described = new HashSet<>();
        String about = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("#")) {
                about = line.startsWith("# HELP") ? line : about + " " + line;
            } else {
                described.add(line + " " + about);
            }
        }
        return described;
    }

    @Override
    protected Set<String> registered() {
        return scrape().samples().stream()
                .map(sample -> sample.name() + sample.labels())
                .collect(Collectors.toSet());
    }
}
