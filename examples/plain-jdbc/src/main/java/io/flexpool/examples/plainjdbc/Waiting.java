// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for something that should happen soon. */
final class Waiting {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Waiting() {}

    /**
     * Asks again and again.
     *
     * @param seconds how long at most
     * @param happened whether it has happened
     * @return whether it has happened in time
     */
    static boolean until(int seconds, Callable<Boolean> happened) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!happened.call()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}
