// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired.isolated;

import java.sql.Connection;
import java.util.function.Supplier;

/** A database that answers at once: what is left of a cycle is the pool and what is around it. */
final class StubDataSource extends UnusedDataSource {
    private final Supplier<? extends Connection> driver;

    StubDataSource(Supplier<? extends Connection> driver) {
        this.driver = driver;
    }

    @Override
    public Connection getConnection() {
        return driver.get();
    }
}
