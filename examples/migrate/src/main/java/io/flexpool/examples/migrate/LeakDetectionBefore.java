// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** HikariCP's leak detection: the first program of docs/how-to/migrate-hikaricp.md. */
final class LeakDetectionBefore {
    private LeakDetectionBefore() {}

    static HikariDataSource watched(HikariConfig config) {
        config.setPoolName("orders");
        config.setLeakDetectionThreshold(2_000);
        return new HikariDataSource(config);
    }
}
