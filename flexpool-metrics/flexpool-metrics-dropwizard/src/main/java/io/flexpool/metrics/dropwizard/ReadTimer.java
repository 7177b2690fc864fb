// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics.Rates;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** A read-only timer: count since the pool was wrapped, snapshot of the last minute, flexpool's own rates. */
final class ReadTimer extends Timer {
    private final RatedReadings readings;
    private final Function<PoolReading, HistogramSnapshot> total;
    private final Function<PoolReading, HistogramSnapshot> recent;
    private final Function<RatedReadings.Rated, Rates> rates;

    ReadTimer(
            RatedReadings readings,
            Function<PoolReading, HistogramSnapshot> total,
            Function<PoolReading, HistogramSnapshot> recent,
            Function<RatedReadings.Rated, Rates> rates) {
        super(NoReservoir.INSTANCE);
        this.readings = readings;
        this.total = total;
        this.recent = recent;
        this.rates = rates;
    }

    @Override
    public long getCount() {
        return total.apply(readings.get().reading()).count();
    }

    @Override
    public Snapshot getSnapshot() {
        return ReadSnapshot.of(recent.apply(readings.get().reading()));
    }

    @Override
    public double getMeanRate() {
        return rates.apply(readings.get()).mean();
    }

    @Override
    public double getOneMinuteRate() {
        return rates.apply(readings.get()).oneMinute();
    }

    @Override
    public double getFiveMinuteRate() {
        return rates.apply(readings.get()).fiveMinutes();
    }

    @Override
    public double getFifteenMinuteRate() {
        return rates.apply(readings.get()).fifteenMinutes();
    }

    @Override
    public void update(long duration, TimeUnit unit) {
        throw NoReservoir.readOnly();
    }

    @Override
    public void update(Duration duration) {
        throw NoReservoir.readOnly();
    }

    @Override
    public <T> T time(Callable<T> event) {
        throw NoReservoir.readOnly();
    }

    @Override
    public <T> T timeSupplier(Supplier<T> event) {
        throw NoReservoir.readOnly();
    }

    @Override
    public void time(Runnable event) {
        throw NoReservoir.readOnly();
    }

    @Override
    public Context time() {
        throw NoReservoir.readOnly();
    }
}
