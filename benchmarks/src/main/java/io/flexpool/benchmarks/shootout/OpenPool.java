// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A pool and how it is closed.
 *
 * @param source where cycles get connections
 * @param closing ends the pool
 */
record OpenPool(DataSource source, Closing closing) implements AutoCloseable {
    /** How a pool is closed; each has its own way. */
    interface Closing {
        void close() throws Exception;
    }

    @Override
    public void close() throws SQLException {
        try {
            closing.close();
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            // Proxool's own.
            throw new SQLException("closing the pool", e);
        }
    }
}
