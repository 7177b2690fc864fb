// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.PoolStatistics;
import io.flexpool.pool.PoolStatistics.Rates;
import io.flexpool.pool.PoolView;
import io.flexpool.pool.Ticker;
import java.util.EnumMap;
import java.util.Map;

/**
 * The readings of one pool. A report asks for some forty metrics and a dozen figures of each, while one reading copies
 * a few kilobytes: all that is asked within {@value #FRESH_MILLIS} ms is answered from one reading. Thread-safe,
 * without a lock: two threads may both read the pool, each from the same earlier reading, and either result is right.
 */
final class PoolReadings {
    static final int FRESH_MILLIS = 100;

    private static final long FRESH_NANOS = FRESH_MILLIS * 1_000_000L;

    private final PoolView pool;
    private final Ticker ticker;
    private volatile Reading latest;

    PoolReadings(PoolView pool, Ticker ticker) {
        this.pool = pool;
        this.ticker = ticker;
        this.latest = Reading.first(pool, ticker.nanos());
    }

    /** The pool's figures, at most {@value #FRESH_MILLIS} ms old. */
    Reading get() {
        long now = ticker.nanos();
        Reading before = latest;
        if (now - before.nanos() < FRESH_NANOS) {
            return before;
        }
        Reading fresh = before.next(pool, now);
        latest = fresh;
        return fresh;
    }

    /** What was read at one moment. Immutable. */
    static final class Reading {
        private final long nanos;
        private final PoolState state;
        private final PoolStatistics statistics;
        private final Map<AcquisitionOutcome, ReadRates> failureRates;

        private Reading(
                long nanos,
                PoolState state,
                PoolStatistics statistics,
                Map<AcquisitionOutcome, ReadRates> failureRates) {
            this.nanos = nanos;
            this.state = state;
            this.statistics = statistics;
            this.failureRates = failureRates;
        }

        static Reading first(PoolView pool, long now) {
            PoolStatistics statistics = pool.statistics();
            Map<AcquisitionOutcome, ReadRates> rates = new EnumMap<>(AcquisitionOutcome.class);
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                rates.put(outcome, ReadRates.from(now, count(statistics, outcome)));
            }
            return new Reading(now, pool.state(), statistics, rates);
        }

        Reading next(PoolView pool, long now) {
            PoolStatistics read = pool.statistics();
            Map<AcquisitionOutcome, ReadRates> rates = new EnumMap<>(AcquisitionOutcome.class);
            failureRates.forEach((outcome, rate) -> rates.put(outcome, rate.next(now, count(read, outcome))));
            return new Reading(now, pool.state(), read, rates);
        }

        private static long count(PoolStatistics statistics, AcquisitionOutcome outcome) {
            return statistics.total().acquisition(outcome).count();
        }

        long nanos() {
            return nanos;
        }

        PoolState state() {
            return state;
        }

        PoolStatistics statistics() {
            return statistics;
        }

        /** Core keeps rates of successes; those of failures are taken from their counts, from reading to reading. */
        Rates acquisitionRates(AcquisitionOutcome outcome) {
            ReadRates own = failureRates.get(outcome);
            return outcome == AcquisitionOutcome.OK || own == null ? statistics.acquisitionRates() : own.rates();
        }
    }
}
