// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.internal.record.UsualLeases;
import io.flexpool.pool.PoolMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known when a request fails. A diagnosis is made of this alone.
 *
 * @param failed the failure
 * @param threadId the thread of the request
 * @param leases the open leases, oldest first
 * @param samples what the threads of some of them did, by thread number
 * @param usual how long leases lasted
 * @param sizing what flexpool does about the size
 */
record FailureSnapshot(
        FailedAttempt failed,
        long threadId,
        List<OpenLease> leases,
        Map<Long, ThreadSample> samples,
        UsualLeases usual,
        SizingStatus sizing) {

    /**
     * What flexpool does about the size.
     *
     * @param mode the mode
     * @param grows whether a strategy grows the pool for requests that wait
     * @param decisions the last ones of this mode, oldest first
     */
    record SizingStatus(PoolMode mode, boolean grows, List<Decision> decisions) {}

    /** What the thread of one of the oldest leases did; null if it was not sampled. */
    @Nullable
    ThreadSample seen(OpenLease lease) {
        return samples.get(lease.threadId());
    }

    /** What was measured, else what the stack shows. */
    static Activity activity(OpenLease lease, @Nullable ThreadSample seen) {
        if (lease.activity() != Activity.UNKNOWN || seen == null) {
            return lease.activity();
        }
        return seen.place() == ThreadSample.Place.IN_DATABASE ? Activity.IN_DATABASE : Activity.IDLE;
    }

    /** The median age of the open leases, nanoseconds; 0 if there are none. */
    long medianAgeNanos() {
        return leases.isEmpty() ? 0 : leases.get(leases.size() / 2).age().toNanos();
    }
}
