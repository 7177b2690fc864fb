// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.codahale.metrics.Counting;
import com.codahale.metrics.MetricAttribute;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Slf4jReporter;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import java.util.EnumSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application's pool: HikariCP wrapped by flexpool. This is what to copy. */
final class OrdersPool implements AutoCloseable {
    static final int BASE = 5;
    static final int CEILING = 25;

    private static final Logger STORY = LoggerFactory.getLogger("demo");

    private final MetricRegistry registry = new MetricRegistry();
    private final EventLog events = new EventLog();
    private final FlexPoolDataSource dataSource;
    private final int timeoutSeconds;

    OrdersPool(DemoDatabase database, int timeoutSeconds) {
        this.timeoutSeconds = timeoutSeconds;
        dataSource = FlexPool.wrap(database.hikari("orders", CEILING, timeoutSeconds))
                .name("orders")
                .set("base", BASE)
                .set("ceiling", CEILING)
                .set("grow-on-wait.enabled", true)
                // So that an explanation names the code of every holder; by default it is taken of a sample.
                .set("call-sites.sample-every", 1)
                .listener(events)
                .metrics(DropwizardMetrics.into(registry))
                .build();
    }

    FlexPoolDataSource dataSource() {
        return dataSource;
    }

    /** The acquisition timeout. */
    int timeoutSeconds() {
        return timeoutSeconds;
    }

    EventLog events() {
        return events;
    }

    /** What happened, as DropwizardMetrics.into(registry).logEvery(Duration.ofMinutes(1)) logs it each minute. */
    void logMetrics() {
        STORY.info("");
        STORY.info("5. The pool's metrics, as Dropwizard's Slf4jReporter logs them (durations in ms):");
        Slf4jReporter.forRegistry(registry)
                .outputTo(LoggerFactory.getLogger("io.flexpool.metrics"))
                .filter((name, metric) -> metric instanceof Counting counting && counting.getCount() > 0)
                .disabledMetricAttributes(EnumSet.of(
                        MetricAttribute.STDDEV,
                        MetricAttribute.P75,
                        MetricAttribute.P98,
                        MetricAttribute.P999,
                        MetricAttribute.MEAN_RATE,
                        MetricAttribute.M5_RATE,
                        MetricAttribute.M15_RATE))
                .build()
                .report();
    }

    /** Closes the HikariCP pool too. */
    @Override
    public void close() {
        dataSource.close();
    }
}
