// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** When messages arrive, and how long they were on their way. Thread-safe. */
public final class Arrivals {
    private static final int DIGITS = 3;
    private static final int MOST_INTERVALS = 3_600;
    private static final double NANOS_PER_MILLI = 1e6;

    private final long intervalNanos;
    private final AtomicLong last = new AtomicLong();
    private final AtomicLongArray intervals = new AtomicLongArray(MOST_INTERVALS);
    /** Written before the threads start that read it. */
    private long start;

    private final Histogram latencies = new ConcurrentHistogram(TimeUnit.HOURS.toNanos(1), DIGITS);

    /**
     * Nothing has arrived.
     *
     * @param intervalSeconds of the intervals in which arrivals are counted
     */
    Arrivals(int intervalSeconds) {
        this.intervalNanos = TimeUnit.SECONDS.toNanos(intervalSeconds);
    }

    /** The first message is about to be sent. */
    void begin() {
        start = System.nanoTime();
        last.set(start);
    }

    /** Whether it began so long ago. */
    boolean after(long seconds) {
        return System.nanoTime() - start >= TimeUnit.SECONDS.toNanos(seconds);
    }

    /**
     * How long messages were on their way, from before they were sent, when there was room for them, until they were received; milliseconds.
     *
     * @param p50 half took no longer
     * @param p90 90 of 100 took no longer
     * @param p99 99 of 100 took no longer
     * @param p999 999 of 1,000 took no longer
     * @param max the longest
     */
    public record Latency(double p50, double p90, double p99, double p999, double max) {}

    void arrived(long sentNanos) {
        long now = System.nanoTime();
        last.accumulateAndGet(now, Math::max);
        long interval = (now - start) / intervalNanos;
        if (interval < MOST_INTERVALS) {
            intervals.incrementAndGet((int) interval);
        }
        latencies.recordValue(Math.max(0, now - sentNanos));
    }

    /** From the beginning until the last arrival, seconds. */
    double seconds() {
        return (last.get() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Arrivals per second of each interval that was over when the last one came. */
    List<Double> rates() {
        List<Double> rates = new ArrayList<>();
        long whole = Math.min(MOST_INTERVALS, (last.get() - start) / intervalNanos);
        for (int interval = 0; interval < whole; interval++) {
            rates.add(intervals.get(interval) * (double) TimeUnit.SECONDS.toNanos(1) / intervalNanos);
        }
        return rates;
    }

    Latency latency() {
        return new Latency(at(50), at(90), at(99), at(99.9), latencies.getMaxValue() / NANOS_PER_MILLI);
    }

    private double at(double percentile) {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
