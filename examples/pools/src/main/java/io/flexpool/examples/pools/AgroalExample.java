// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import java.time.Duration;

/** Agroal, wrapped: the example of docs/reference/pools.md. */
final class AgroalExample {
    private AgroalExample() {}

    static FlexPoolDataSource wrapped(String url) throws SQLException {
        AgroalDataSource pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .metricsEnabled()
                .connectionPoolConfiguration(size -> size.maxSize(5)
                        .acquisitionTimeout(Duration.ofSeconds(5))
                        .connectionValidator(ConnectionValidator.defaultValidator())
                        .idleValidationTimeout(Duration.ofSeconds(1))
                        .connectionFactoryConfiguration(connect -> connect.jdbcUrl(url))));

        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
