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
 * A driver that connects by a data source, for pools that accept only a driver. Registered with {@link DriverManager}
 * only between {@link #register()} and {@link #deregister()}.
 *
 * @param dataSource the source of the connections
 * @param url the only URL that it accepts
 */
public record DataSourceDriver(DataSource dataSource, String url) implements Driver {
    /** The prefix of its URLs. */
    public static final String URL = "jdbc:flexpool-data-source:";

    /**
     * For a pool that is configured with the driver object.
     *
     * @param dataSource the source of the connections
     */
    public DataSourceDriver(DataSource dataSource) {
        this(dataSource, URL);
    }

    /**
     * Registers the driver with {@link DriverManager}.
     *
     * @throws SQLException if the driver manager refuses
     */
    public void register() throws SQLException {
        DriverManager.registerDriver(this);
    }

    /**
     * Deregisters the driver.
     *
     * @throws SQLException if the driver manager refuses
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
