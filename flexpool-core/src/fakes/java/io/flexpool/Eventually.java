// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other threads do, on the calling thread. */
public final class Eventually {
    /** Much longer than any machine needs, so that a condition that never holds fails the test instead of hanging it. */
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private Eventually() {}

    /** Until a condition holds. */
    public static void eventually(Callable<Boolean> condition) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(AT_MOST)
                .until(condition);
    }
}
