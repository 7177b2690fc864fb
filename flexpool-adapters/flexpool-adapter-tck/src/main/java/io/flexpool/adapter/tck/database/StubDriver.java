// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the {@link StubDatabase} of a URL, {@code jdbc:flexpool-stub:} and a number, for pools that require a URL
 * or a driver class. References databases weakly. The first {@link StubDatabase#url()} registers the driver with
 * {@link DriverManager}, until {@link #deregister()}. Thread-safe.
 */
public final class StubDriver implements Driver {
    private static final String PREFIX = "jdbc:flexpool-stub:";
    private static final Map<String, WeakReference<StubDatabase>> DATABASES = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final StubDriver REGISTERED = new StubDriver();

    /** For pools that create their driver. */
    public StubDriver() {}

    /** Assigns a URL to a database. */
    static String urlOf(StubDatabase database) {
        DATABASES.values().removeIf(held -> held.get() == null);
        String url = PREFIX + NUMBERS.incrementAndGet();
        DATABASES.put(url, new WeakReference<>(database));
        try {
            // The driver manager ignores a driver that is registered already.
            DriverManager.registerDriver(REGISTERED);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url;
    }

    /**
     * Deregisters the driver from {@link DriverManager}, which would keep its class loader alive. The next
     * {@link StubDatabase#url()} registers it again.
     *
     * @throws SQLException if the driver manager refuses
     */
    public static void deregister() throws SQLException {
        DriverManager.deregisterDriver(REGISTERED);
    }

    @Override
    public @Nullable Connection connect(String url, @Nullable Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        WeakReference<StubDatabase> held = DATABASES.get(url);
        StubDatabase database = held == null ? null : held.get();
        if (database == null) {
            throw new SQLException("stub: there is no database " + url, "3D000");
        }
        return database.dataSource().getConnection();
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties info) {
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
        throw new SQLFeatureNotSupportedException("stub");
    }
}
