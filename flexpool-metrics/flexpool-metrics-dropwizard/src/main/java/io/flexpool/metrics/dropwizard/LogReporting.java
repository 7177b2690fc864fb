// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Counting;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricAttribute;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Slf4jReporter;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.spi.DaemonThreads;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Logs one pool's metrics periodically. Omits figures that the pool does not report, and events that have never
 * happened. All durations are in milliseconds: the reporter converts those of timers, this class those of gauges.
 */
final class LogReporting {
    private static final double MILLISECOND = 1e6;
    /**
     * The omitted attributes: each line has count, mean, median, two high percentiles, maximum and the rate of the last
     * minute.
     */
    private static final Set<MetricAttribute> LEFT_OUT = EnumSet.of(
            MetricAttribute.STDDEV,
            MetricAttribute.P75,
            MetricAttribute.P98,
            MetricAttribute.P999,
            MetricAttribute.MEAN_RATE,
            MetricAttribute.M5_RATE,
            MetricAttribute.M15_RATE);

    private LogReporting() {}

    static Binding start(RegisteredMetrics metrics, String pool, Duration period) {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
                task -> DaemonThreads.create("flexpool-metrics-log-" + pool, task));
        Slf4jReporter reporter = Slf4jReporter.forRegistry(inMilliseconds(metrics))
                .outputTo(LoggerFactory.getLogger("io.flexpool.metrics"))
                .filter(LogReporting::says)
                .disabledMetricAttributes(LEFT_OUT)
                .scheduleOn(executor)
                .build();
        reporter.start(period.toMillis(), TimeUnit.MILLISECONDS);
        // Not the reporter's own stop, which would report once more, on the thread that closes the pool (seen in 4.2.0
        // and 4.2.40).
        return executor::shutdownNow;
    }

    /** The metrics, with gauges in nanoseconds replaced by gauges in milliseconds, named for the unit. */
    private static MetricRegistry inMilliseconds(RegisteredMetrics metrics) {
        MetricRegistry logged = new MetricRegistry();
        metrics.byName().forEach((name, metric) -> {
            if (metric instanceof NanosGauge gauge) {
                logged.register(name + ".ms", (Gauge<@Nullable Double>) () -> millis(gauge.getValue()));
            } else {
                logged.register(name, metric);
            }
        });
        return logged;
    }

    private static @Nullable Double millis(@Nullable Object nanos) {
        return nanos instanceof Number number ? number.doubleValue() / MILLISECOND : null;
    }

    private static boolean says(String name, Metric metric) {
        if (metric instanceof Gauge<?> gauge) {
            return gauge.getValue() != null;
        }
        return !(metric instanceof Counting counting) || counting.getCount() > 0;
    }
}
