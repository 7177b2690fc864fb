// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.internal.record.UsualLeases;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known when a request fails. A diagnosis is made of this alone.
 *
 * @param why what the failure was found to be
 * @param state the pool
 * @param request the request that failed
 * @param leases the connections that are out, oldest first
 * @param sightings what the threads of some of them did, by thread number
 * @param usual how long leases lasted
 * @param sizing what flexpool does about the size
 */
public record FailureSnapshot(
        AcquisitionFailure why,
        PoolState state,
        Request request,
        List<OpenLease> leases,
        Map<Long, ThreadSample> sightings,
        UsualLeases usual,
        SizingStatus sizing) {

    /**
     * The request that failed.
     *
     * @param waitedNanos how long it waited
     * @param attempts how many attempts it had
     * @param threadId the thread that asked
     */
    record Request(long waitedNanos, int attempts, long threadId) {}

    /**
     * What flexpool does about the size.
     *
     * @param mode the mode
     * @param grows whether a strategy grows the pool for those who wait
     * @param decisions the last ones of this mode, oldest first
     */
    public record SizingStatus(PoolMode mode, boolean grows, List<Decision> decisions) {}

    /** What the thread of one of the oldest leases was seen to do; null if nobody looked. */
    @Nullable
    ThreadSample seen(OpenLease lease) {
        return sightings.get(lease.threadId());
    }

    /** What was measured, else what the stack shows. */
    static Activity activity(OpenLease lease, @Nullable ThreadSample seen) {
        if (lease.activity() != Activity.UNKNOWN || seen == null) {
            return lease.activity();
        }
        return seen.place() == ThreadSample.Place.IN_DATABASE ? Activity.IN_DATABASE : Activity.IDLE;
    }

    /** The age of the connection in the middle, nanoseconds; 0 if none is out. */
    long medianAgeNanos() {
        return leases.isEmpty() ? 0 : leases.get(leases.size() / 2).age().toNanos();
    }
}
