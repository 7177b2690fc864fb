// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Several data sources of one class loader, which one workload uses in turn. Thread-safe. */
public final class InTurn extends MinimalDataSource {
    private final List<DataSource> sources;
    private final AtomicInteger turn = new AtomicInteger();

    InTurn(List<DataSource> sources) {
        this.sources = List.copyOf(sources);
    }

    /**
     * All of them. Each call begins with another one, so that threads that begin together use different ones at the same time.
     *
     * @return in the order of their use
     */
    public DataSource[] order() {
        int first = Math.floorMod(turn.getAndIncrement(), sources.size());
        DataSource[] order = new DataSource[sources.size()];
        for (int at = 0; at < order.length; at++) {
            order[at] = sources.get((first + at) % order.length);
        }
        return order;
    }

    /** From the one whose turn it is. */
    @Override
    public Connection getConnection() throws SQLException {
        return order()[0].getConnection();
    }
}
