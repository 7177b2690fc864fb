// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.fleet;

import io.flexpool.benchmarks.stub.UnusedDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A driver's data source that reports each connect that the server refuses because it has too many. Thread-safe. */
final class RefusalsDataSource extends UnusedDataSource {
    private static final String TOO_MANY_CONNECTIONS = "53300";

    private final DataSource driver;
    private final Runnable refused;

    RefusalsDataSource(DataSource driver, Runnable refused) {
        this.driver = driver;
        this.refused = refused;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return driver.getConnection();
        } catch (SQLException failure) {
            if (TOO_MANY_CONNECTIONS.equals(failure.getSQLState())) {
                refused.run();
            }
            throw failure;
        }
    }
}
