// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
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
        StubDatabase database = new StubDatabase();
        hikari.setDataSource(database.dataSource());
        hikari.setMaximumPoolSize(3);
        hikari.setConnectionTimeout(250);
        FlexPoolBuilder builder = FlexPool.wrap(hikari)
                .name(how)
                .set("enabled", !how.equals("disabled"))
                .metrics(DropwizardMetrics.create()
                        .logEvery(Duration.ofMillis(200))
                        .jmx());
        if (!how.equals("watched")) {
            builder.set("base", 2)
                    .set("circuit-breaker.failures", 3)
                    .set("ceiling", 6)
                    .set("grow-on-wait.enabled", true)
                    .set("grow-on-wait.after", Duration.ofMillis(1));
        }
        FlexPoolDataSource pool = builder.build();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(how.equals("bound") ? 5 : 2, pool);
            crowd.join();
        }
        if (how.equals("failing")) {
            fail(pool, database);
        }
        Connection out = pool.getConnection();
        if (how.equals("forgotten")) {
            FORGOTTEN.set(pool::close);
            return;
        }
        pool.report();
        if (how.equals("closed-while-out")) {
            pool.close();
            out.close();
        } else {
            out.close();
            pool.close();
        }
    }

    /** Nearly all that flexpool does at a failure it does here: explanations, events, the circuit, the way back. */
    private static void fail(FlexPoolDataSource pool, StubDatabase database) throws InterruptedException {
        database.stop();
        for (int round = 0; round < 2; round++) {
            try (Crowd crowd = new Crowd()) {
                crowd.ask(4, pool);
                crowd.join();
            }
        }
        database.start();
        Crowd.eventually(Duration.ofSeconds(20), () -> works(pool));
    }

    private static boolean works(FlexPoolDataSource pool) {
        try {
            pool.getConnection().close();
            return true;
        } catch (SQLException down) {
            return false;
        }
    }
}
