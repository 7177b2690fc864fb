// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;

/** flexpool as flexpool.properties says, which {@code flexpool migrate} has written. */
final class FlexyPoolFileAfter {
    private FlexyPoolFileAfter() {}

    static FlexPoolDataSource wrapped(HikariDataSource pool) {
        return FlexPool.wrap(pool).propertiesOnClassPath("flexpool.properties").build();
    }
}
