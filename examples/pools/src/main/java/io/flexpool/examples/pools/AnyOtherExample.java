// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.GrowOnWait;
import java.time.Duration;
import javax.sql.DataSource;

/** A data source that has no adapter, wrapped: the example of docs/pools.md. */
final class AnyOtherExample {
    private AnyOtherExample() {}

    static FlexPoolDataSource wrapped(DataSource pool) {
        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .base(5)
                .acquisitionTimeout(Duration.ofSeconds(5))
                .strategy(GrowOnWait.upTo(25))
                .build();
        return orders;
    }
}
