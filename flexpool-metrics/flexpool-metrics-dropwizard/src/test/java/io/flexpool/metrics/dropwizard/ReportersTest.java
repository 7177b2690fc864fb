// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.codahale.metrics.ConsoleReporter;
import com.codahale.metrics.CsvReporter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Slf4jReporter;
import com.codahale.metrics.jmx.JmxReporter;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.metrics.tck.ScriptedPool.Averages;
import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.pool.AcquisitionOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * The output of Dropwizard's own reporters: every figure and attribute, in milliseconds and per second. Reporters that
 * were not started are not closed: 4.2.0 reports once more then.
 */
class ReportersTest {
    private static final String PREFIX = "flexpool.orders.";
    private static final double NANOS_PER_MILLI = 1e6;
    /** A minute in which 1,500 of each were added. */
    private static final Rates LATELY =
            new Averages(25, 25 * (1 - Math.exp(-1)), 25 * (1 - Math.exp(-1 / 5.0)), 25 * (1 - Math.exp(-1 / 15.0)));

    private final AtomicLong clock = new AtomicLong(1);
    private final ScriptedPool pool = new ScriptedPool("orders").withoutParts();
    private final MetricRegistry registry = new MetricRegistry();

    @BeforeEach
    void register() {
        RatedReadings readings = new RatedReadings(pool, clock::get);
        PoolMetrics.of(pool, readings).forEach((name, metric) -> registry.register(PREFIX + name, metric));
        pool.times(25);
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
    }

    @Test
    void theConsoleShowsEverything() {
        String text = console();
        Map<String, Map<String, Double>> shown = new TreeMap<>();
        Map<String, Double> figures = new HashMap<>();
        for (String line : text.lines().toList()) {
            String[] parts = line.strip().split(" (?:=|<=) ", 2);
            if (line.startsWith(PREFIX)) {
                figures = new HashMap<>();
                shown.put(line, figures);
            } else if (parts.length == 2) {
                figures.put(attribute(parts[0].strip()), number(parts[1].split(" ", 2)[0]));
            }
        }
        assertThat(text).contains("calls/second", "milliseconds");
        isAll(shown, 0.005);
    }

