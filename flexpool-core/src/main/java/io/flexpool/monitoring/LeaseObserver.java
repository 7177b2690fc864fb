// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;

/**
 * Observes every acquisition and release, on the calling thread: for backends that must see each call. It adds its cost
 * to every call; backends that can read {@link PoolStatistics} when scraped should do that instead.
 *
 * <p>Bound once, when the pool is built. Exceptions are logged and counted, and never reach the application.
 * Implementations must be thread-safe and quick.
 */
public interface LeaseObserver {
    /** Observes nothing: "off" is an object, so that the hot path has no branch. */
    LeaseObserver NONE = new LeaseObserver() {
        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {}

        @Override
        public void released(long acquiredNanos, long releasedNanos) {}
    };

    /**
     * A request ended.
     *
     * @param requestedNanos when it began, on the pool's {@link Ticker}
     * @param endedNanos when it ended
     * @param outcome how it ended
     */
    void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome);

    /**
     * A lease ended. Called once for each {@link AcquisitionOutcome#OK}.
     *
     * @param acquiredNanos when the lease began, on the pool's {@link Ticker}
     * @param releasedNanos when it ended
     */
    void released(long acquiredNanos, long releasedNanos);
}
