// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import org.HdrHistogram.Histogram;

/** The waits of one replay. A request that timed out counts as longer than all other waits. For one thread. */
final class Waits {
    private static final int DIGITS = 3;

    private final Histogram served;
    private final long timeoutNanos;
    private int connections;
    private long timedOut;

    Waits(int connections, long timeoutNanos) {
        this.connections = connections;
        this.timeoutNanos = timeoutNanos;
        // The histogram resizes itself.
        this.served = new Histogram(DIGITS);
    }

    void clear(int size) {
        connections = size;
        timedOut = 0;
        served.reset();
    }

    void served(long waitNanos) {
        served.recordValue(waitNanos);
    }

    void timedOut() {
        timedOut++;
    }

    int connections() {
        return connections;
    }

    long requests() {
        return served.getTotalCount() + timedOut;
    }

    long timeouts() {
        return timedOut;
    }

    /** The wait at a quantile, nanoseconds; the timeout if that request timed out. */
    long percentileNanos(double quantile) {
        long rank = Math.max(1, (long) Math.ceil(quantile * requests()));
        if (requests() == 0) {
            return 0;
        }
        return rank > served.getTotalCount()
                ? timeoutNanos
                // A histogram returns the upper end of a step, so the result is limited to the timeout.
                : Math.min(timeoutNanos, served.getValueAtPercentile(100.0 * rank / served.getTotalCount()));
    }

    SizePoint point() {
        return new SizePoint(
                connections,
                percentileNanos(0.5),
                percentileNanos(0.99),
                percentileNanos(0.999),
                requests() == 0 ? 0 : (double) timedOut / requests());
    }
}
