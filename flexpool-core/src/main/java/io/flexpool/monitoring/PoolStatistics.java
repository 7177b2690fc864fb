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
    /** {@return everything since the pool was wrapped} */
    Figures total();

    /** {@return what happened within the last {@link #window()}} */
    Figures recent();

    /** {@return the length of the recent window: 55 to 60 seconds, less just after the start} */
    Duration window();

    /**
     * The most connections that were in use at once within the last {@link #window()}, also between two samples where each lease
     * is recorded: with flexpool-advisor on the class path, and up to 10,000 leases a second. Else the highest sample.
     *
     * @return not negative
     */
    default int activePeak() {
        return recent().numbers(PoolMetric.ACTIVE_SAMPLED).max();
    }

    /**
     * The most requests that were pending at once within the last {@link #window()}, also between two samples where the gate limits
     * the pool, or as in {@link #activePeak()}.
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

    /** Exponentially weighted rates, per second, moved every five seconds as a Unix load average is. Immutable. */
    interface Rates {
        /** {@return the rate over the whole life} */
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
         * How long requests with one outcome took, from the call to the answer.
         *
         * @param outcome which
         * @return never null
         */
        HistogramSnapshot acquisition(AcquisitionOutcome outcome);

        /** {@return lease times} */
        HistogramSnapshot leases();

        /**
         * A count.
         *
         * @param metric of the kind {@link PoolMetric.Kind#COUNTER}, of the whole pool; not {@link PoolMetric#EVENTS_DROPPED}
         * @return not negative
         * @throws IllegalArgumentException if the metric is no such counter
         */
        long counter(PoolMetric metric);

        /**
         * The durations of a metric.
         *
         * @param metric of the kind {@link PoolMetric.Kind#TIMER}
         * @param outcome of {@link PoolMetric#ACQUISITION}, which has a timer per outcome; else ignored
         * @return never null; of {@link PoolMetric#CLASS_WAIT} those of all classes, which are the successful acquisitions
         * @throws IllegalArgumentException if the metric is no timer
         */
        HistogramSnapshot durations(PoolMetric metric, AcquisitionOutcome outcome);

        /**
         * The numbers of a metric.
         *
         * @param metric of the kind {@link PoolMetric.Kind#DISTRIBUTION}
         * @return never null
         * @throws IllegalArgumentException if the metric is no distribution
         */
        CountDistribution numbers(PoolMetric metric);
    }
}
