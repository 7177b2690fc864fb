// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.util.List;

/**
 * One tick of a pool, for a sizing policy. Immutable.
 *
 * @param nowNanos the time, on the pool's ticker
 * @param base the lease limit to return to
 * @param ceiling the lease limit never to pass
 * @param limit the current lease limit
 * @param active connections in use (leased and foreign)
 * @param waiting requests that wait at the gate
 * @param lastGrowthNanos when the limit was last raised, on the pool's ticker; meaningless while limit ≤ base
 * @param total connections the pool has open, idle and in use; negative if not reported
 * @param headAgeNanos how long the oldest waiting request has waited, nanoseconds; 0 without one
 * @param traffic the requests and leases since the last tick
 * @param open the open leases
 */
public record PoolWindow(
        long nowNanos,
        int base,
        int ceiling,
        int limit,
        int active,
        int waiting,
        long lastGrowthNanos,
        int total,
        long headAgeNanos,
        Traffic traffic,
        LeaseAges open) {
    PoolWindow withCeiling(int other) {
        return new PoolWindow(
                nowNanos, base, other, limit, active, waiting, lastGrowthNanos, total, headAgeNanos, traffic, open);
    }

    /** Whether no request arrived, ended or waits, and no connection is in use. */
    boolean resting() {
        return waiting == 0 && active == 0 && headAgeNanos == 0 && open.count() == 0 && traffic.isNone();
    }

    /** Whether all connections that the limit allows are open; true if the pool does not report this. */
    boolean filled() {
        return total < 0 || total >= limit;
    }

    /** Whether requests wait although the limit does not bind: for connections that are still being opened. */
    boolean opening() {
        return !filled() && waiting > 0;
    }

    /**
     * The requests and leases between two ticks. Immutable.
     *
     * @param arrivals requests for a connection
     * @param completions leases that ended
     * @param leaseNanos the total time of these leases, nanoseconds
     * @param timeouts requests that timed out
     * @param connectFailures connections that the database refused
     * @param meanActive active connections, averaged over the time of the tick
     * @param saturated share of the tick's time, 0 to 1, in which at least as many connections were in use as the limit
     *     allows and a request waited
     * @param classes the figures of each class of requests, in their order; empty if there is one for all
     */
    public record Traffic(
            long arrivals,
            long completions,
            long leaseNanos,
            long timeouts,
            long connectFailures,
            double meanActive,
            double saturated,
            List<OfClass> classes) {
        /** The traffic of a pool without classes. */
        public Traffic(
                long arrivals,
                long completions,
                long leaseNanos,
                long timeouts,
                long connectFailures,
                double meanActive,
                double saturated) {
            this(arrivals, completions, leaseNanos, timeouts, connectFailures, meanActive, saturated, List.of());
        }

        /** No request and no lease. */
        public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0, 0);

        /** {@link #NONE} if all figures are zero, so that the history of an idle pool holds no objects. */
        public Traffic orNone() {
            return isNone() ? NONE : this;
        }

        boolean isNone() {
            return arrivals == 0
                    && completions == 0
                    && leaseNanos == 0
                    && timeouts == 0
                    && connectFailures == 0
                    && meanActive == 0
                    && saturated == 0;
        }
    }

    /**
     * The requests and leases of one class between two ticks, and its present requests. Immutable.
     *
     * @param arrivals requests for a connection
     * @param completions leases that ended
     * @param leaseNanos the total time of these leases, nanoseconds
     * @param present requests that have a connection or wait for one
     */
    public record OfClass(long arrivals, long completions, long leaseNanos, int present) {}
}
