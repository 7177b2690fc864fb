// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The readings of one pool with the rates of its failures, physical connects and classes, which core does not compute: they are
 * derived from counts between readings. Thread-safe without a lock: two threads may both continue from the same
 * reading, and either result is right.
 */
final class RatedReadings {
    private final PoolReading.Shared readings;
    private final Ticker ticker;
    private volatile Rated latest;

    RatedReadings(PoolView pool, Ticker ticker) {
        this.readings = new PoolReading.Shared(pool, ticker);
        this.ticker = ticker;
        this.latest = Rated.first(readings.get(), ticker.nanos());
    }

    /** The pool's figures, at most {@value PoolReading.Shared#FRESH_MILLIS} ms old. */
    @SuppressWarnings("ReferenceEquality") // whether it is a new reading
    Rated get() {
        PoolReading reading = readings.get();
        Rated before = latest;
        if (before.reading == reading) {
            return before;
        }
        Rated fresh = before.next(reading, ticker.nanos());
        latest = fresh;
        return fresh;
    }

    /** The figures of one moment. Immutable. */
    static final class Rated {
        private final PoolReading reading;
        private final Map<AcquisitionOutcome, ReadRates> failureRates;
        private final ReadRates connectRates;
        private final List<ReadRates> classRates;

        private Rated(
                PoolReading reading,
                Map<AcquisitionOutcome, ReadRates> failureRates,
                ReadRates connectRates,
                List<ReadRates> classRates) {
            this.reading = reading;
            this.failureRates = failureRates;
            this.connectRates = connectRates;
            this.classRates = classRates;
        }

        static Rated first(PoolReading reading, long now) {
            Map<AcquisitionOutcome, ReadRates> rates = new EnumMap<>(AcquisitionOutcome.class);
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                rates.put(outcome, ReadRates.from(now, count(reading, outcome)));
            }
            List<ReadRates> classes = reading.classes().stream()
                    .map(figures -> ReadRates.from(now, figures.waits().count()))
                    .toList();
            return new Rated(reading, rates, ReadRates.from(now, connects(reading)), classes);
        }

        Rated next(PoolReading fresh, long now) {
            Map<AcquisitionOutcome, ReadRates> rates = new EnumMap<>(AcquisitionOutcome.class);
            failureRates.forEach((outcome, rate) -> rates.put(outcome, rate.next(now, count(fresh, outcome))));
            List<ReadRates> classes = IntStream.range(0, classRates.size())
                    .mapToObj(at -> classRates
                            .get(at)
                            .next(now, fresh.classes().get(at).waits().count()))
                    .toList();
            return new Rated(fresh, rates, connectRates.next(now, connects(fresh)), classes);
        }

        private static long count(PoolReading reading, AcquisitionOutcome outcome) {
            return reading.statistics().total().acquisition(outcome).count();
        }

        private static long connects(PoolReading reading) {
            return reading.statistics()
                    .total()
                    .durations(PoolMetric.CONNECT, AcquisitionOutcome.OK)
                    .count();
        }

        PoolReading reading() {
            return reading;
        }

        PoolStatistics statistics() {
            return reading.statistics();
        }

        Rates connectRates() {
            return connectRates.rates();
        }

        /** The rates of the class with this index. */
        Rates classRates(int at) {
            return classRates.get(at).rates();
        }

        Rates acquisitionRates(AcquisitionOutcome outcome) {
            ReadRates own = failureRates.get(outcome);
            return outcome == AcquisitionOutcome.OK || own == null
                    ? statistics().acquisitionRates()
                    : own.rates();
        }
    }
}
