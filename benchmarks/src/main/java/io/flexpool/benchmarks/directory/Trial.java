// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.benchmarks.burst.OpenPool;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * One pool in one variant.
 *
 * @param pool the pool
 * @param variant what stands around it
 */
record Trial(DirectoryPool pool, Variant variant) {
    /** Growth is given back before the next burst: else the ones after the first would meet a pool that is grown. */
    static final Duration KEEP = Duration.ofMillis(500);

    OpenPool open(DataSource driver, Sizes sizes) throws SQLException {
        int base = sizes.base();
        int ceiling = sizes.ceiling();
        return switch (variant) {
            case BARE -> pool.pool().open(driver, base, base, sizes.timeout());
            case BARE_GROWING -> pool.pool().open(driver, ceiling, base, sizes.timeout());
            case BARE_SAME_DEADLINE -> pool.pool().open(driver, base, base, sizes.deadline());
            case BARE_CEILING -> pool.pool().open(driver, ceiling, ceiling, sizes.deadline());
            case WRAPPED -> wrapped(pool.pool().open(driver, ceiling, base, sizes.timeout()), sizes);
        };
    }

    private OpenPool wrapped(OpenPool open, Sizes sizes) throws SQLException {
        var builder = FlexPool.wrap(open.source())
                .name("directory-" + pool)
                .set("base", sizes.base())
                .set("ceiling", sizes.ceiling())
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.keep", KEEP);
        if (sizes.deadlineMs() > sizes.timeoutMs()) {
            builder.set("retry.deadline", sizes.deadline());
        }
        try {
            FlexPoolDataSource source = builder.build();
            return new OpenPool(source, source::close);
        } catch (IllegalArgumentException refused) {
            open.close();
            throw refused;
        }
    }

    /** Connections that are open when the load begins. */
    int connectionsAtFirst(Sizes sizes) {
        return variant == Variant.BARE_CEILING ? sizes.ceiling() : sizes.base();
    }

    @Override
    public String toString() {
        return pool + " " + variant;
    }
}
