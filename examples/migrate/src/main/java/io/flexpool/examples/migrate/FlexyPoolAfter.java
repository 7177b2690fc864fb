// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.codahale.metrics.MetricRegistry;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** The same with flexpool: the second program of docs/how-to/migrate-flexypool.md. */
final class FlexyPoolAfter {
    private FlexyPoolAfter() {}

    static FlexPoolDataSource wrapped(HikariDataSource pool, MetricRegistry registry, LongLeases longLeases) {
        return FlexPool.wrap(pool)
                .name("orders")
                .metrics(DropwizardMetrics.into(registry))
                .set("long-lease", Duration.ofMillis(100))
                .listener(longLeases)
                .set("ceiling", 8)
                .set("grow-on-wait.enabled", true)
                .set("retry.deadline", Duration.ofMinutes(1))
                .build();
    }

    /** Counts leases of 100 ms and longer. */
    static final class LongLeases implements PoolListener {
        final LongAdder count = new LongAdder();

        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.LeaseLong) {
                count.increment();
            }
        }
    }
}
