// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import io.flexpool.monitoring.PoolStatistics.Rates;

/**
 * Exponentially weighted rates of a count that is read at irregular times. Events between two readings are assumed to
 * be evenly spread: with r that rate, dt the time between the readings and τ one, five or fifteen minutes, the new
 * average is {@code r + (old − r) · e^(−dt/τ)}, for any interval. Begins at 0 and is immutable.
 */
final class ReadRates {
    private static final double ONE_MINUTE_NANOS = 60e9;

    private final long firstNanos;
    private final long firstCount;
    private final long nanos;
    private final long count;
    private final Rates rates;

    private record Averages(double mean, double oneMinute, double fiveMinutes, double fifteenMinutes)
            implements Rates {}

    private ReadRates(long firstNanos, long firstCount, long nanos, long count, Rates rates) {
        this.firstNanos = firstNanos;
        this.firstCount = firstCount;
        this.nanos = nanos;
        this.count = count;
        this.rates = rates;
    }

    static ReadRates from(long now, long count) {
        return new ReadRates(now, count, now, count, new Averages(0, 0, 0, 0));
    }

    ReadRates next(long now, long newCount) {
        long passed = now - nanos;
        if (passed <= 0) {
            return this;
        }
        double rate = perSecond(newCount - count, passed);
        Rates moved = new Averages(
                perSecond(newCount - firstCount, now - firstNanos),
                moved(rates.oneMinute(), rate, passed / ONE_MINUTE_NANOS),
                moved(rates.fiveMinutes(), rate, passed / (5 * ONE_MINUTE_NANOS)),
                moved(rates.fifteenMinutes(), rate, passed / (15 * ONE_MINUTE_NANOS)));
        return new ReadRates(firstNanos, firstCount, now, newCount, moved);
    }

    Rates rates() {
        return rates;
    }

    private static double perSecond(long events, long nanos) {
        return Math.max(0, events) * 1e9 / nanos;
    }

    private static double moved(double old, double rate, double passed) {
        return rate + (old - rate) * Math.exp(-passed);
    }
}
