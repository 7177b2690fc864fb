// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Slf4jReporter;
import io.flexpool.pool.MetricsBinder.Binding;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Logs one pool's metrics again and again. */
final class LogReporting {
    private LogReporting() {}

    static Binding start(MetricRegistry registry, RegisteredMetrics metrics, String pool, Duration period) {
        // The reporter's own executor would report once more when stopped, on the thread that closes the pool.
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "flexpool-metrics-log-" + pool);
            thread.setDaemon(true);
            // A web application's class loader must not be held by its thread.
            thread.setContextClassLoader(null);
            return thread;
        });
        Slf4jReporter reporter = Slf4jReporter.forRegistry(registry)
                .outputTo(LoggerFactory.getLogger("io.flexpool.metrics"))
                .filter(metrics)
                .scheduleOn(executor)
                .shutdownExecutorOnStop(false)
                .build();
        reporter.start(period.toMillis(), TimeUnit.MILLISECONDS);
        return () -> {
            reporter.stop();
            executor.shutdownNow();
        };
    }
}