    private String console() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        ConsoleReporter.forRegistry(registry)
                .outputTo(print)
                .formattedFor(Locale.ROOT)
                .build()
                .report();
        return out.toString(StandardCharsets.UTF_8);
    }

    /** The console's terms in the other reporters' form. */
    private static String attribute(String word) {
        return switch (word) {
            case "mean rate" -> "mean_rate";
            case "1-minute rate" -> "m1_rate";
            case "5-minute rate" -> "m5_rate";
            case "15-minute rate" -> "m15_rate";
            case "median" -> "p50";
            default -> word.endsWith("%") ? "p" + word.replaceAll("[.%]", "") : word;
        };
    }

    @Test
    void theFilesShowEverything(@TempDir Path directory) throws IOException {
        CsvReporter.forRegistry(registry)
                .formatFor(Locale.ROOT)
                .build(directory.toFile())
                .report();
        Map<String, Map<String, Double>> shown = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                List<String> lines = Files.readAllLines(file);
                assertThat(lines).hasSize(2);
                String[] header = lines.get(0).split(",", -1);
                String[] values = lines.get(1).split(",", -1);
                assertThat(values).hasSameSizeAs(header);
                Map<String, Double> figures = new HashMap<>();
                for (int at = 1; at < header.length; at++) {
                    figures.put(header[at], number(values[at]));
                }
                shown.put(file.getFileName().toString().replaceAll("\\.csv$", ""), figures);
            }
        }
        isAll(shown, 1e-6);
    }

    @Test
    void theLogShowsEverything() {
        Map<String, Map<String, Double>> shown = new TreeMap<>();
        for (String line : log()) {
            Map<String, Double> figures = new HashMap<>();
            String name = "";
            for (String part : line.split(", ", -1)) {
                String[] entry = part.split("=", 2);
                if (entry[0].equals("name")) {
                    name = entry[1];
                } else {
                    figures.put(entry[0], number(entry[1]));
                }
            }
            shown.put(name, figures);
        }
        isAll(shown, 1e-6);
    }

    private List<String> log() {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        Logger logger = (Logger) LoggerFactory.getLogger("reporters-test");
        logger.addAppender(appender);
        Slf4jReporter.forRegistry(registry).outputTo(logger).build().report();
        logger.detachAppender(appender);
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void jmxShowsEverything() throws JMException {
        MBeanServer server = MBeanServerFactory.newMBeanServer();
        Map<String, Map<String, Double>> shown = new TreeMap<>();
        try (JmxReporter reporter =
                JmxReporter.forRegistry(registry).registerWith(server).build()) {
            reporter.start();
            for (ObjectName name : server.queryNames(null, null)) {
                if (name.getDomain().equals("metrics")) {
                    shown.put(name.getKeyProperty("name"), attributes(server, name));
                }
            }
        }
        isAll(shown, 1e-6);
    }

    private static Map<String, Double> attributes(MBeanServer server, ObjectName name) throws JMException {
        String[] names = Stream.of(server.getMBeanInfo(name).getAttributes())
                .map(MBeanAttributeInfo::getName)
                .toArray(String[]::new);
        Map<String, Double> figures = new HashMap<>();
        for (Attribute attribute : server.getAttributes(name, names).asList()) {
            String shortened = switch (attribute.getName()) {
                case "MeanRate" -> "mean_rate";
                case "OneMinuteRate" -> "m1_rate";
                case "FiveMinuteRate" -> "m5_rate";
                case "FifteenMinuteRate" -> "m15_rate";
                default ->
                    attribute
                            .getName()
                            .replaceAll("^(\\d+)thPercentile$", "p$1")
                            .toLowerCase(Locale.ROOT);
            };
            figures.put(shortened, number(String.valueOf(attribute.getValue())));
        }
        return figures;
    }

    /** A gauge that the pool does not report is null, and every reporter copes with it. */
    @Test
    void unreportedFiguresAreNullEverywhere(@TempDir Path directory) throws IOException {
        pool.tellsNothing();
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(console()).containsPattern("flexpool\\.orders\\.idle\\s+value = null\\s");
        assertThat(log()).hasSize(registry.getMetrics().size()).anyMatch(line -> line.endsWith("idle, value=null"));
        CsvReporter.forRegistry(registry).build(directory.toFile()).report();
        assertThat(Files.readAllLines(directory.resolve("flexpool.orders.idle.csv")))
                .last()
                .asString()
                .endsWith(",null");
    }

    /** NaN if it is not a number. */
    private static double number(String text) {
        return text.matches("-?[0-9.]+(E-?[0-9]+)?") ? Double.parseDouble(text) : Double.NaN;
    }

    /** Compares everything: no figure is missing, none is invented. */
    private void isAll(Map<String, Map<String, Double>> shown, double rounding) {
        Map<String, Map<String, Double>> expected = expected();
        assertThat(shown).containsOnlyKeys(expected.keySet());
        expected.forEach((name, figures) -> {
            Map<String, Double> found = shown.getOrDefault(name, Map.of());
            figures.forEach((attribute, value) -> assertThat(found.getOrDefault(attribute, Double.NaN))
                    .as("%s of %s", attribute, name)
                    .isCloseTo(value, offset(rounding + 1e-9 * value)));
        });
    }

    private Map<String, Map<String, Double>> expected() {
        PoolReading reading = PoolReading.of(pool);
        Map<String, Map<String, Double>> expected = new TreeMap<>();
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric.perClass()) {
                continue;
            }
            String name = PREFIX + metric.shortName();
            switch (metric.kind()) {
                case COUNTER -> expected.put(name, Map.of("count", (double) reading.counter(metric)));
                case GAUGE -> expected.put(name, Map.of("value", reading.gauge(metric)));
                case DISTRIBUTION -> expected.put(name, numbers(metric, reading));
                case TIMER -> {
                    if (metric == PoolMetric.ACQUISITION) {
                        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                            expected.put(name + "." + outcome.label(), durations(metric, outcome, reading));
                        }
                    } else {
                        expected.put(name, durations(metric, AcquisitionOutcome.OK, reading));
                    }
                }
            }
        }
        return expected;
    }

    private static Map<String, Double> numbers(PoolMetric metric, PoolReading reading) {
        CountDistribution recent = reading.statistics().recent().numbers(metric);
        Map<String, Double> figures = new HashMap<>();
        percentiles().forEach((name, quantile) -> figures.put(name, (double) recent.percentile(quantile)));
        figures.put("max", (double) recent.max());
        figures.put("mean", recent.mean());
        figures.put("stddev", recent.stdDev());
        figures.put(
                "count", (double) reading.statistics().total().numbers(metric).count());
        return figures;
    }

    private static Map<String, Double> durations(PoolMetric metric, AcquisitionOutcome outcome, PoolReading reading) {
        HistogramSnapshot recent = reading.statistics().recent().durations(metric, outcome);
        Map<String, Double> figures = new HashMap<>();
        percentiles()
                .forEach((name, quantile) -> figures.put(name, recent.percentileNanos(quantile) / NANOS_PER_MILLI));
        figures.put("min", recent.minNanos() / NANOS_PER_MILLI);
        figures.put("max", recent.maxNanos() / NANOS_PER_MILLI);
        figures.put("mean", recent.meanNanos() / NANOS_PER_MILLI);
        figures.put("stddev", recent.stdDevNanos() / NANOS_PER_MILLI);
        figures.put("count", (double)
                reading.statistics().total().durations(metric, outcome).count());
        Rates rates = switch (metric) {
            case LEASE -> ScriptedPool.LEASE_RATES;
            case CONNECT -> LATELY;
            default -> outcome == AcquisitionOutcome.OK ? ScriptedPool.ACQUISITION_RATES : LATELY;
        };
        figures.put("mean_rate", rates.mean());
        figures.put("m1_rate", rates.oneMinute());
        figures.put("m5_rate", rates.fiveMinutes());
        figures.put("m15_rate", rates.fifteenMinutes());
        return figures;
    }

    private static Map<String, Double> percentiles() {
        return Map.of("min", 0.0, "p50", 0.5, "p75", 0.75, "p95", 0.95, "p98", 0.98, "p99", 0.99, "p999", 0.999);
    }
}
