// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Locale;
import javax.sql.DataSource;

/** The pools that a scenario can compare, each with its own defaults. */
public enum Pool {
    /** HikariCP: 10 connections. Starts at its first request, as in most applications. */
    HIKARICP {
        @Override
        public DataSource over(DataSource database) {
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(database);
            return pool;
        }
    };

    /**
     * A pool over a database.
     *
     * @param database the driver's data source
     * @return the pool, which is also {@link AutoCloseable}
     */
    public abstract DataSource over(DataSource database);

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
