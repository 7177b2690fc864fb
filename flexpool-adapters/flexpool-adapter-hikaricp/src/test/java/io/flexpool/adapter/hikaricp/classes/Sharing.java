// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** How requests share connections. */
enum Sharing {
    /** Interactive requests alone on all connections: what the others are compared with. */
    ALONE,
    /** One bare pool for all. */
    BARE_POOL,
    /** Two bare pools; both together have as many connections. */
    TWO_POOLS,
    /** One pool with flexpool's classes. */
    CLASSES,
    /** The same, where requests of an overloaded class end early. */
    CLASSES_SHED;

    static final String INTERACTIVE = "interactive";
    static final String BATCH = "batch";
    private static final double NANOS = 1e9;
    /** HikariCP takes no shorter timeout. */
    private static final long SHORTEST_MS = 250;

    /** A connection, until it is closed. */
    interface Lease extends AutoCloseable {
        Connection connection();

        @Override
        void close() throws SQLException;
    }

    /** Where the connections come from. */
    interface Source extends AutoCloseable {
        Lease lease(Ask ask) throws SQLException;

        @Override
        void close();
    }

    /** A pool's own timeout. */
    static final Duration POOL_TIMEOUT = Duration.ofSeconds(5);

    /**
     * How long a request waits before it gives up, seconds. Only flexpool takes a deadline of each request; a pool has its
     * timeout, which is longer.
     */
    double patience(Ask ask) {
        return classes() ? ask.deadline() : POOL_TIMEOUT.toNanos() / NANOS;
    }

    /** Whether it is a pool with classes. */
    boolean classes() {
        return this == CLASSES || this == CLASSES_SHED;
    }

    /**
     * Opens the pools.
     *
     * @param database the driver's data source
     * @param most how many connections batch work ever has in a pool with classes
     * @param timeout how long a request waits
     */
    Source open(DataSource database, Shape shape, int most, Duration timeout) {
        int second = shape.ofSecondPool();
        int all = shape.connections();
        return switch (this) {
            case ALONE, BARE_POOL -> bare(shape, List.of(pool(database, all, timeout)));
            case TWO_POOLS ->
                bare(shape, List.of(pool(database, all - second, timeout), pool(database, second, timeout)));
            case CLASSES, CLASSES_SHED -> classes(pool(database, all, timeout), shape, most, this == CLASSES_SHED);
        };
    }

    private static HikariDataSource pool(DataSource database, int connections, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(connections);
        pool.setConnectionTimeout(Math.max(SHORTEST_MS, timeout.toMillis()));
        return pool;
    }

    private static Source bare(Shape shape, List<HikariDataSource> pools) {
        return source(
                ask -> lease(pools.get(pools.size() == 1 ? 0 : shape.pool(ask)).getConnection(), () -> {}),
                () -> pools.forEach(HikariDataSource::close));
    }

    private static Source classes(HikariDataSource pool, Shape shape, int most, boolean sheds) {
        double part = (double) shape.batch() / shape.connections();
        FlexPoolDataSource shared = FlexPool.wrap(pool)
                .name("shared")
                .set("classes", INTERACTIVE + ", " + BATCH)
                .set("classes." + INTERACTIVE + ".guarantee", 1 - part)
                .set("classes." + BATCH + ".guarantee", part)
                .set("classes." + BATCH + ".max", most)
                .set("classes.shed", sheds)
                .build();
        return source(
                ask -> {
                    PoolScope.Opened scope = scope(ask).open();
                    try {
                        return lease(shared.getConnection(), () -> {});
                    } finally {
                        scope.close();
                    }
                },
                shared::close);
    }

    private static PoolScope scope(Ask ask) {
        PoolScope scope = PoolScope.of(ask.kind()).tenant(Shape.tenant(ask));
        return Double.isInfinite(ask.deadline())
                ? scope
                : scope.deadline(Duration.ofNanos((long) (ask.deadline() * NANOS)));
    }

    private static Lease lease(Connection connection, Runnable afterwards) {
        return new Lease() {
            @Override
            public Connection connection() {
                return connection;
            }

            @Override
            public void close() throws SQLException {
                try {
                    connection.close();
                } finally {
                    afterwards.run();
                }
            }
        };
    }

    /** Asks for a connection. */
    private interface Opening {
        Lease lease(Ask ask) throws SQLException;
    }

    private static Source source(Opening opening, Runnable closing) {
        return new Source() {
            @Override
            public Lease lease(Ask ask) throws SQLException {
                return opening.lease(ask);
            }

            @Override
            public void close() {
                closing.run();
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
