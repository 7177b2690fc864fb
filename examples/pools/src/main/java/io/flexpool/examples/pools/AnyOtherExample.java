// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.time.Duration;
import javax.sql.DataSource;

/** A data source that has no adapter, wrapped: the example of docs/reference/pools.md. */
final class AnyOtherExample {
    private AnyOtherExample() {}

    static FlexPoolDataSource wrapped(DataSource pool) {
        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .set("base", 5)
                .set("acquisition-timeout", Duration.ofSeconds(5))
                .set("ceiling", 25)
                .set("grow-on-wait.enabled", true)
                .build();
        return orders;
    }
}
