// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.util.concurrent.locks.LockSupport;

/** Waits to the nanosecond, as far as the machine can. */
public final class Waiting {
    private Waiting() {}

    /**
     * Waits until a moment, or until the thread is interrupted.
     *
     * @param nanos as {@link System#nanoTime()} has them
     */
    public static void until(long nanos) {
        long left;
        while ((left = nanos - System.nanoTime()) > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
        }
    }
}
