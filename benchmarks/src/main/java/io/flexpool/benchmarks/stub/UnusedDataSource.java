// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.stub;

import io.flexpool.adapter.tck.database.MinimalDataSource;

/** A data source of which only the plain {@code getConnection()} is left to write. */
public abstract class UnusedDataSource extends MinimalDataSource {
    /** Kept because HikariCP, when it closes, waits as long as the data source says. */
    private int loginTimeout;

    @Override
    public void setLoginTimeout(int seconds) {
        loginTimeout = seconds;
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }
}
