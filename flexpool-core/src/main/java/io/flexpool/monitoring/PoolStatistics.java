// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import java.util.Objects;

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
        return recent().active().max();
    }

    /**
     * The most requests that were pending at once within the last {@link #window()}, also between two samples where the gate limits
     * the pool, or as in {@link #activePeak()}.
     *
     * @return not negative
     */
    default int pendingPeak() {
        return recent().pending().max();
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

        /** {@return how long single calls of the pool's {@code getConnection()} took that gave a connection} */
        HistogramSnapshot attempts();

        /** {@return lease times} */
        HistogramSnapshot leases();

        /**
         * How long physical connects took, if the pool reports it ({@link PoolView#supports}).
         *
         * @return from the pool's totals every 250 ms, so that connects of the same quarter of a second count with
         *     their mean
         */
        HistogramSnapshot connects();

        /** {@return connections in use, sampled every 250 ms} */
        CountDistribution active();

        /** {@return requests waiting or entering, sampled every 250 ms} */
        CountDistribution pending();

        /** {@return the lease limit (of a watched pool: its max), sampled every 250 ms} */
        CountDistribution limit();

        /** {@return how far the lease limit was above the base, sampled every 250 ms} */
        CountDistribution grownBy();

        /** {@return retries per request, of the requests that were retried} */
        CountDistribution retries();

        /** {@return how many times the limit was raised} */
        long growths();

        /** {@return how many times the limit was lowered} */
        long shrinks();

        /** {@return requests whose growth was refused (connect failures, ceiling, locks in the server, mode)} */
        long refusedGrowths();

        /** {@return attempts that failed, in the pool or at the gate, as the database refused or was unreachable} */
        long connectFailures();

        /** {@return leases longer than {@code leak.threshold}, each counted once} */
        long leaksSuspected();

        /** {@return requests of a thread that held another connection of the same pool} */
        long nestedAcquisitions();

        /** {@return exceptions of listeners, observers and adapters that were ignored} */
        long listenerErrors();

        /**
         * The durations of a metric.
         *
         * @param metric of the kind {@link PoolMetric.Kind#TIMER}
         * @param outcome of {@link PoolMetric#ACQUISITION}, which has a timer per outcome; else ignored
         * @return never null; of {@link PoolMetric#CLASS_WAIT} those of all classes, which are the successful acquisitions
         * @throws IllegalArgumentException if the metric is no timer
         */
        default HistogramSnapshot durations(PoolMetric metric, AcquisitionOutcome outcome) {
            Objects.requireNonNull(metric, "metric is null");
            return switch (metric) {
                case ACQUISITION -> acquisition(outcome);
                case ATTEMPT -> attempts();
                case LEASE -> leases();
                case CONNECT -> connects();
                case CLASS_WAIT -> acquisition(AcquisitionOutcome.OK);
                default -> throw metric.mustBe(PoolMetric.Kind.TIMER);
            };
        }

        /**
         * The numbers of a metric.
         *
         * @param metric of the kind {@link PoolMetric.Kind#DISTRIBUTION}
         * @return never null
         * @throws IllegalArgumentException if the metric is no distribution
         */
        default CountDistribution numbers(PoolMetric metric) {
            Objects.requireNonNull(metric, "metric is null");
            return switch (metric) {
                case ACTIVE_SAMPLED -> active();
                case PENDING_SAMPLED -> pending();
                case LIMIT_SAMPLED -> limit();
                case GROWN_BY_SAMPLED -> grownBy();
                case RETRIES -> retries();
                default -> throw metric.mustBe(PoolMetric.Kind.DISTRIBUTION);
            };
        }
    }
}
