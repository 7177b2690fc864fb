// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.pool.Decision;
import io.flexpool.pool.HistogramSnapshot;
import io.flexpool.pool.OpenLease;
import io.flexpool.pool.OpenLease.Activity;
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
 * @param past how long leases lasted
 * @param course what flexpool does about the size
 */
record Situation(
        AcquisitionFailure why,
        PoolState state,
        Request request,
        List<OpenLease> leases,
        Map<Long, Sighting> sightings,
        Past past,
        Course course) {

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
    record Course(PoolMode mode, boolean grows, List<Decision> decisions) {}

    /**
     * How long leases lasted.
     *
     * @param usual those before; of the whole life if there is no "before" yet
     * @param recent those of the last minute
     * @param windowNanos how long that is, less just after the start
     */
    record Past(HistogramSnapshot usual, HistogramSnapshot recent, long windowNanos) {
        /** From so many on a past is something to compare with. */
        static final int ENOUGH = 20;

        static final Past NONE = new Past(HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY, 0);

        boolean known() {
            return usual.count() >= ENOUGH;
        }

        /**
         * How old an open connection would be on average if leases lasted as usual. Long leases are met more often than
         * short ones, each in its middle on average: half of the mean square over the mean.
         */
        double usualAgeNanos() {
            double mean = usual.meanNanos();
            double deviation = usual.stdDevNanos();
            return mean == 0 ? 0 : (deviation * deviation + mean * mean) / (2 * mean);
        }
    }

    /** What the thread of one of the oldest leases was seen to do; null if nobody looked. */
    @Nullable
    Sighting seen(OpenLease lease) {
        return sightings.get(lease.threadId());
    }

    /** What was measured, else what the stack shows. */
    static Activity activity(OpenLease lease, @Nullable Sighting seen) {
        if (lease.activity() != Activity.UNKNOWN || seen == null) {
            return lease.activity();
        }
        return seen.place() == Sighting.Place.IN_DATABASE ? Activity.IN_DATABASE : Activity.IDLE;
    }

    /** The age of the connection in the middle, nanoseconds; 0 if none is out. */
    long medianAgeNanos() {
        return leases.isEmpty() ? 0 : leases.get(leases.size() / 2).ageNanos();
    }
}
