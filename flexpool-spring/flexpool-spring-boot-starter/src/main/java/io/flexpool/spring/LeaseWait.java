// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.OpenLease;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The first part of a pool's drain at the end of its context: a wait for the leases that are open when the web server has ended its
 * requests, while their beans still live. Nothing is refused yet: beans that end later, such as executors that await their
 * tasks, still need connections. The second part is the drain when the pool's bean ends; both together wait for at most
 * {@code drain.within}. For one pool and one wait; may be read by any thread.
 */
final class LeaseWait {
    private static final long CHECK_NANOS = 10_000_000;
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final FlexPoolDataSource pool;
    private final Duration within;
    private final long beganNanos = System.nanoTime();
    private volatile long spentNanos = -1;

    /** Begins now. */
    LeaseWait(FlexPoolDataSource pool, Duration within) {
        this.pool = pool;
        this.within = within;
    }

    /** Waits until no lease is open that began before this wait, or the time is over. */
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

    /** {@return what is left of {@code drain.within}, longer than zero} */
    Duration left() {
        long spent = spentNanos;
        Duration left = within.minusNanos(spent < 0 ? System.nanoTime() - beganNanos : spent);
        return left.compareTo(SHORTEST) < 0 ? SHORTEST : left;
    }
}
