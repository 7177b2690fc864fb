// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.Sizing;
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
 * @param base the size at the start of all but the best static one
 * @param ceiling the highest size
 * @param best the best static size
 * @param gradient2 its parameters
 */
record Entry(int base, int ceiling, int best, Candidate gradient2) {
    /** The acquisition timeout of every pool. */
    static final Duration TIMEOUT = Duration.ofSeconds((long) Scenario.ACQUISITION_TIMEOUT_SECONDS);

    /** Ends what has no end. A machine that is busy with something else has needed more than ten. */
    private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Opens a pool and waits until it has its first connections.
     *
     * @param driver connects to the database
     * @throws SQLException if it does not fill
     */
    Entrant open(Competitor competitor, DataSource driver) throws SQLException {
        int size = competitor == Competitor.BEST_STATIC ? best : base;
        OpenPool pool = BurstPool.HIKARICP.open(driver, size, size, TIMEOUT);
        try {
            Entrant entrant = around(competitor, pool);
            fill(entrant, size);
            return entrant;
        } catch (SQLException | RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private Entrant around(Competitor competitor, OpenPool pool) throws SQLException {
        HikariDataSource hikari = pool.source().unwrap(HikariDataSource.class);
        return switch (competitor) {
            case BEST_STATIC -> new BareEntrant(competitor, pool, hikari);
            case FLEXYPOOL ->
                new BareEntrant(competitor, BurstPool.HIKARICP.inFlexyPool(pool, ceiling - base, 1), hikari);
            case GRADIENT2 ->
                new Gradient2Entrant(
                        gated(competitor, pool).mode(PoolMode.RECOMMEND).build(),
                        gradient2.controller().get(),
                        base,
                        ceiling);
            case FLEXPOOL ->
                new GatedEntrant(
                        competitor, gated(competitor, pool).mode(PoolMode.ADAPT).build());
        };
    }

    private FlexPoolBuilder gated(Competitor competitor, OpenPool pool) {
        return FlexPool.wrap(pool.source())
                .name("adaptive-" + competitor)
                .base(base)
                .sizing(Sizing.upTo(ceiling));
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
