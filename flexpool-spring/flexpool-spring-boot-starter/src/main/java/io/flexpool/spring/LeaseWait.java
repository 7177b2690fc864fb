// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.OpenLease;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The first part of a pool's drain at the end of its context: waits for the leases that are open after the web server
 * has ended its requests. No request is refused yet, because beans that end later, for example executors that await
 * their tasks, still need connections. The second part is the drain when the pool's bean ends. Both parts together wait
 * at most {@code drain.within}. For one pool and one wait; any thread may read it.
 */
final class LeaseWait {
    private static final long CHECK_NANOS = 10_000_000;
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final FlexPoolDataSource pool;
    private final Duration within;
    private final long beganNanos = System.nanoTime();
    private volatile long spentNanos = -1;

    /** Starts the wait. */
    LeaseWait(FlexPoolDataSource pool, Duration within) {
        this.pool = pool;
        this.within = within;
    }

    /** Waits until all leases from before this wait have ended, or the time is over. */
    void await() {
        try {
            while (System.nanoTime() - beganNanos < within.toNanos() && isAwaited()) {
                LockSupport.parkNanos(this, CHECK_NANOS);
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            }
        } finally {
            spentNanos = System.nanoTime() - beganNanos;
        }
    }

    private boolean isAwaited() {
        if (pool.state().leased() == 0) {
            return false;
        }
        Duration waited = Duration.ofNanos(System.nanoTime() - beganNanos);
        return pool.openLeases().stream().map(OpenLease::age).anyMatch(age -> age.compareTo(waited) >= 0);
    }

    /** {@return the rest of {@code drain.within}, more than zero} */
    Duration left() {
        long spent = spentNanos;
        Duration left = within.minusNanos(spent < 0 ? System.nanoTime() - beganNanos : spent);
        return left.compareTo(SHORTEST) < 0 ? SHORTEST : left;
    }
}
