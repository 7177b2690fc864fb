// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import com.mchange.v2.c3p0.DataSources;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.strategy.GrowOnWait;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGPoolingDataSource;

/** The ways to connections to PostgreSQL that a broker's store can have. */
public enum Access {
    /** Each connection is opened when it is wanted and closed when it is not. */
    UNPOOLED {
        @Override
        Opened over(PostgresServer server, DataSource driver) {
            return new Opened(driver, () -> {});
        }
    },
    /** c3p0 as the comparison of 2016 had it. */
    C3P0 {
        @Override
        Opened over(PostgresServer server, DataSource driver) throws SQLException {
            return c3p0(driver);
        }
    },
    /**
     * The pool of PostgreSQL's driver as the comparison of 2016 had it. It connects by itself, past the driver's data
     * source, so its connects cannot be counted.
     */
    PGPOOLING {
        @Override
        Opened over(PostgresServer server, DataSource driver) {
            return pgPooling(server);
        }
    },
    /** HikariCP in c3p0's sizes, all else as it is by default. */
    HIKARICP {
        @Override
        Opened over(PostgresServer server, DataSource driver) {
            HikariDataSource pool = hikariCp(driver);
            return new Opened(pool, pool::close);
        }
    },
    /** The same c3p0 in flexpool. */
    C3P0_FLEXPOOL {
        @Override
        Opened over(PostgresServer server, DataSource driver) throws SQLException {
            return wrapped(c3p0(driver).source());
        }
    },
    /** The same HikariCP in flexpool. */
    HIKARICP_FLEXPOOL {
        @Override
        Opened over(PostgresServer server, DataSource driver) {
            return wrapped(hikariCp(driver));
        }
    };

    private static final int MIN = 20;
    private static final int MAX = 100;
    private static final int IDLE_TEST_SECONDS = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int PG_INITIAL = 1;
    private static final int PG_MAX = 10;

    /**
     * A way that is open.
     *
     * @param source where the broker gets its connections
     * @param closing ends it
     */
    record Opened(DataSource source, OpenStore.Closing closing) {}

    /**
     * Opens the way.
     *
     * @param server the database
     * @param driver unpooled connections to it
     */
    abstract Opened over(PostgresServer server, DataSource driver) throws SQLException;

    /** How many connections it opens at its first request and keeps, as far as they can be counted. */
    int keeps() {
        return this == UNPOOLED || this == PGPOOLING ? 0 : MIN;
    }

    private static Opened c3p0(DataSource driver) throws SQLException {
        DataSource pool = DataSources.pooledDataSource(
                driver,
                Map.of(
                        "minPoolSize",
                        MIN,
                        "initialPoolSize",
                        MIN,
                        "maxPoolSize",
                        MAX,
                        "acquireIncrement",
                        1,
                        "testConnectionOnCheckin",
                        true,
                        "idleConnectionTestPeriod",
                        IDLE_TEST_SECONDS));
        return new Opened(pool, () -> DataSources.destroy(pool));
    }

    // PostgreSQL's driver advises against it in favour of pools proper; it is one of the four that were compared.
    @SuppressWarnings("deprecation")
    private static Opened pgPooling(PostgresServer server) {
        PGPoolingDataSource pool = new PGPoolingDataSource();
        pool.setDataSourceName("broker");
        pool.setURL(server.jdbcUrl());
        pool.setUser(server.user());
        pool.setPassword(server.password());
        pool.setInitialConnections(PG_INITIAL);
        pool.setMaxConnections(PG_MAX);
        return new Opened(pool, pool::close);
    }

    private static HikariDataSource hikariCp(DataSource driver) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(driver);
        pool.setMinimumIdle(MIN);
        pool.setMaximumPoolSize(MAX);
        return pool;
    }

    private static Opened wrapped(DataSource pool) {
        FlexPoolDataSource wrapped = FlexPool.wrap(pool)
                .name("broker")
                // c3p0 as published waits for ever.
                .acquisitionTimeout(TIMEOUT)
                .base(MIN)
                .strategy(GrowOnWait.upTo(MAX))
                .build();
        return new Opened(wrapped, wrapped::close);
    }
}
