// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolListener;
import java.time.Duration;

/** The same with flexpool: the second program of docs/how-to/migrate-hikaricp.md. */
final class LeakDetectionAfter {
    private LeakDetectionAfter() {}

    static FlexPoolDataSource watched(HikariConfig config, PoolListener listener) {
        config.setPoolName("orders");
        return FlexPool.wrap(new HikariDataSource(config))
                .set("leak.threshold", Duration.ofSeconds(2))
                .set("call-sites.sample-every", 1)
                .listener(listener)
                .build();
    }
}
