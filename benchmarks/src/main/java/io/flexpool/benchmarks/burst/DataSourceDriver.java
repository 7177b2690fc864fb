// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A data source for pools that only take a driver. Not registered anywhere.
 *
 * @param dataSource where connections come from
 */
record DataSourceDriver(DataSource dataSource) implements Driver {
    /** Any URL will do. */
    static final String URL = "jdbc:flexpool-benchmark:";

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        return dataSource.getConnection();
    }

    @Override
    public boolean acceptsURL(String url) {
        return true;
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(Logger.GLOBAL_LOGGER_NAME);
    }
}
