// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Druid connects by a driver: this one asks a data source. */
final class OverDataSource implements Driver {
    static final String URL = "jdbc:flexpool-stub:";
    private final DataSource database;

    OverDataSource(DataSource database) {
        this.database = database;
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        return database.getConnection();
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.equals(URL);
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
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
