// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.benchmarks.burst.BurstPool;
import io.flexpool.benchmarks.burst.OpenPool;
import io.flexpool.benchmarks.simulate.Candidate;
import io.flexpool.benchmarks.simulate.Scenario;
import io.flexpool.pool.PoolMode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Makes the competitors' pools.
 *
 * @param scenario its base is the size at the start of all but the best static one, of all instances together; its
 *     ceiling is the highest size of each
 * @param best the best static size, of all instances together
 * @param gradient2 its parameters
 */
record Entry(Scenario scenario, int best, Candidate gradient2) {
    private static final double MS = 1e3;

    /** Ends what has no end. A machine that is busy with something else has needed more than ten. */
    private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Opens the pool, and waits until it has its first connections.
     *
     * @param driver connects to the database
     * @throws SQLException if it does not fill
     */
    Entrant open(Competitor competitor, DataSource driver) throws SQLException {
        return open(competitor, driver, competitor == Competitor.BEST_STATIC ? best : scenario.base());
    }

    private Entrant open(Competitor competitor, DataSource driver, int size) throws SQLException {
        Duration timeout = Duration.ofMillis(Math.round(MS * scenario.timeoutSeconds()));
        OpenPool pool = BurstPool.HIKARICP.open(driver, size, size, timeout);
        try {
            Entrant entrant = around(competitor, pool, size);
            fill(entrant, size);
            return entrant;
        } catch (SQLException | RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private Entrant around(Competitor competitor, OpenPool pool, int base) throws SQLException {
        int ceiling = scenario.ceiling();
        HikariDataSource hikari = pool.source().unwrap(HikariDataSource.class);
        return switch (competitor) {
            case BEST_STATIC -> new BareEntrant(competitor, pool, hikari);
            case FLEXYPOOL ->
                new BareEntrant(competitor, BurstPool.HIKARICP.inFlexyPool(pool, ceiling - base, 1), hikari);
            case GRADIENT2 ->
                new Gradient2Entrant(
                        gated(competitor, pool, base)
                                .set("mode", PoolMode.RECOMMEND)
                                .build(),
                        gradient2.controller().get(),
                        base,
                        ceiling);
            case FLEXPOOL ->
                new GatedEntrant(
                        competitor,
                        gated(competitor, pool, base)
                                .set("mode", PoolMode.ADAPT)
                                .build());
        };
    }

    private FlexPoolBuilder gated(Competitor competitor, OpenPool pool, int base) {
        return FlexPool.wrap(pool.source())
                .name("adaptive-" + competitor)
                .set("base", base)
                .set("ceiling", scenario.ceiling());
    }

    private static void fill(Entrant entrant, int connections) throws SQLException {
        entrant.release(entrant.acquire(), false);
        long end = System.nanoTime() + FILL_NANOS;
        while (entrant.held() < connections) {
            if (System.nanoTime() - end > 0) {
                throw new SQLException("after " + TimeUnit.NANOSECONDS.toSeconds(FILL_NANOS) + " s "
                        + entrant.competitor() + " has opened " + entrant.held() + " of " + connections
                        + " connections");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
