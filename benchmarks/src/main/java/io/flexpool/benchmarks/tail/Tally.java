// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** What all clients did in one window. Each adds its share once, when it finds that the window is over. Thread-safe. */
final class Tally {
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Histogram waits = new ConcurrentHistogram(TimeUnit.HOURS.toNanos(1), DIGITS);
    private final LongAdder heldNanos = new LongAdder();
    private final AtomicLongArray leases;

    Tally(int clients) {
        leases = new AtomicLongArray(clients);
    }

    /** One client's share of a window. For use by that client alone. */
    static final class Share {
        private final Histogram waits = new Histogram(DIGITS);
        private long heldNanos;
        private long leases;

        /**
         * One request that was timed, and those after it that were not.
         *
         * @param waitNanos how long it waited
         * @param holdNanos how long it held its connection
         * @param count how many requests, with the timed one
         */
        void add(long waitNanos, long holdNanos, int count) {
            waits.recordValue(waitNanos);
            heldNanos += holdNanos;
            leases += count;
        }

        /** For the next window. */
        void clear() {
            waits.reset();
            heldNanos = 0;
            leases = 0;
        }
    }

    /** Adds what a client did. */
    void add(int client, Share share) {
        waits.add(share.waits);
        heldNanos.add(share.heldNanos);
        leases.addAndGet(client, share.leases);
    }

    /**
     * The figures, when all clients have added theirs.
     *
     * @param taken what the window took
     * @param mostOpen the most connections that were open at once
     * @throws IllegalStateException if no lease ended in the window
     */
    TailWindow window(Taken taken, int mostOpen) {
        long sum = 0;
        long fewest = Long.MAX_VALUE;
        long most = 0;
        for (int client = 0; client < leases.length(); client++) {
            long ofClient = leases.get(client);
            sum += ofClient;
            fewest = Math.min(fewest, ofClient);
            most = Math.max(most, ofClient);
        }
        if (sum == 0) {
            throw new IllegalStateException("no lease ended within " + taken.nanos() + " ns");
        }
        double meanHeldNanos = (double) heldNanos.sum() / waits.getTotalCount();
        return new TailWindow(
                sum,
                sum * NANOS_PER_SECOND / taken.nanos(),
                waits.getMean() / NANOS_PER_MICRO,
                atPercentile(50),
                atPercentile(99),
                atPercentile(99.9),
                waits.getMaxValue() / NANOS_PER_MICRO,
                fewest,
                most,
                taken.cpuNanos() / NANOS_PER_MICRO / sum,
                taken.clientCpuNanos() / NANOS_PER_MICRO / sum,
                meanHeldNanos * sum / taken.nanos(),
                mostOpen);
    }

    private double atPercentile(double percentile) {
        return waits.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    /**
     * What one window took.
     *
     * @param nanos its length
     * @param cpuNanos processor time of the whole JVM
     * @param clientCpuNanos processor time of the clients
     */
    record Taken(long nanos, long cpuNanos, long clientCpuNanos) {}
}
