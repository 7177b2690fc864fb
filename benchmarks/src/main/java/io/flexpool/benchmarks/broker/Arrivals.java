// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** When messages arrive, and how long they were on their way. Thread-safe. */
final class Arrivals {
    private static final int DIGITS = 3;
    private static final int MOST_INTERVALS = 3_600;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long intervalNanos;
    private final int batch;
    private final AtomicLong last = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final Queue<Long> batchEnds = new ConcurrentLinkedQueue<>();
    private final AtomicLongArray intervals = new AtomicLongArray(MOST_INTERVALS);
    /** Written before the threads start that read it. */
    private long start;

    private final Histogram latencies = new ConcurrentHistogram(TimeUnit.HOURS.toNanos(1), DIGITS);

    /**
     * Nothing has arrived.
     *
     * @param intervalSeconds of the intervals in which arrivals are counted
     * @param batch arrivals of one timed batch; 0 if there are no batches
     */
    Arrivals(int intervalSeconds, int batch) {
        this.intervalNanos = TimeUnit.SECONDS.toNanos(intervalSeconds);
        this.batch = batch;
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
     * How long messages were on their way, from before they were sent, when there was room for them, until they were
     * received; milliseconds.
     *
     * @param p50 half took no longer
     * @param p90 90 of 100 took no longer
     * @param p99 99 of 100 took no longer
     * @param p999 999 of 1,000 took no longer
     * @param max the longest
     */
    record Latency(double p50, double p90, double p99, double p999, double max) {}

    void arrived(long sentNanos) {
        long now = System.nanoTime();
        last.accumulateAndGet(now, Math::max);
        long interval = (now - start) / intervalNanos;
        if (interval < MOST_INTERVALS) {
            intervals.incrementAndGet((int) interval);
        }
        latencies.recordValue(Math.max(0, now - sentNanos));
        if (batch > 0 && count.incrementAndGet() % batch == 0) {
            batchEnds.add(now);
        }
    }

    /** From the beginning until the last arrival, seconds. */
    double seconds() {
        return (last.get() - start) / NANOS_PER_SECOND;
    }

    /** Arrivals per second of each interval that was over when the last one came. */
    List<Double> rates() {
        List<Double> rates = new ArrayList<>();
        long whole = Math.min(MOST_INTERVALS, (last.get() - start) / intervalNanos);
        for (int interval = 0; interval < whole; interval++) {
            rates.add(intervals.get(interval) * NANOS_PER_SECOND / intervalNanos);
        }
        return rates;
    }

    /** How long each full batch took to arrive, in order. */
    List<Double> batchSeconds() {
        List<Double> seconds = new ArrayList<>();
        long before = start;
        for (long end : batchEnds) {
            seconds.add((end - before) / NANOS_PER_SECOND);
            before = end;
        }
        return seconds;
    }

    Latency latency() {
        return new Latency(at(50), at(90), at(99), at(99.9), latencies.getMaxValue() / NANOS_PER_MILLI);
    }

    private double at(double percentile) {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
