// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.Crowd;
import io.flexpool.adapter.tck.StubDatabase;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import io.flexpool.strategy.CircuitBreaker;
import io.flexpool.strategy.GrowOnWait;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What {@link RedeployTest} loads anew, with flexpool, the pool and the metrics in the same class loader. */
public final class RedeployedApplication implements Runnable {
    static final AtomicReference<@Nullable Runnable> FORGOTTEN = new AtomicReference<>();

    private final String how;

    /**
     * An application.
     *
     * @param how what it does in the end
     */
    public RedeployedApplication(String how) {
        this.how = how;
    }

    @Override
    public void run() {
        try {
            use();
        } catch (SQLException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void use() throws SQLException, InterruptedException {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setDataSource(new StubDatabase().dataSource());
        hikari.setMaximumPoolSize(3);
        FlexPoolBuilder builder = FlexPool.wrap(hikari)
                .name(how)
                .enabled(!how.equals("disabled"))
                .metrics(DropwizardMetrics.create()
                        .logEvery(Duration.ofMillis(200))
                        .jmx());
        if (!how.equals("watched")) {
            builder.base(2)
                    .strategy(CircuitBreaker.after(3, Duration.ofSeconds(1)))
                    .strategy(GrowOnWait.upTo(6).withAfter(Duration.ofMillis(1)));
        }
        FlexPoolDataSource pool = builder.build();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(how.equals("bound") ? 5 : 2, pool);
            crowd.join();
        }
        Connection out = pool.getConnection();
        if (how.equals("forgotten")) {
            FORGOTTEN.set(pool::close);
            return;
        }
        if (how.equals("closed-while-out")) {
            pool.close();
            out.close();
        } else {
            out.close();
            pool.close();
        }
    }
}
