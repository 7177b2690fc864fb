// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.flexpool.benchmarks.burst.OpenPool;
import java.sql.SQLException;
import java.util.function.ToIntFunction;

/** HikariCP alone, or wrapped in FlexyPool: the pool's max is the limit. */
final class BareEntrant implements Entrant {
    private final Competitor competitor;
    private final OpenPool pool;
    private final HikariDataSource hikari;

    /**
     * With an open pool.
     *
     * @param pool where requests get connections; closing it closes all
     * @param hikari the pool itself
     */
    BareEntrant(Competitor competitor, OpenPool pool, HikariDataSource hikari) {
        this.competitor = competitor;
        this.pool = pool;
        this.hikari = hikari;
    }

    @Override
    public Competitor competitor() {
        return competitor;
    }

    @Override
    public Lease acquire() throws SQLException {
        return new Lease(pool.source().getConnection(), System.nanoTime(), 0);
    }

    @Override
    public void release(Lease lease, boolean failed) throws SQLException {
        lease.connection().close();
    }

    @Override
    public int limit() {
        return hikari.getMaximumPoolSize();
    }

    @Override
    public int held() {
        return figure(HikariPoolMXBean::getTotalConnections);
    }

    @Override
    public int leased() {
        return figure(HikariPoolMXBean::getActiveConnections);
    }

    @Override
    public int pending() {
        return figure(HikariPoolMXBean::getThreadsAwaitingConnection);
    }

    /** HikariCP has none before its first request. */
    private int figure(ToIntFunction<HikariPoolMXBean> figure) {
        HikariPoolMXBean started = hikari.getHikariPoolMXBean();
        return started == null ? 0 : figure.applyAsInt(started);
    }

    @Override
    public void close() throws SQLException {
        pool.close();
    }
}
