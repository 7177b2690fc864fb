// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.stub;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.database.MinimalDataSource;
import java.sql.Connection;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A database that answers at once: what is left of a cycle is the pool and what is around it. */
public final class StubDataSource extends MinimalDataSource {
    private final Supplier<? extends Connection> driver;

    StubDataSource(Supplier<? extends Connection> driver) {
        this.driver = driver;
    }

    /**
     * Such a database.
     *
     * @param driver makes the connections
     * @return the database
     */
    public static DataSource of(Supplier<? extends Connection> driver) {
        return new StubDataSource(driver);
    }

    /**
     * A pool of such connections, which opens them when it is first used.
     *
     * @param name the pool's name
     * @param driver makes the connections
     * @param size connections at most
     * @return HikariCP
     */
    public static HikariDataSource pool(String name, Supplier<? extends Connection> driver, int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName(name);
        pool.setDataSource(new StubDataSource(driver));
        pool.setMaximumPoolSize(size);
        return pool;
    }

    @Override
    public Connection getConnection() {
        return driver.get();
    }
}
