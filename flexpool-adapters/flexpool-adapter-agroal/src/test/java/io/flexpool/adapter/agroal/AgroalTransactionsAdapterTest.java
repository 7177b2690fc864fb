// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.flexpool.adapter.tck.contract.TransactionContract;
import io.flexpool.adapter.tck.contract.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** With Narayana, as Quarkus and WildFly have it. */
class AgroalTransactionsAdapterTest extends TransactionContract {
    private final Narayana narayana = new Narayana();

    @Override
    protected DataSource pool(JdbcDataSource database, int max, Duration timeout) {
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .metricsEnabled()
                    .connectionPoolConfiguration(pool -> pool.maxSize(max)
                            .acquisitionTimeout(timeout)
                            .transactionIntegration(narayana.integration())
                            .connectionFactoryConfiguration(
                                    connect -> connect.connectionProviderClass(JdbcDataSource.class)
                                            .jdbcUrl(database.getURL())
                                            .principal(new NamePrincipal(database.getUser())))));
        } catch (SQLException noSuchImplementation) {
            throw new IllegalStateException(noSuchImplementation);
        }
    }

    @Override
    protected Transactions transactions() {
        return narayana;
    }
}
