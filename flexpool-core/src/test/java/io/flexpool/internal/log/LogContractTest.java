// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import static io.flexpool.Eventually.eventually;

import ch.qos.logback.classic.Level;
import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Parses the summary lines like a reader's script. */
class LogContractTest extends MetricsContract {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final String MARK = "a mark";
    private static final Set<PoolMetric> LEFT_OUT_AT_ZERO =
            EnumSet.of(PoolMetric.OLDEST_WAIT, PoolMetric.FOREIGN, PoolMetric.TROUBLE);

    private final Log log = new Log("test.contract.summary");

    @AfterEach
    void detach() {
        log.close();
    }

    @Override
    protected MetricsBinder binder() {
        // Shorter than a key may say.
        return pool -> LoggedPool.begin(pool, Duration.ofNanos(PERIOD_NANOS), 5, "test.contract");
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric) {
            case ACQUISITION, LEASE, CONNECT, CLASS_WAIT ->
                EnumSet.of(Part.COUNT, Part.RECENT_P50, Part.RECENT_P99, Part.RECENT_MAX);
            case ATTEMPT -> EnumSet.noneOf(Part.class);
            default ->
                switch (metric.kind()) {
                    case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
                    case TIMER, DISTRIBUTION -> EnumSet.noneOf(Part.class);
                };
        };
    }

    /** The lines are in whole microseconds. */
    @Override
    protected double precision() {
        return 0.6e-6;
    }

    /** Other numbers have three decimals. */
    @Override
    protected double precision(PoolMetric metric) {
        return metric.unit() == PoolMetric.Unit.RATIO ? 0.6e-3 : precision();
    }

    @Override
    protected OptionalDouble shown(String pool, Figure figure) {
        Map<String, String> parts = periods().getOrDefault(pool, Map.of());
        String value = parts.get(key(figure));
        if (value == null) {
            // A pool that does not report its connections has no idle ones in the line either.
            String reported = figure.metric() == PoolMetric.FOREIGN ? "idle" : "pool";
            return parts.containsKey(reported) && LEFT_OUT_AT_ZERO.contains(figure.metric())
                    ? OptionalDouble.of(0)
                    : OptionalDouble.empty();
        }
        return OptionalDouble.of(number(value));
    }

    @Override
    protected OptionalDouble shown(String pool, PartMetric metric) {
        String value = periods().getOrDefault(pool, Map.of()).get(metric.shortName());
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(number(value));
    }

    /** The place in the line is part of the answer. */
    @Override
    protected Set<String> described() {
        Set<String> described = new TreeSet<>();
        periods().forEach((pool, parts) -> {
            int place = 0;
            for (Map.Entry<String, String> part : parts.entrySet()) {
                described.add(pool + "." + part.getKey() + " " + part.getValue() + " at " + place);
                place++;
            }
        });
        return described;
    }

    private static double number(String value) {
        return value.endsWith("ms")
                ? Double.parseDouble(value.substring(0, value.length() - 2)) / 1000
                : Double.parseDouble(value);
    }

    private static String key(Figure figure) {
        PoolMetric metric = figure.metric();
        String name = metric.perClass() ? metric.shortName(figure.requestClass()) : metric.shortName();
        if (figure.metric() == PoolMetric.ACQUISITION) {
            name += "." + figure.outcome().label();
        }
        return switch (figure.part()) {
            case VALUE, COUNT -> name;
            case RECENT_P50 -> name + ".p50";
            case RECENT_P99 -> name + ".p99";
            case RECENT_MAX -> name + ".max";
            default -> throw new IllegalArgumentException(figure.toString());
        };
    }

    @Override
    protected Set<String> registered() {
        return new TreeSet<>(periods().keySet());
    }

    /**
     * Returns the lines after each current pool has been logged: all share one thread, so when a pool bound here has
     * been logged twice, each other one with the same period has been, too.
     */
    private Map<String, Map<String, String>> periods() {
        MetricsBinder.Binding mark = binder().bind(new ScriptedPool(MARK));
        try {
            // The thread may be writing the line of a pool that has been closed meanwhile, and so may the one that was
            // stopped with the last pool.
            eventually(() -> marks() >= 1 && threads() == 1);
            log.forget();
            eventually(() -> marks() >= 3);
        } finally {
            mark.unbind();
        }
        Map<String, Map<String, String>> byPool = new HashMap<>();
        for (String line : log.lines(Level.INFO)) {
            if (!line.startsWith(quotedMark())) {
                Map<String, String> parts = parts(line);
                byPool.put(String.valueOf(parts.get("pool")), parts);
            }
        }
        return byPool;
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(Schedule.THREAD))
                .count();
    }

    private long marks() {
        return log.lines(Level.INFO).stream()
                .filter(line -> line.startsWith(quotedMark()))
                .count();
    }

    private static String quotedMark() {
        return "pool=\"" + MARK + "\" ";
    }

    private static Map<String, String> parts(String line) {
        Map<String, String> parts = new LinkedHashMap<>();
        for (String part : line.split(" ", -1)) {
            String[] halves = part.split("=", 2);
            parts.put(halves[0], halves[1]);
        }
        return parts;
    }
}
