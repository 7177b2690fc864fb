// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Slf4jReporter;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a pool saves, and what flexpool costs: opens and closes connections, one after the other. */
final class OpenCloseStep {
    /** The ratio of means that an often-cited measurement of 2014 found for HikariCP. */
    static final double PUBLISHED_RATIO = 600;

    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final int SIZE = 5;
    /** Above what a machine with nothing else to do needs. */
    private static final double IDLE_CONNECT_NANOS = 6_000_000;

    private static final int MOST_PATIENCE = 10;

    private final DemoDatabase database;
    private final int iterations;
    private final MetricRegistry timers = new MetricRegistry();

    OpenCloseStep(DemoDatabase database, int iterations) {
        this.database = database;
        this.iterations = iterations;
    }

    /**
     * Measures, and returns how much slower than an idle machine this one connects, 1 to 10. On one that is busy with other work the
     * next steps give their connections as much more time.
     */
    int run(Summary summary) throws SQLException {
        STORY.info("");
        STORY.info("1. {} times open and close a connection", String.format(Locale.ROOT, "%,d", iterations));
        Snapshot unpooled = measure("unpooled", database.unpooled());
        Snapshot bare;
        try (HikariDataSource pool = database.hikari("bare", SIZE, 1)) {
            bare = measure("HikariCP", pool);
        }
        Snapshot wrapped;
        try (FlexPoolDataSource pool = FlexPool.wrap(database.hikari("watched", SIZE, 1))
                .name("watched")
                .build()) {
            wrapped = measure("HikariCP and flexpool", pool);
        }
        STORY.info("   the timers, as Dropwizard's Slf4jReporter logs them (ms):");
        Slf4jReporter.forRegistry(timers)
                .outputTo(LoggerFactory.getLogger("timers"))
                .build()
                .report();
        summary.openClose("unpooled", unpooled);
        summary.openClose("HikariCP", bare);
        summary.openClose("HikariCP + flexpool", wrapped);
        summary.ratios("unpooled / HikariCP", unpooled, bare);
        summary.ratios("unpooled / (HikariCP + flexpool)", unpooled, wrapped);
        summary.check("pooling is faster than connecting each time", unpooled.getMedian() > wrapped.getMedian());
        return (int) Math.max(1, Math.min(MOST_PATIENCE, Math.ceil(unpooled.getMean() / IDLE_CONNECT_NANOS)));
    }

    private Snapshot measure(String variant, DataSource source) throws SQLException {
        STORY.info("   {} ...", variant);
        Timer timer = timers.timer(variant);
        for (int at = 0; at < iterations; at++) {
            Timer.Context time = timer.time();
            source.getConnection().close();
            time.stop();
        }
        return timer.getSnapshot();
    }
}
