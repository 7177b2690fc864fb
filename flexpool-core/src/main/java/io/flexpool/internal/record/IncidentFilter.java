// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;

/**
 * The lease times of a pool without its incidents: an incident must not count as usual, because later failures are
 * compared with usual times. An incident begins one acquisition timeout before a request failed, when that request
 * began to wait. It ends when all leases that were open at the last failure have ended. The caller passes consecutive
 * periods. For one thread at a time.
 */
final class IncidentFilter {
    private final long timeoutNanos;
    /** The end of the last period with a failed request; meaningless before the first. */
    private long failedNanos;

    private boolean failed;

    IncidentFilter(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }

    /** The time from the start of an incident to its first failure. */
    long timeoutNanos() {
        return timeoutNanos;
    }

    /** Whether a request has failed so far. */
    boolean anyFailed() {
        return failed;
    }

    /** Requests failed in the period that ends now. */
    void failed(long nowNanos) {
        failed = true;
        failedNanos = nowNanos;
    }

    /**
     * The leases without incidents up to the end of a period in which no request failed.
     *
     * @param before the leases without incidents up to the period's start
     * @param beginNanos the period's start
     * @param begin all leases up to the period's start
     * @param end all leases up to the period's end
     * @param longestNanos the longest lease that ended in the period
     */
    HistogramSnapshot after(
            HistogramSnapshot before,
            long beginNanos,
            HistogramSnapshot begin,
            HistogramSnapshot end,
            long longestNanos) {
        if (!failed) {
            return end;
        }
        boolean allBeganLater = longestNanos <= beginNanos - failedNanos;
        return allBeganLater
                ? before.plus(end.since(begin, HistogramSnapshot.UNKNOWN, HistogramSnapshot.UNKNOWN))
                : before;
    }
}
