// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.time.Duration;

/**
 * How large the pools are and how long requests wait.
 *
 * @param base connections at first and after calm
 * @param ceiling the most connections there may be; not below the base
 * @param timeoutMs the acquisition timeout of one attempt, milliseconds
 * @param deadlineMs the deadline of a whole request, milliseconds; not below the timeout
 */
public record Sizes(int base, int ceiling, int timeoutMs, int deadlineMs) {
    Duration timeout() {
        return Duration.ofMillis(timeoutMs);
    }

    Duration deadline() {
        return Duration.ofMillis(deadlineMs);
    }

    /** How long a request waits until flexpool grows the pool: {@code GrowOnWait}'s default. */
    double growAfterMs() {
        return timeoutMs / 10.0;
    }

    /** FlexyPool knows no deadline: further attempts that reach as far. */
    int retries() {
        return Math.max(1, (deadlineMs + timeoutMs - 1) / timeoutMs - 1);
    }
}
