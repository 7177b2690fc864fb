// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.alibaba.druid.pool.DruidDataSource;
import com.mchange.v2.c3p0.DataSources;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.benchmarks.kit.DataSourceDriver;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.vibur.dbcp.ViburDBCPDataSource;

/**
 * The pools that are still maintained, with {@link Sizes} and all else as they have it by default, but for what they keep
 * when idle: the whole max, so that none closes connections that the next cycle needs.
 */
final class MaintainedPools {
    private MaintainedPools() {}

    static OpenPool druid(DataSource database) {
        DruidDataSource pool = new DruidDataSource();
        pool.setDriver(new DataSourceDriver(database));
        pool.setUrl(DataSourceDriver.URL);
        pool.setInitialSize(Sizes.INITIAL);
        pool.setMinIdle(Sizes.MIN);
        pool.setMaxActive(Sizes.MAX);
        pool.setMaxWait(Sizes.TIMEOUT.toMillis());
        // Else it complains that it has no validation query.
        pool.setTestWhileIdle(false);
        return new OpenPool(pool, pool::close);
    }

    static OpenPool dbcp2(DataSource database) {
        BasicDataSource pool = new BasicDataSource();
        pool.setDriver(new DataSourceDriver(database));
        pool.setUrl(DataSourceDriver.URL);
        pool.setInitialSize(Sizes.INITIAL);
        pool.setMinIdle(Sizes.MIN);
        pool.setMaxIdle(Sizes.MAX);
        pool.setMaxTotal(Sizes.MAX);
        pool.setMaxWait(Sizes.TIMEOUT);
        return new OpenPool(pool, pool::close);
    }

    static OpenPool c3p0(DataSource database) throws SQLException {
        DataSource pool = DataSources.pooledDataSource(
                database,
                Map.of(
                        "initialPoolSize",
                        Sizes.INITIAL,
                        "minPoolSize",
                        Sizes.MIN,
                        "maxPoolSize",
                        Sizes.MAX,
                        "checkoutTimeout",
                        (int) Sizes.TIMEOUT.toMillis()));
        return new OpenPool(pool, () -> DataSources.destroy(pool));
    }

    static OpenPool tomcat(DataSource database) {
        PoolProperties properties = new PoolProperties();
        properties.setDataSource(database);
        properties.setInitialSize(Sizes.INITIAL);
        properties.setMinIdle(Sizes.MIN);
        properties.setMaxIdle(Sizes.MAX);
        properties.setMaxActive(Sizes.MAX);
        properties.setMaxWait((int) Sizes.TIMEOUT.toMillis());
        org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource(properties);
        return new OpenPool(pool, pool::close);
    }

    static OpenPool hikariCp(DataSource database) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMinimumIdle(Sizes.MIN);
        pool.setMaximumPoolSize(Sizes.MAX);
        pool.setConnectionTimeout(Sizes.TIMEOUT.toMillis());
        return new OpenPool(pool, pool::close);
    }

    static OpenPool vibur(DataSource database) {
        ViburDBCPDataSource pool = new ViburDBCPDataSource();
        pool.setExternalDataSource(database);
        pool.setPoolInitialSize(Sizes.INITIAL);
        pool.setPoolMaxSize(Sizes.MAX);
        pool.setConnectionTimeoutInMs(Sizes.TIMEOUT.toMillis());
        pool.start();
        return new OpenPool(pool, pool::terminate);
    }
}
