// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Agroal makes its data source itself, from a class and properties: so a test's database is handed over by a name. */
public final class StubProvider extends MinimalDataSource {
    private static final Map<String, DataSource> DATABASES = new ConcurrentHashMap<>();
    private @Nullable DataSource database;

    /** For Agroal. */
    public StubProvider() {}

    /**
     * Makes a database known.
     *
     * @param database any data source
     * @return the value of the property {@code database}
     */
    static String nameOf(DataSource database) {
        String name = UUID.randomUUID().toString();
        DATABASES.put(name, database);
        return name;
    }

    /**
     * For Agroal.
     *
     * @param name from {@link #nameOf}
     */
    public void setDatabase(String name) {
        database = Objects.requireNonNull(DATABASES.remove(name));
    }

    private DataSource database() {
        return Objects.requireNonNull(database);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return database().getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return database().getConnection(user, password);
    }

    @Override
    public <T> T unwrap(Class<T> iface) throws SQLException {
        return database().unwrap(iface);
    }

    @Override
    public boolean isWrapperFor(Class<?> iface) throws SQLException {
        return database().isWrapperFor(iface);
    }
}
