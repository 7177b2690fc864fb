// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;

/**
 * The statistics of a pool: {@link #total()} since it was wrapped, for backends that compute differences, and
 * {@link #recent()} over the last minute, for people and for backends that show values directly. Immutable. Made by
 * flexpool alone; minor releases add methods.
 */
public interface PoolStatistics {
    /** {@return the figures since the pool was wrapped} */
    Figures total();

    /** {@return the figures of the last {@link #window()}} */
    Figures recent();

    /** {@return the length of the recent window: 55 to 60 seconds, less just after the start} */
    Duration window();

    /**
     * The most connections that were in use at once within the last {@link #window()}: exact if each lease is recorded
     * (with flexpool-advisor on the class path, up to 10,000 leases a second), otherwise the highest sample.
     *
     * @return not negative
     */
    default int activePeak() {
        return recent().numbers(PoolMetric.ACTIVE_SAMPLED).max();
    }

    /**
     * The most requests that were pending at once within the last {@link #window()}: exact if the gate limits the pool,
     * otherwise as in {@link #activePeak()}.
     *
     * @return not negative
     */
    default int pendingPeak() {
        return recent().numbers(PoolMetric.PENDING_SAMPLED).max();
    }

    /** {@return acquisitions that got a connection, per second} */
    Rates acquisitionRates();

    /** {@return leases that ended, per second} */
    Rates leaseRates();

    /** Exponentially weighted rates, per second, updated every five seconds like a Unix load average. Immutable. */
    interface Rates {
        /** {@return the rate since the pool was wrapped} */
        double mean();

        /** {@return the rate over the last minute} */
        double oneMinute();

        /** {@return the rate over the last five minutes} */
        double fiveMinutes();

        /** {@return the rate over the last fifteen minutes} */
        double fifteenMinutes();
    }

    /** The figures of one span of time. Immutable. Made by flexpool alone; minor releases add methods. */
    interface Figures {
        /**
         * How long requests with one outcome took, from the call to its return.
         *
         * @param outcome the outcome
         * @return never null
         */
        HistogramSnapshot acquisition(AcquisitionOutcome outcome);

        /** {@return lease times} */
        HistogramSnapshot leases();

        /**
         * A count.
         *
         * @param metric a metric of the kind {@link PoolMetric.Kind#COUNTER}, of the whole pool; not
         * {@link PoolMetric#EVENTS_DROPPED}
         * @return not negative
         * @throws IllegalArgumentException if the metric is no such counter
         */
        long counter(PoolMetric metric);

        /**
         * The durations of a metric.
         *
         * @param metric a metric of the kind {@link PoolMetric.Kind#TIMER}
         * @param outcome an outcome, for {@link PoolMetric#ACQUISITION}, which has a timer per outcome; otherwise
         * ignored
         * @return never null; for {@link PoolMetric#CLASS_WAIT} the successful acquisitions of all classes
         * @throws IllegalArgumentException if the metric is no timer
         */
        HistogramSnapshot durations(PoolMetric metric, AcquisitionOutcome outcome);

        /**
         * The numbers of a metric.
         *
         * @param metric a metric of the kind {@link PoolMetric.Kind#DISTRIBUTION}
         * @return never null
         * @throws IllegalArgumentException if the metric is no distribution
         */
        CountDistribution numbers(PoolMetric metric);
    }
}
