// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Unit;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A pool in one line of {@code key=value} parts separated by spaces, in a stable format: keys are
 * {@link PoolMetric#shortName()}, durations are milliseconds with at most three decimals and the suffix {@code ms}.
 *
 * <p>The order is that of an incident's analysis: how full the pool is, what went wrong, how long requests wait, how
 * long connections are used, what flexpool did, and the rest. Omits figures that the pool does not report, and figures
 * that are 0: counters and durations since the pool was wrapped, the oldest wait, foreign connections. Counts start
 * when the pool was wrapped; {@code p50}, {@code p99} and {@code max} are of the last minute.
 */
final class Summary {
    private static final List<PoolMetric> ORDER = List.of(
            PoolMetric.ACTIVE,
            PoolMetric.LIMIT,
            PoolMetric.PENDING,
            PoolMetric.SATURATION,
            PoolMetric.OLDEST_WAIT,
            PoolMetric.FOREIGN,
            PoolMetric.CLASS_USED,
            PoolMetric.CLASS_MAX,
            PoolMetric.CLASS_GUARANTEED,
            PoolMetric.CLASS_WAITING,
            PoolMetric.CLASS_TIMEOUTS,
            PoolMetric.CLASS_SHED,
            PoolMetric.CLASS_WAIT,
            PoolMetric.TIMEOUTS,
            PoolMetric.CONNECT_FAILURES,
            PoolMetric.LEAKS_SUSPECTED,
            PoolMetric.REFUSED_GROWTHS,
            PoolMetric.NESTED_ACQUISITIONS,
            PoolMetric.ACQUISITION,
            PoolMetric.LEASE,
            PoolMetric.CONNECT,
            PoolMetric.GROWTHS,
            PoolMetric.SHRINKS,
            PoolMetric.ACTIVE_MEAN,
            PoolMetric.ACTIVE_PEAK,
            PoolMetric.PENDING_PEAK,
            PoolMetric.SCALE_OUT_HELPS,
            PoolMetric.IDLE,
            PoolMetric.MAX,
            PoolMetric.MIN_IDLE,
            PoolMetric.LISTENER_ERRORS,
            PoolMetric.EVENTS_DROPPED,
            PoolMetric.TICK_AGE,
            PoolMetric.TROUBLE);

    /** The metrics of parts are written after this metric. */
    private static final PoolMetric BEFORE_PARTS = PoolMetric.FOREIGN;

    private static final Set<PoolMetric> USUALLY_ZERO =
            EnumSet.of(PoolMetric.OLDEST_WAIT, PoolMetric.FOREIGN, PoolMetric.TROUBLE);

    private final StringBuilder line = new StringBuilder(512);
    private final PoolReading reading;

    private Summary(PoolReading reading) {
        this.reading = reading;
    }

    /** @param shown the pool's name in the line */
    static String of(String shown, PoolView pool) {
        return new Summary(PoolReading.of(pool)).line(shown, pool);
    }

    private String line(String shown, PoolView pool) {
        line.append("pool=").append(quoted(shown));
        for (PoolMetric metric : ORDER) {
            if (pool.supports(metric)) {
                add(metric);
            }
            if (metric == BEFORE_PARTS) {
                pool.parts().forEach(part -> part.metrics().forEach(this::add));
            }
        }
        return line.toString();
    }

    private void add(PartMetric metric) {
        double now = metric.value();
        if (metric.kind() == PoolMetric.Kind.COUNTER) {
            counter(metric.shortName(), (long) now);
        } else if (!Double.isNaN(now)) {
            boolean seconds = metric.unit().equals(Unit.NANOSECONDS.ucum());
            part(metric.shortName(), seconds ? millis(now * 1e9) : decimals(now));
        }
    }

    private void add(PoolMetric metric) {
        if (metric.perClass()) {
            reading.classes().forEach(figures -> add(metric, figures));
            return;
        }
        switch (metric.kind()) {
            case GAUGE -> gauge(metric);
            case COUNTER -> counter(metric.shortName(), reading.counter(metric));
            case TIMER, DISTRIBUTION -> {
                if (metric == PoolMetric.ACQUISITION) {
                    for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                        durations(metric.shortName() + "." + outcome.label(), metric, outcome);
                    }
                } else {
                    durations(metric.shortName(), metric, AcquisitionOutcome.OK);
                }
            }
        }
    }

    private void add(PoolMetric metric, RequestClass figures) {
        String name = metric.shortName(figures.name());
        switch (metric.kind()) {
            case TIMER -> durations(name, figures.waits(), figures.recentWaits());
            case COUNTER -> counter(name, figures.counter(metric));
            case GAUGE -> {
                if (!Double.isNaN(figures.gauge(metric))) {
                    part(name, decimals(figures.gauge(metric)));
                }
            }
            case DISTRIBUTION ->
                throw new IllegalStateException(metric + ": there is no distribution for request classes");
        }
    }

    private void counter(String name, long count) {
        if (count > 0) {
            part(name, Long.toString(count));
        }
    }

    /** The name, quoted if it is not a single word. */
    private static String quoted(String name) {
        boolean plain = name.chars()
                .noneMatch(
                        letter -> letter == '"' || letter == '=' || letter == '\\' || Character.isWhitespace(letter));
        return plain ? name : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private void gauge(PoolMetric metric) {
        double now = reading.gauge(metric);
        if (Double.isNaN(now) || (now == 0 && USUALLY_ZERO.contains(metric))) {
            return;
        }
        part(metric.shortName(), metric.unit() == Unit.NANOSECONDS ? millis(now) : decimals(now));
    }

    private void durations(String name, PoolMetric metric, AcquisitionOutcome outcome) {
        durations(
                name,
                reading.statistics().total().durations(metric, outcome),
                reading.statistics().recent().durations(metric, outcome));
    }

    private void durations(String name, HistogramSnapshot total, HistogramSnapshot recent) {
        if (total.count() == 0) {
            return;
        }
        part(name, Long.toString(total.count()));
        if (recent.count() > 0) {
            part(name + ".p50", millis((double) recent.percentileNanos(0.5)));
            part(name + ".p99", millis((double) recent.percentileNanos(0.99)));
            part(name + ".max", millis((double) recent.maxNanos()));
        }
    }

    private void part(String key, String value) {
        line.append(' ').append(key).append('=').append(value);
    }

    static String millis(double nanos) {
        return decimals(nanos / 1e6) + "ms";
    }

    /** The value with at most three decimals, without trailing zeros or exponent. */
    private static String decimals(double value) {
        long thousandths = Math.round(value * 1000);
        StringBuilder text = new StringBuilder().append(thousandths / 1000);
        long rest = thousandths % 1000;
        if (rest > 0) {
            text.append('.').append(rest / 100).append(rest / 10 % 10).append(rest % 10);
            while (text.charAt(text.length() - 1) == '0') {
                text.setLength(text.length() - 1);
            }
        }
        return text.toString();
    }
}
