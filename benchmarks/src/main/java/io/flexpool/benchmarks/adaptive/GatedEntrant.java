// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.Decision;
import java.sql.SQLException;
import java.util.List;

/** flexpool around HikariCP: its gate is the limit. */
class GatedEntrant implements Entrant {
    private final Competitor competitor;
    private final FlexPoolDataSource pool;

    GatedEntrant(Competitor competitor, FlexPoolDataSource pool) {
        this.competitor = competitor;
        this.pool = pool;
    }

    FlexPoolDataSource pool() {
        return pool;
    }

    @Override
    public Competitor competitor() {
        return competitor;
    }

    @Override
    public Lease acquire() throws SQLException {
        return new Lease(pool.getConnection(), System.nanoTime(), 0);
    }

    @Override
    public void release(Lease lease, boolean failed) throws SQLException {
        lease.connection().close();
    }

    @Override
    public int limit() {
        return pool.state().limit();
    }

    @Override
    public int held() {
        return Math.max(0, pool.state().pool().total());
    }

    @Override
    public int leased() {
        return pool.state().leased();
    }

    @Override
    public int pending() {
        return pool.state().pending();
    }

    @Override
    public List<Decision> decisions() {
        return pool.diagnosis().decisions();
    }

    @Override
    public void close() throws SQLException {
        pool.close();
    }
}
