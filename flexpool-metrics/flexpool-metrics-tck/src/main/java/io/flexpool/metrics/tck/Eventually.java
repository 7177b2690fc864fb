// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other threads do, such as a reporter's, on the calling thread. Thread-safe. */
public final class Eventually {
    /** Much longer than any machine needs, so that a condition that never holds fails the test instead of hanging it. */
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    private Eventually() {}

    /**
     * Returns once a condition holds; asks again every 2 ms.
     *
     * @param condition called on this thread, at least once; what it throws ends the wait
     * @throws org.awaitility.core.ConditionTimeoutException if it does not hold within a minute
     */
    public static void eventually(Callable<Boolean> condition) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(AT_MOST)
                .until(condition);
    }
}
