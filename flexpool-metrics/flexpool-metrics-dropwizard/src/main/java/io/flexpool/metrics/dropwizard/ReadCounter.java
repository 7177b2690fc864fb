// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Counter;
import io.flexpool.pool.PoolStatistics.Figures;
import java.util.function.ToLongFunction;

/** A counter that reads the count since the start. */
final class ReadCounter extends Counter {
    private final PoolReadings readings;
    private final ToLongFunction<Figures> figure;

    ReadCounter(PoolReadings readings, ToLongFunction<Figures> figure) {
        this.readings = readings;
        this.figure = figure;
    }

    @Override
    public long getCount() {
        return figure.applyAsLong(readings.get().statistics().total());
    }

    @Override
    public void inc() {
        throw NoReservoir.readOnly();
    }

    @Override
    public void inc(long n) {
        throw NoReservoir.readOnly();
    }

    @Override
    public void dec() {
        throw NoReservoir.readOnly();
    }

    @Override
    public void dec(long n) {
        throw NoReservoir.readOnly();
    }
}
