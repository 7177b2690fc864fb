// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.zaxxer.hikari.HikariDataSource;
import java.io.Closeable;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/**
 * A pool with something around it.
 *
 * @param dataSource what an application would use
 * @param scrape reads all figures once, as the backend's reporter would; returns how many it read
 * @param end closes the pool and the decoration's resources
 */
public record Decorated(DataSource dataSource, IntSupplier scrape, Closeable end) {
    /**
     * A decoration that holds nothing of its own.
     *
     * @param dataSource what an application would use
     * @param pool the pool behind it
     * @return both
     */
    public static Decorated of(DataSource dataSource, HikariDataSource pool) {
        return new Decorated(dataSource, () -> 0, pool);
    }
}
