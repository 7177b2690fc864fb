// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.stub;

import java.sql.DatabaseMetaData;
import java.sql.SQLWarning;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection that answers at once: what a pool asks of it when it opens, lends, takes back and closes it. A subclass
 * adds what its cycle asks. It has one user at a time, but a pool's other threads may ask whether it is closed.
 */
public class StubConnection extends UnusedConnection {
    private volatile boolean closed;

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isValid(int seconds) {
        return !closed;
    }

    @Override
    public boolean getAutoCommit() {
        return true;
    }

    @Override
    public void setAutoCommit(boolean on) {
        // Always on.
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void setReadOnly(boolean on) {
        // There is nothing to write to.
    }

    @Override
    public int getTransactionIsolation() {
        return TRANSACTION_READ_COMMITTED;
    }

    @Override
    public int getNetworkTimeout() {
        return 0;
    }

    @Override
    public void setNetworkTimeout(Executor executor, int millis) {
        // There is no network.
    }

    @Override
    public DatabaseMetaData getMetaData() {
        return StubMetaData.INSTANCE;
    }

    @Override
    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    @Override
    public void clearWarnings() {
        // There are none.
    }
}
