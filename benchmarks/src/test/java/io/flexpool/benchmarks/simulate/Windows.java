// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.LeaseAges;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.PoolWindow.Traffic;

/** Ticks one after the other, each as the test says. */
final class Windows {
    private static final long TICK_NANOS = 250_000_000L;
    private static final int BASE = 5;
    private static final int CEILING = 40;

    private long nowNanos;

    /** A tick with some in use and some that wait, the oldest for so long. */
    PoolWindow demand(int limit, int active, int waiting, long headAgeMs) {
        return next(limit, active, waiting, headAgeMs, Traffic.NONE);
    }

    /** A tick with so many leases that began and ended, each so long. */
    PoolWindow leases(int limit, int leases, double leaseMs) {
        long nanos = (long) (leases * leaseMs * 1e6);
        return next(limit, 1, 0, 0, new Traffic(leases, leases, nanos, 0, 0, 1, 0));
    }

    private PoolWindow next(int limit, int active, int waiting, long headAgeMs, Traffic traffic) {
        nowNanos += TICK_NANOS;
        return new PoolWindow(
                nowNanos,
                BASE,
                CEILING,
                limit,
                active,
                waiting,
                0,
                limit,
                headAgeMs * 1_000_000,
                traffic,
                LeaseAges.NONE);
    }
}
