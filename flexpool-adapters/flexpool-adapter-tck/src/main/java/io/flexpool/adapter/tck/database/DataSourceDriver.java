// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source for pools that only take a driver. Known to {@link DriverManager} only between {@link #register()} and
 * {@link #deregister()}, for pools that search for it there.
 *
 * @param dataSource where connections come from
 * @param url what it answers to, and nothing else
 */
public record DataSourceDriver(DataSource dataSource, String url) implements Driver {
    /** What its URLs begin with. */
    public static final String URL = "jdbc:flexpool-data-source:";

    /**
     * For a pool that is given the driver itself.
     *
     * @param dataSource where connections come from
     */
    public DataSourceDriver(DataSource dataSource) {
        this(dataSource, URL);
    }

    /**
     * Lets {@link DriverManager} find it.
     *
     * @throws SQLException if it refuses
     */
    public void register() throws SQLException {
        DriverManager.registerDriver(this);
    }

    /**
     * Takes it out of {@link DriverManager} again.
     *
     * @throws SQLException if it refuses
     */
    public void deregister() throws SQLException {
        DriverManager.deregisterDriver(this);
    }

    @Override
    public @Nullable Connection connect(String asked, @Nullable Properties info) throws SQLException {
        return acceptsURL(asked) ? dataSource.getConnection() : null;
    }

    @Override
    public boolean acceptsURL(String asked) {
        return url.equals(asked);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String asked, @Nullable Properties info) {
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
