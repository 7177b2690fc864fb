// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the leases of one pool may last.
 *
 * @param max the longest lease; null if there is no limit
 * @param idle the longest time in a transaction without a call to the database; null if there is no limit
 * @param action the action for a lease that exceeds one of them
 */
record LeaseBudget(@Nullable Duration max, @Nullable Duration idle, LeaseAction action) {
    private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

    long maxNanos() {
        return (max == null ? NEVER : max).toNanos();
    }

    long idleNanos() {
        return (idle == null ? NEVER : idle).toNanos();
    }

    /** The longest of them that is given, nanoseconds. */
    long longestNanos() {
        return max != null ? max.toNanos() : idleNanos();
    }

    boolean cancels() {
        return action == LeaseAction.CANCEL;
    }

    /** The budget as it is configured. */
    String words(boolean forIdle) {
        return forIdle ? "flexpool.lease.idle-in-transaction = " + idle : "flexpool.lease.max = " + max;
    }
}
