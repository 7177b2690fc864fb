// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A pool, wrapped or not, and how it is closed.
 *
 * @param source where requests get connections
 * @param closing ends the pool and its wrappers
 */
public record OpenPool(DataSource source, Closing closing) implements AutoCloseable {
    /** How a pool is closed; each has its own way. */
    @FunctionalInterface
    public interface Closing {
        /**
         * Closes it.
         *
         * @throws SQLException if it does not close
         */
        void close() throws SQLException;
    }

    @Override
    public void close() throws SQLException {
        closing.close();
    }
}
