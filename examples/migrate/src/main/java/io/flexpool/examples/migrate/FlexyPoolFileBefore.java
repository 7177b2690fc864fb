// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.vladmihalcea.flexypool.FlexyPoolDataSource;
import com.zaxxer.hikari.HikariDataSource;

/** FlexyPool as flexy-pool.properties says. */
final class FlexyPoolFileBefore {
    private FlexyPoolFileBefore() {}

    static FlexyPoolDataSource<HikariDataSource> wrapped(HikariDataSource pool) {
        FlexyPoolDataSource<HikariDataSource> orders = new FlexyPoolDataSource<>(pool);
        orders.start();
        return orders;
    }
}
