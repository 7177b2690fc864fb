// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.mchange.v2.c3p0.DataSources;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGPoolingDataSource;

/**
 * Where a broker gets its connections to PostgreSQL.
 *
 * @param source a pool, or the driver's data source
 * @param keeps how many connections it opens at its first request and keeps, as far as they can be counted
 * @param closing ends it
 */
record Pool(DataSource source, int keeps, Closing closing) {
    private static final int MIN = 20;
    private static final int MAX = 100;
    private static final int IDLE_TEST_SECONDS = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int PG_INITIAL = 1;
    private static final int PG_MAX = 10;

    /** How something is closed; each has its own way. */
    interface Closing {
        /** Closes it. */
        void close() throws SQLException;
    }

    /**
     * Opens the pool of a backend.
     *
     * @param server the database
     * @param driver unpooled connections to it
     */
    static Pool of(Backend backend, PostgresServer server, DataSource driver) throws SQLException {
        return switch (backend) {
            case C3P0 -> c3p0(driver);
            case PGPOOLING -> pgPooling(server);
            case HIKARICP -> hikariCp(driver);
            case C3P0_FLEXPOOL, HIKARICP_FLEXPOOL ->
                wrapped(of(backend.bare(), server, driver).source());
            default -> new Pool(driver, 0, () -> {});
        };
    }

    private static Pool c3p0(DataSource driver) throws SQLException {
        Map<String, Object> settings = Map.of(
                "minPoolSize", MIN,
                "initialPoolSize", MIN,
                "maxPoolSize", MAX,
                "acquireIncrement", 1,
                "testConnectionOnCheckin", true,
                "idleConnectionTestPeriod", IDLE_TEST_SECONDS);
        DataSource pool = DataSources.pooledDataSource(driver, settings);
        return new Pool(pool, MIN, () -> DataSources.destroy(pool));
    }

    // PostgreSQL's driver advises against it in favour of pools proper; it is one of the four that were compared.
    @SuppressWarnings("deprecation")
    private static Pool pgPooling(PostgresServer server) {
        PGPoolingDataSource pool = new PGPoolingDataSource();
        pool.setDataSourceName("broker");
        pool.setURL(server.jdbcUrl());
        pool.setUser(server.user());
        pool.setPassword(server.password());
        pool.setInitialConnections(PG_INITIAL);
        pool.setMaxConnections(PG_MAX);
        return new Pool(pool, 0, pool::close);
    }

    private static Pool hikariCp(DataSource driver) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(driver);
        pool.setMinimumIdle(MIN);
        pool.setMaximumPoolSize(MAX);
        return new Pool(pool, MIN, pool::close);
    }

    private static Pool wrapped(DataSource pool) {
        FlexPoolDataSource wrapped = FlexPool.wrap(pool)
                .name("broker")
                // c3p0 as published waits for ever.
                .set("acquisition-timeout", TIMEOUT)
                .set("base", MIN)
                .set("ceiling", MAX)
                .set("grow-on-wait.enabled", true)
                .build();
        return new Pool(wrapped, MIN, wrapped::close);
    }
}
