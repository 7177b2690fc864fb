// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.AcquisitionOutcome;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The statistics of a pool: {@link #total()} since it was wrapped, for backends that compute differences, and
 * {@link #recent()} over the last minute, for people and for backends that show values directly. Immutable.
 *
 * @param total everything since the start
 * @param recent the last {@code windowNanos}
 * @param windowNanos the length of the recent window, nanoseconds: 55 to 60 seconds, less just after the start
 * @param acquisitionRates acquisitions that got a connection, per second
 * @param leaseRates leases that ended, per second
 */
public record PoolStatistics(
        Figures total, Figures recent, long windowNanos, Rates acquisitionRates, Rates leaseRates) {

    /**
     * Exponentially weighted rates, per second, moved every five seconds as a Unix load average is.
     *
     * @param mean over the whole life
     * @param oneMinute over the last minute
     * @param fiveMinutes over the last five minutes
     * @param fifteenMinutes over the last fifteen minutes
     */
    public record Rates(double mean, double oneMinute, double fiveMinutes, double fifteenMinutes) {
        /** Nothing has happened. */
        public static final Rates ZERO = new Rates(0, 0, 0, 0);
    }

    /**
     * The figures of one span of time. Immutable.
     *
     * @param acquisitions how long requests took from the call to the answer, by outcome; every outcome has an entry
     * @param attempts how long single calls of the pool's {@code getConnection()} took that gave a connection
     * @param leases lease times
     * @param connects how long physical connects took, if the pool reports it ({@link PoolView#supports}); from its
     *     totals every 250 ms, so that connects of the same quarter of a second count with their mean
     * @param active connections in use, sampled every 250 ms
     * @param pending requests waiting or entering, sampled every 250 ms
     * @param limit the lease limit (of a watched pool: its max), sampled every 250 ms
     * @param grownBy how far the lease limit was above the base, sampled every 250 ms
     * @param retries retries per request, of the requests that were retried
     * @param growths times the limit was raised
     * @param shrinks times the limit was lowered
     * @param refusedGrowths requests whose growth was refused (connect failures, ceiling, not exhausted)
     * @param connectFailures attempts that failed, in the pool or at the gate, because the database refused or could
     *     not be reached
     * @param leaksSuspected leases longer than {@code leak.threshold}, each counted once
     * @param nestedAcquisitions requests of a thread that held another connection of the same pool
     * @param listenerErrors exceptions of listeners, observers and adapters that were ignored
     */
    public record Figures(
            Map<AcquisitionOutcome, HistogramSnapshot> acquisitions,
            HistogramSnapshot attempts,
            HistogramSnapshot leases,
            HistogramSnapshot connects,
            CountDistribution active,
            CountDistribution pending,
            CountDistribution limit,
            CountDistribution grownBy,
            CountDistribution retries,
            long growths,
            long shrinks,
            long refusedGrowths,
            long connectFailures,
            long leaksSuspected,
            long nestedAcquisitions,
            long listenerErrors) {

        /** Nothing has happened. */
        public static final Figures NONE = new Figures(
                Map.of(),
                HistogramSnapshot.EMPTY,
                HistogramSnapshot.EMPTY,
                HistogramSnapshot.EMPTY,
                CountDistribution.EMPTY,
                CountDistribution.EMPTY,
                CountDistribution.EMPTY,
                CountDistribution.EMPTY,
                CountDistribution.EMPTY,
                0,
                0,
                0,
                0,
                0,
                0,
                0);

        /** Completes and copies the map, so that every outcome has an entry. */
        public Figures {
            EnumMap<AcquisitionOutcome, HistogramSnapshot> all = new EnumMap<>(AcquisitionOutcome.class);
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                all.put(outcome, acquisitions.getOrDefault(outcome, HistogramSnapshot.EMPTY));
            }
            acquisitions = Collections.unmodifiableMap(all);
        }

        /**
         * How long requests with one outcome took.
         *
         * @param outcome which
         * @return never null
         */
        public HistogramSnapshot acquisition(AcquisitionOutcome outcome) {
            return acquisitions.getOrDefault(outcome, HistogramSnapshot.EMPTY);
        }
    }
}
