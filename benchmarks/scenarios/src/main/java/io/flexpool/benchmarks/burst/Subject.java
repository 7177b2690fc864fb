// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** One kind of pool: how it is made, and how FlexyPool wraps it. */
interface Subject {
    /**
     * A pool that keeps {@code idle} connections open and opens up to {@code max}; all else as the pool has it by
     * default, but for checks of idle connections, which are not what is measured.
     *
     * @param database the driver's data source
     * @param max the most connections
     * @param idle connections to open at the start and to keep
     * @param timeout the acquisition timeout
     * @return the pool
     * @throws SQLException if it does not start
     */
    OpenPool open(DataSource database, int max, int idle, Duration timeout) throws SQLException;

    /**
     * How it connects when it has room.
     *
     * @return the law that the model uses
     */
    ConnectLaw connectLaw();

    /**
     * Wraps a pool in FlexyPool. Asked only if {@link #flexyPoolMissing()} is empty.
     *
     * @param pool as {@link #open} made it
     * @param more how many connections FlexyPool may add
     * @param retries its further attempts
     * @return the wrapped pool
     */
    OpenPool inFlexyPool(OpenPool pool, int more, int retries);

    /**
     * Why FlexyPool cannot wrap this pool.
     *
     * @return the reason, empty if it can
     */
    default String flexyPoolMissing() {
        return "";
    }
}
