// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.mchange.v2.c3p0.DataSources;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.burst.BurstPool;
import io.flexpool.benchmarks.kit.OpenPool;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGPoolingDataSource;

/** Where a broker gets its connections to PostgreSQL. */
final class Pool {
    private static final int MIN = 20;
    private static final int MAX = 100;
    private static final int IDLE_TEST_SECONDS = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** The published c3p0 waits without a limit; flexpool has a timeout. */
    private static final Map<String, ?> GROWTH =
            Map.of("acquisition-timeout", TIMEOUT, "base", MIN, "ceiling", MAX, "grow-on-wait.enabled", true);

    private static final int PG_INITIAL = 1;
    private static final int PG_MAX = 10;

    private Pool() {}

    /** How many connections the pool of a backend opens at its first request and keeps, as far as they can be counted. */
    static int keeps(Backend backend) {
        return switch (backend) {
            case C3P0, HIKARICP, C3P0_FLEXPOOL, HIKARICP_FLEXPOOL -> MIN;
            default -> 0;
        };
    }

    /**
     * Opens the pool of a backend.
     *
     * @param server the database
     * @param driver unpooled connections to it
     */
    static OpenPool of(Backend backend, PostgresServer server, DataSource driver) throws SQLException {
        return switch (backend) {
            case C3P0 -> c3p0(driver);
            case PGPOOLING -> pgPooling(server);
            case HIKARICP -> BurstPool.HIKARICP.open(driver, MAX, MIN, TIMEOUT);
            case C3P0_FLEXPOOL, HIKARICP_FLEXPOOL ->
                of(backend.bare(), server, driver).inFlexPool("broker", GROWTH);
            default -> new OpenPool(driver, () -> {});
        };
    }

    private static OpenPool c3p0(DataSource driver) throws SQLException {
        Map<String, Object> settings = Map.of(
                "minPoolSize", MIN,
                "initialPoolSize", MIN,
                "maxPoolSize", MAX,
                "acquireIncrement", 1,
                "testConnectionOnCheckin", true,
                "idleConnectionTestPeriod", IDLE_TEST_SECONDS);
        DataSource pool = DataSources.pooledDataSource(driver, settings);
        return new OpenPool(pool, () -> DataSources.destroy(pool));
    }

    // PostgreSQL's driver advises against it in favour of pools proper; it is one of the four that were compared.
    @SuppressWarnings("deprecation")
    private static OpenPool pgPooling(PostgresServer server) {
        PGPoolingDataSource pool = new PGPoolingDataSource();
        pool.setDataSourceName("broker");
        pool.setURL(server.jdbcUrl());
        pool.setUser(server.user());
        pool.setPassword(server.password());
        pool.setInitialConnections(PG_INITIAL);
        pool.setMaxConnections(PG_MAX);
        return new OpenPool(pool, pool::close);
    }
}
