// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import com.alibaba.druid.pool.DruidDataSource;
import com.mchange.v2.c3p0.DataSources;
import com.vladmihalcea.flexypool.adaptor.DBCP2PoolAdapter;
import com.vladmihalcea.flexypool.adaptor.HikariCPPoolAdapter;
import com.vladmihalcea.flexypool.adaptor.TomcatCPPoolAdapter;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.database.DataSourceDriver;
import io.flexpool.benchmarks.kit.OpenPool;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;

/** The pools of this scenario. */
public enum BurstPool {
    /** HikariCP. */
    HIKARICP(ConnectLaw.ONE_ADDER_WITH_PAUSE, "") {
        @Override
        public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(database);
            pool.setMaximumPoolSize(max);
            pool.setMinimumIdle(idle);
            pool.setConnectionTimeout(timeout.toMillis());
            return new OpenPool(pool, pool);
        }

        @Override
        public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
            return FlexyPools.wrap(pool, HikariDataSource.class, HikariCPPoolAdapter.FACTORY, more, retries);
        }
    },
    /** Tomcat JDBC. */
    TOMCAT(ConnectLaw.IN_THE_CALLER, "") {
        @Override
        public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
            PoolProperties properties = new PoolProperties();
            properties.setDataSource(database);
            properties.setMaxActive(max);
            properties.setMaxIdle(max);
            properties.setMinIdle(idle);
            properties.setInitialSize(idle);
            properties.setMaxWait((int) timeout.toMillis());
            org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource(properties);
            return new OpenPool(pool, pool::close);
        }

        @Override
        public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
            return FlexyPools.wrap(
                    pool, org.apache.tomcat.jdbc.pool.DataSource.class, TomcatCPPoolAdapter.FACTORY, more, retries);
        }
    },
    /** c3p0. */
    C3P0(ConnectLaw.THREE_HELPERS, "FlexyPool's adapter does not link with this c3p0") {
        @Override
        public OpenPool open(DataSource database, int max, int idle, Duration timeout) throws SQLException {
            DataSource pool = DataSources.pooledDataSource(
                    database,
                    Map.of(
                            "maxPoolSize",
                            max,
                            "minPoolSize",
                            idle,
                            "initialPoolSize",
                            idle,
                            "acquireIncrement",
                            1,
                            "checkoutTimeout",
                            (int) timeout.toMillis(),
                            "maxIdleTimeExcessConnections",
                            1));
            return new OpenPool(pool, () -> DataSources.destroy(pool));
        }
    },
    /** Druid. */
    DRUID(ConnectLaw.ONE_CREATOR, "FlexyPool's adapter does not link with this Druid") {
        @Override
        public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
            DruidDataSource pool = new DruidDataSource();
            pool.setDriver(new DataSourceDriver(database));
            pool.setUrl(DataSourceDriver.URL);
            pool.setMaxActive(max);
            pool.setMinIdle(idle);
            pool.setInitialSize(idle);
            pool.setMaxWait(timeout.toMillis());
            // Else it complains that it has no validation query.
            pool.setTestWhileIdle(false);
            return new OpenPool(pool, pool);
        }
    },
    /** Commons DBCP2. */
    DBCP2(ConnectLaw.IN_THE_CALLER, "") {
        @Override
        public OpenPool open(DataSource database, int max, int idle, Duration timeout) {
            BasicDataSource pool = new BasicDataSource();
            pool.setDriver(new DataSourceDriver(database));
            pool.setUrl(DataSourceDriver.URL);
            pool.setMaxTotal(max);
            pool.setMaxIdle(max);
            pool.setMinIdle(idle);
            pool.setInitialSize(idle);
            pool.setMaxWait(timeout);
            return new OpenPool(pool, pool);
        }

        @Override
        public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
            return FlexyPools.wrap(pool, BasicDataSource.class, DBCP2PoolAdapter.FACTORY, more, retries);
        }
    };

    private final ConnectLaw connectLaw;
    private final String flexyPoolMissing;

    BurstPool(ConnectLaw connectLaw, String flexyPoolMissing) {
        this.connectLaw = connectLaw;
        this.flexyPoolMissing = flexyPoolMissing;
    }

    /** How it connects when it has room: the law that the model uses. */
    ConnectLaw connectLaw() {
        return connectLaw;
    }

    /** Why FlexyPool cannot wrap this pool; empty if it can. */
    String flexyPoolMissing() {
        return flexyPoolMissing;
    }

    /**
     * A pool of this kind, all else as the pool has it by default, but for checks of idle connections, which are not what
     * is measured.
     *
     * @param database the driver's data source
     * @param max the most connections
     * @param idle connections to open at the start and to keep
     * @param timeout the acquisition timeout
     * @return the pool
     * @throws SQLException if it does not start
     */
    public abstract OpenPool open(DataSource database, int max, int idle, Duration timeout) throws SQLException;

    /**
     * Wraps a pool in FlexyPool, which adds connections one by one after timeouts, then tries again.
     *
     * @param pool as {@link #open} made it
     * @param more how many connections it may add
     * @param retries its further attempts, at least 1
     * @return the wrapped pool
     * @throws IllegalArgumentException if FlexyPool cannot wrap this kind of pool
     */
    public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
        throw new IllegalArgumentException(this + ": " + flexyPoolMissing);
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
