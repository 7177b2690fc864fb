// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records the physical connects since the last collection: they are rare, and no observer is called for them. Each
 * counts as the middle of its bucket, scaled so that the sum is exact. Thread-safe.
 */
final class ReadConnects {
    private final DoubleHistogram connects;
    private final Attributes attributes;
    /** Two readers of the SDK may collect at the same time. */
    private final ReentrantLock lock = new ReentrantLock();

    private HistogramSnapshot before = HistogramSnapshot.EMPTY;

    ReadConnects(DoubleHistogram connects, String pool) {
        this.connects = connects;
        this.attributes = Conventions.attributes(pool, PoolMetric.CONNECT, AcquisitionOutcome.OK);
    }

    void record(PoolReading reading) {
        HistogramSnapshot now = reading.statistics().total().durations(PoolMetric.CONNECT, AcquisitionOutcome.OK);
        lock.lock();
        try {
            // An older reading, of a reader that was overtaken, contains nothing new.
            if (now.count() > before.count()) {
                record(now.since(before, now.minNanos(), now.maxNanos()));
                before = now;
            }
        } finally {
            lock.unlock();
        }
    }

    private void record(HistogramSnapshot fresh) {
        long[] counts = fresh.counts();
        double middles = 0;
        for (int at = 0; at < counts.length; at++) {
            middles += counts[at] * HistogramSnapshot.middleNanos(fresh.offset() + at);
        }
        double scale = fresh.sumNanos() / middles;
        for (int at = 0; at < counts.length; at++) {
            double seconds = Conventions.seconds(scale * HistogramSnapshot.middleNanos(fresh.offset() + at));
            for (long each = 0; each < counts[at]; each++) {
                connects.record(seconds, attributes);
            }
        }
    }
}
