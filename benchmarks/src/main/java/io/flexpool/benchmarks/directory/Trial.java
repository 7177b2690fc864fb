// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.kit.OpenPool;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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
            case WRAPPED ->
                pool.pool().open(driver, ceiling, base, sizes.timeout()).inFlexPool("directory-" + pool, keys(sizes));
        };
    }

    private static Map<String, Object> keys(Sizes sizes) {
        Map<String, Object> keys = new HashMap<>(Map.of(
                "base",
                sizes.base(),
                "ceiling",
                sizes.ceiling(),
                "grow-on-wait.enabled",
                true,
                "grow-on-wait.keep",
                KEEP));
        if (sizes.deadlineMs() > sizes.timeoutMs()) {
            keys.put("retry.deadline", sizes.deadline());
        }
        return keys;
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
