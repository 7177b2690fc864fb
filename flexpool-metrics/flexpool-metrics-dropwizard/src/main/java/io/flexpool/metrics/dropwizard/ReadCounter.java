// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Counter;
import java.util.function.LongSupplier;

/** A read-only counter of events since the pool was wrapped. */
final class ReadCounter extends Counter {
    private final LongSupplier figure;

    ReadCounter(LongSupplier figure) {
        this.figure = figure;
    }

    @Override
    public long getCount() {
        return figure.getAsLong();
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
