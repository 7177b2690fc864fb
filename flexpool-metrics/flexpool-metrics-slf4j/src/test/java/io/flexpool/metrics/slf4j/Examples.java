// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.slf4j;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.time.Duration;
import javax.sql.DataSource;

/** The examples of the documentation; compared by {@link DocumentationTest}. */
final class Examples {
    private Examples() {}

    static FlexPoolDataSource logged(DataSource hikari) {
        return FlexPool.wrap(hikari)
                .name("orders")
                .slowAcquisition(Duration.ofMillis(100))
                .longLease(Duration.ofSeconds(30))
                .metrics(Slf4jMetrics.create().every(Duration.ofMinutes(1)).lines(5))
                .build();
    }
}
