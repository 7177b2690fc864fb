// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolClasses;
import io.flexpool.PoolScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** How two kinds of requests share connections. */
enum Sharing {
    /** Interactive requests alone on all connections: what the others are compared with. */
    ALONE,
    /** One bare pool for both. */
    BARE_POOL,
    /** A bare pool for each; both together have as many connections. */
    TWO_POOLS,
    /** One pool with flexpool's classes. */
    CLASSES;

    static final String INTERACTIVE = "interactive";
    static final String BATCH = "batch";

    /** Where the connections of both kinds come from. */
    interface Source extends AutoCloseable {
        Connection connection(String kind) throws SQLException;

        @Override
        void close();
    }

    /**
     * Opens the pools.
     *
     * @param database the driver's data source
     * @param connections how many there are in all
     * @param batch how many of them batch work may have, where it is limited
     */
    Source open(DataSource database, int connections, int batch) {
        return switch (this) {
            case ALONE, BARE_POOL -> bare(List.of(pool(database, connections)));
            case TWO_POOLS -> bare(List.of(pool(database, connections - batch), pool(database, batch)));
            case CLASSES -> classes(database, connections, batch);
        };
    }

    private static HikariDataSource pool(DataSource database, int connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(connections);
        pool.setConnectionTimeout(TimeUnit.MINUTES.toMillis(10));
        return pool;
    }

    private static Source bare(List<HikariDataSource> pools) {
        return new Source() {
            @Override
            public Connection connection(String kind) throws SQLException {
                return pools.get(kind.equals(BATCH) ? pools.size() - 1 : 0).getConnection();
            }

            @Override
            public void close() {
                pools.forEach(HikariDataSource::close);
            }
        };
    }

    private static Source classes(DataSource database, int connections, int batch) {
        double part = (double) batch / connections;
        FlexPoolDataSource pool = FlexPool.wrap(pool(database, connections))
                .name("shared")
                .classes(PoolClasses.of(INTERACTIVE)
                        .guarantee(1 - part)
                        .and(BATCH)
                        .guarantee(part)
                        .most(batch))
                .build();
        return new Source() {
            @Override
            public Connection connection(String kind) throws SQLException {
                PoolScope.Opened scope = PoolScope.of(kind).open();
                try {
                    return pool.getConnection();
                } finally {
                    scope.close();
                }
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }

    /** Those that are compared with the first one. */
    static List<Sharing> shared() {
        List<Sharing> all = new ArrayList<>(List.of(values()));
        all.remove(ALONE);
        return all;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
