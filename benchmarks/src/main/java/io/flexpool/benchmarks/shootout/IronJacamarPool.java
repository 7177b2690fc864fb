// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.adapter.tck.database.DataSourceDriver;
import io.flexpool.benchmarks.kit.OpenPool;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import java.sql.Driver;
import javax.sql.DataSource;
import org.jboss.jca.adapters.jdbc.JDBCResourceAdapter;
import org.jboss.jca.adapters.jdbc.local.LocalManagedConnectionFactory;
import org.jboss.jca.common.api.metadata.common.FlushStrategy;
import org.jboss.jca.core.api.connectionmanager.pool.PoolConfiguration;
import org.jboss.jca.core.connectionmanager.ConnectionManagerFactory;
import org.jboss.jca.core.connectionmanager.NoTxConnectionManager;
import org.jboss.jca.core.connectionmanager.pool.api.Pool;
import org.jboss.jca.core.connectionmanager.pool.api.PoolFactory;
import org.jboss.jca.core.connectionmanager.pool.api.PoolStrategy;
import org.jboss.jca.core.connectionmanager.pool.api.PrefillPool;
import org.jboss.jca.core.connectionmanager.pool.mcp.ManagedConnectionPoolFactory;

/**
 * The JBoss data source: IronJacamar's pool, connection manager and JDBC resource adapter, put together by hand as a
 * server's deployer does, without a server and without transactions.
 */
final class IronJacamarPool {
    private IronJacamarPool() {}

    static OpenPool open(DataSource database) throws ResourceException {
        DataSourceDriver driver = new DataSourceDriver(database);
        LocalManagedConnectionFactory connections = new Connections(driver);
        // Asked with each statement whether a transaction is active; without one it has no registry to check.
        connections.setResourceAdapter(new JDBCResourceAdapter());
        connections.setDriverClass(DataSourceDriver.class.getName());
        connections.setConnectionURL(driver.url());
        connections.setUserName("stub");
        connections.setPassword("stub");
        Pool pool = new PoolFactory()
                .create(
                        PoolStrategy.ONE_POOL,
                        connections,
                        sizes(),
                        false,
                        true,
                        ManagedConnectionPoolFactory.DEFAULT_IMPLEMENTATION);
        pool.setName("shoot-out");
        NoTxConnectionManager manager = manager(pool);
        if (pool instanceof PrefillPool prefilled) {
            prefilled.prefill(null, null, false);
        }
        return new OpenPool((DataSource) connections.createConnectionFactory(manager), manager::shutdown);
    }

    /** It makes its driver by the name of a class without parameters, or by the object set here. */
    private static final class Connections extends LocalManagedConnectionFactory {
        private static final long serialVersionUID = 1;

        private final transient DataSourceDriver driver;

        Connections(DataSourceDriver driver) {
            this.driver = driver;
        }

        @Override
        protected Driver getDriver(String url) {
            return driver;
        }
    }

    private static PoolConfiguration sizes() {
        PoolConfiguration sizes = new PoolConfiguration();
        sizes.setInitialSize(Sizes.INITIAL);
        sizes.setMinSize(Sizes.MIN);
        sizes.setMaxSize(Sizes.MAX);
        sizes.setBlockingTimeout(Sizes.TIMEOUT.toMillis());
        sizes.setPrefill(true);
        return sizes;
    }

    /** Sharable, not enlisting, nothing tracked, no retries: what a data source without transactions gets in a server. */
    private static NoTxConnectionManager manager(Pool pool) {
        return new ConnectionManagerFactory()
                .createNonTransactional(
                        TransactionSupportLevel.NoTransaction,
                        pool,
                        null,
                        null,
                        false,
                        null,
                        false,
                        true,
                        false,
                        null,
                        FlushStrategy.FAILING_CONNECTION_ONLY,
                        0,
                        0L);
    }
}
