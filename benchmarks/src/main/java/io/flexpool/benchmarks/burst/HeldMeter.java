// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/** The time-weighted mean of a number that another thread changes, looked at every other millisecond. */
final class HeldMeter implements AutoCloseable {
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final IntSupplier number;
    private final Thread thread = new Thread(this::watch, "burst-held-meter");
    private volatile boolean ended;
    private double sum;
    private long nanos;

    private HeldMeter(IntSupplier number) {
        this.number = number;
        thread.setDaemon(true);
    }

    static HeldMeter start(IntSupplier number) {
        HeldMeter meter = new HeldMeter(number);
        meter.thread.start();
        return meter;
    }

    private void watch() {
        long last = System.nanoTime();
        while (!ended) {
            LockSupport.parkNanos(this, EVERY_NANOS);
            long now = System.nanoTime();
            sum += (double) number.getAsInt() * (now - last);
            nanos += now - last;
            last = now;
        }
    }

    /** Ends the measurement. */
    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The mean; call it after {@link #close()}. */
    double mean() {
        return nanos == 0 ? 0 : sum / nanos;
    }
}
