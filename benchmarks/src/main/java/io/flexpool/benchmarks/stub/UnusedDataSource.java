// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.stub;

import java.io.PrintWriter;
import java.sql.Connection;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source of which only the plain {@code getConnection()} is left to write. */
public abstract class UnusedDataSource implements DataSource {
    /** Kept because HikariCP, when it closes, waits as long as the data source says. */
    private int loginTimeout;

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("not part of the cycle");
    }

    @Override
    public Connection getConnection(String user, String password) {
        throw unused();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // Pools may offer one; nothing is written.
    }

    @Override
    public void setLoginTimeout(int seconds) {
        loginTimeout = seconds;
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }

    @Override
    public Logger getParentLogger() {
        throw unused();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw unused();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
