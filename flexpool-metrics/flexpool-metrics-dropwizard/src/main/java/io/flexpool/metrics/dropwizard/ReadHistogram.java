// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Histogram;
import com.codahale.metrics.Snapshot;
import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.PoolStatistics.Figures;
import java.util.function.Function;

/** A read-only histogram: count since the pool was wrapped, snapshot of the last minute. */
final class ReadHistogram extends Histogram {
    private final RatedReadings readings;
    private final Function<Figures, CountDistribution> numbers;

    ReadHistogram(RatedReadings readings, Function<Figures, CountDistribution> numbers) {
        super(NoReservoir.INSTANCE);
        this.readings = readings;
        this.numbers = numbers;
    }

    @Override
    public long getCount() {
        return numbers.apply(readings.get().statistics().total()).count();
    }

    @Override
    public Snapshot getSnapshot() {
        return ReadSnapshot.of(numbers.apply(readings.get().statistics().recent()));
    }

    @Override
    public void update(int value) {
        throw NoReservoir.readOnly();
    }

    @Override
    public void update(long value) {
        throw NoReservoir.readOnly();
    }
}
