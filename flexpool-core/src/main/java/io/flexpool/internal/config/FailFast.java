// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;

/**
 * Limits the number of waiting requests. A further request is rejected at once, with an exception of the pool's class,
 * instead of timing out in the queue. Requests that already wait are not affected.
 *
 * <p>Makes the gate limit the pool, at the pool's own max if no base is given. Immutable.
 */
public final class FailFast implements AcquisitionStrategy {
    private final int maxPending;

    private FailFast(int maxPending) {
        this.maxPending = maxPending;
    }

    /**
     * Rejects requests that would wait behind {@code pending} others.
     *
     * @param pending the most requests that may wait at once: 0 to 100,000
     */
    public static FailFast above(int pending) {
        return new FailFast(pending);
    }

    @Override
    public Verdict consult(AcquisitionSituation situation) {
        // Uses the number of waiters at joining, from the atomic addition: of thirty simultaneous requests exactly the
        // allowed number waits. By the current number of waiters, all thirty would be rejected.
        if (situation.failure() == null && situation.queued() && situation.ahead() >= maxPending) {
            return Verdict.reject(situation.ahead() + " requests already wait, fail-fast.max-pending is " + maxPending);
        }
        return Verdict.PASS;
    }

    @Override
    public Requirements requirements() {
        return Requirements.NONE.whileWaiting(Duration.ZERO);
    }

    @Override
    public String toString() {
        return "rejects a request when " + maxPending + " already wait";
    }
}
