// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of a lease.
 *
 * @param max the longest lease; null if there is no limit
 * @param idle the longest time in a transaction without a call to the database; null if there is no limit
 */
record LeaseBudget(@Nullable Limit max, @Nullable Limit idle) {
    /**
     * A time limit and the key that configures it.
     *
     * @param time the longest time
     * @param words the key and its value, for messages
     */
    record Limit(Duration time, String words) {}

    long maxNanos() {
        return nanos(max);
    }

    long idleNanos() {
        return nanos(idle);
    }

    private static long nanos(@Nullable Limit limit) {
        return limit == null ? Long.MAX_VALUE : limit.time().toNanos();
    }

    /** The longest given limit, nanoseconds; 0 without limits. */
    long longestNanos() {
        return max != null ? maxNanos() : idle != null ? idleNanos() : 0;
    }
}
