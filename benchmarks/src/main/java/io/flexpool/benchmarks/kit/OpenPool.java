// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/**
 * A pool, wrapped or not, and how it is closed.
 *
 * @param source where requests get connections
 * @param closing ends the pool and its wrappers; each pool has its own way
 */
public record OpenPool(DataSource source, AutoCloseable closing) implements AutoCloseable {
    /** Ends what has no end. A machine that is busy with something else has needed more than ten. */
    private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Waits until the pool has opened its connections: some pools start at their first request and fill up in the
     * background, which would slow down the measured requests.
     *
     * @param open how many it has now, by the driver's count
     * @param connections how many it is to have
     * @throws SQLException if it does not fill
     */
    public void fill(IntSupplier open, int connections) throws SQLException {
        source.getConnection().close();
        long end = System.nanoTime() + FILL_NANOS;
        while (open.getAsInt() < connections) {
            if (System.nanoTime() - end > 0) {
                throw new SQLException("after " + TimeUnit.NANOSECONDS.toSeconds(FILL_NANOS) + " s the pool has opened "
                        + open.getAsInt() + " of " + connections + " connections");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /**
     * The same in flexpool.
     *
     * @param name what flexpool calls it
     * @param keys of flexpool, with their values
     * @return closes this too, whose own way to close may do more than flexpool knows
     * @throws SQLException if flexpool refuses a key, and this then does not close
     */
    public OpenPool inFlexPool(String name, Map<String, ?> keys) throws SQLException {
        FlexPoolBuilder builder = FlexPool.wrap(source).name(name);
        keys.forEach(builder::set);
        try {
            FlexPoolDataSource wrapped = builder.build();
            return new OpenPool(wrapped, () -> {
                wrapped.close();
                close();
            });
        } catch (IllegalArgumentException refused) {
            close();
            throw refused;
        }
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
