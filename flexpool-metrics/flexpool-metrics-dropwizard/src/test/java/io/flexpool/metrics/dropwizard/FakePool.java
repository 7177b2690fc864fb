// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.CountDistribution;
import io.flexpool.pool.HistogramSnapshot;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.PoolStatistics;
import io.flexpool.pool.PoolStatistics.Figures;
import io.flexpool.pool.PoolStatistics.Rates;
import io.flexpool.pool.PoolView;
import java.util.EnumMap;
import java.util.Map;

/** A pool with known figures, each different from all others. */
final class FakePool implements PoolView {
    static final Rates ACQUISITION_RATES = new Rates(1.5, 2.5, 3.5, 4.5);
    static final Rates LEASE_RATES = new Rates(5.5, 6.5, 7.5, 8.5);

    private final String name;
    int readings;
    long timeouts = 3;
    PoolState state = new PoolState(12, 10, 25, 7, 2, 3, 1, 4_000_000, new PoolSnapshot(13, 6, 8, 5, 14, 9));

    FakePool(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String type() {
        return "fake";
    }

    @Override
    public PoolState state() {
        return state;
    }

    @Override
    public PoolStatistics statistics() {
        readings++;
        return new PoolStatistics(figures(10), figures(1), 60_000_000_000L, ACQUISITION_RATES, LEASE_RATES);
    }

    private Figures figures(int times) {
        Map<AcquisitionOutcome, HistogramSnapshot> acquisitions = new EnumMap<>(AcquisitionOutcome.class);
        long unitNanos = 0;
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            unitNanos += 1_000_000;
            acquisitions.put(outcome, durations(times, unitNanos));
        }
        acquisitions.put(AcquisitionOutcome.TIMEOUT, durations(timeouts, 2_000_000));
        return new Figures(
                acquisitions,
                durations(times, 20_000_000),
                durations(times, 30_000_000),
                numbers(times, 1),
                numbers(times, 2),
                numbers(times, 3),
                numbers(times, 4),
                numbers(times, 5),
                100 + times,
                200 + times,
                300 + times,
                400 + times,
                500 + times);
    }

    /** So many of each of 1, 2 … 100 times the unit. */
    static HistogramSnapshot durations(long times, long unitNanos) {
        long[] counts = new long[HistogramSnapshot.BUCKETS];
        long sum = 0;
        for (int factor = 1; factor <= 100; factor++) {
            long nanos = factor * unitNanos;
            int index = (int) Math.ceil(Math.log(nanos / 1e9) / Math.log(2) * 8) - 1;
            counts[index - HistogramSnapshot.FIRST_INDEX] += times;
            sum += times * nanos;
        }
        return HistogramSnapshot.of(counts, sum, 100 * unitNanos);
    }

    /** So often each of first, first + 1 … first + 99. */
    static CountDistribution numbers(int times, int first) {
        long[] seen = new long[first + 100];
        for (int at = first; at < seen.length; at++) {
            seen[at] = times;
        }
        return CountDistribution.of(seen);
    }
}
