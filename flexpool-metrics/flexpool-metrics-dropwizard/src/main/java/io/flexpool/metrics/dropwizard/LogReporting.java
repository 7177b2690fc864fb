// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Slf4jReporter;
import io.flexpool.internal.shared.DaemonThreads;
import io.flexpool.monitoring.MetricsBinder.Binding;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Logs one pool's metrics periodically. */
final class LogReporting {
    private LogReporting() {}

    static Binding start(MetricRegistry registry, RegisteredMetrics metrics, String pool, Duration period) {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
                task -> DaemonThreads.create("flexpool-metrics-log-" + pool, task));
        Slf4jReporter reporter = Slf4jReporter.forRegistry(registry)
                .outputTo(LoggerFactory.getLogger("io.flexpool.metrics"))
                .filter(metrics)
                .scheduleOn(executor)
                .build();
        reporter.start(period.toMillis(), TimeUnit.MILLISECONDS);
        // The reporter's own stop would report once more, on the thread that closes the pool (seen in 4.2.0 and
        // 4.2.40).
        return executor::shutdownNow;
    }
}
