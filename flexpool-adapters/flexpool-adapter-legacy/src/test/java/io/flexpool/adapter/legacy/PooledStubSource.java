// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import java.io.PrintWriter;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;

/** Makes a driver's pooled connections of a data source's. */
final class PooledStubSource implements ConnectionPoolDataSource {
    private final DataSource database;

    PooledStubSource(DataSource database) {
        this.database = database;
    }

    @Override
    public PooledConnection getPooledConnection() throws SQLException {
        return new PooledStub(database.getConnection());
    }

    @Override
    public PooledConnection getPooledConnection(String user, String password) throws SQLException {
        return getPooledConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // Nothing is logged.
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // Connects take as long as they take.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("stub");
    }
}
