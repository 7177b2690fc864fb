// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.jolbox.bonecp.BoneCPDataSource;
import com.mchange.v2.c3p0.DataSources;
import io.flexpool.adapter.tck.database.DataSourceDriver;
import io.flexpool.benchmarks.kit.OpenPool;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.commons.dbcp.BasicDataSource;
import org.logicalcobwebs.proxool.ProxoolDataSource;
import org.logicalcobwebs.proxool.ProxoolFacade;
import org.vibur.dbcp.ViburDBCPDataSource;

/**
 * The pools of this scenario alone, with {@link Sizes} and otherwise their defaults. Only the number of idle connections is set, to
 * the max: a pool that closed connections would open them again in the next cycle.
 */
final class OwnPools {
    /** Proxool knows a pool by its name, also after its end. */
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private OwnPools() {}

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

    static OpenPool vibur(DataSource database) {
        ViburDBCPDataSource pool = new ViburDBCPDataSource();
        pool.setExternalDataSource(database);
        pool.setPoolInitialSize(Sizes.INITIAL);
        pool.setPoolMaxSize(Sizes.MAX);
        pool.setConnectionTimeoutInMs(Sizes.TIMEOUT.toMillis());
        pool.start();
        return new OpenPool(pool, pool::terminate);
    }

    static OpenPool boneCp(DataSource database) {
        BoneCPDataSource pool = new BoneCPDataSource();
        pool.setDatasourceBean(database);
        pool.setPartitionCount(1);
        pool.setMinConnectionsPerPartition(Sizes.MIN);
        pool.setMaxConnectionsPerPartition(Sizes.MAX);
        pool.setConnectionTimeoutInMs(Sizes.TIMEOUT.toMillis());
        return new OpenPool(pool, pool);
    }

    static OpenPool dbcp14(DataSource database) throws SQLException {
        DataSourceDriver driver = registered(database);
        BasicDataSource pool = new BasicDataSource();
        pool.setDriverClassName(DataSourceDriver.class.getName());
        pool.setUrl(driver.url());
        pool.setInitialSize(Sizes.INITIAL);
        pool.setMinIdle(Sizes.MIN);
        pool.setMaxIdle(Sizes.MAX);
        pool.setMaxActive(Sizes.MAX);
        pool.setMaxWait(Sizes.TIMEOUT.toMillis());
        return new OpenPool(pool, () -> {
            pool.close();
            driver.deregister();
        });
    }

    /** Has no acquisition timeout: it refuses at once where it is full. */
    static OpenPool proxool(DataSource database) throws SQLException {
        DataSourceDriver driver = registered(database);
        ProxoolDataSource pool = new ProxoolDataSource();
        pool.setAlias("shoot-out-" + NUMBERS.incrementAndGet());
        pool.setDriver(DataSourceDriver.class.getName());
        pool.setDriverUrl(driver.url());
        pool.setUser("stub");
        pool.setPassword("stub");
        pool.setMinimumConnectionCount(Sizes.MIN);
        pool.setMaximumConnectionCount(Sizes.MAX);
        return new OpenPool(pool, () -> {
            // Its wrapper has closed it already.
            if (List.of(ProxoolFacade.getAliases()).contains(pool.getAlias())) {
                ProxoolFacade.removeConnectionPool(pool.getAlias(), 0);
            }
            driver.deregister();
        });
    }

    private static DataSourceDriver registered(DataSource database) throws SQLException {
        DataSourceDriver driver =
                new DataSourceDriver(database, DataSourceDriver.URL + "//127.0.0.1/" + NUMBERS.incrementAndGet());
        driver.register();
        return driver;
    }
}
