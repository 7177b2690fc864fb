// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.p6spy.engine.spy.P6DataSource;
import com.zaxxer.hikari.HikariDataSource;

/** p6spy, which an application uses to log statements. */
public final class P6Spy {
    private P6Spy() {}

    /**
     * With its core alone: as by default it would write a file.
     *
     * @return p6spy
     */
    public static Decorator silent() {
        return P6Spy::wrap;
    }

    private static Decorated wrap(HikariDataSource pool) {
        // Read once by each class loader's own p6spy, when its first connection is wrapped.
        System.setProperty("p6spy.config.modulelist", "com.p6spy.engine.spy.P6SpyFactory");
        System.setProperty("p6spy.config.jmx", "false");
        return Decorated.of(new P6DataSource(pool), pool);
    }
}
