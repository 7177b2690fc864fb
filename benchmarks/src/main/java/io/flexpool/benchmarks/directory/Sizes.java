// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import java.time.Duration;

/**
 * How large the pools are, how long requests wait, and what they do with a connection.
 *
 * @param base connections at first and after calm
 * @param ceiling the most connections there may be; not below the base
 * @param timeoutMs the acquisition timeout of one attempt, milliseconds
 * @param deadlineMs the deadline for a connection of a whole request, milliseconds; not below the timeout
 * @param logMs how long a request writes its log with its connection still out, milliseconds
 */
public record Sizes(int base, int ceiling, int timeoutMs, int deadlineMs, int logMs) {
    Duration timeout() {
        return Duration.ofMillis(timeoutMs);
    }

    Duration deadline() {
        return Duration.ofMillis(deadlineMs);
    }

    String inWords() {
        return "base " + base + ", ceiling " + ceiling + ", acquisition timeout " + timeoutMs + " ms, deadline "
                + deadlineMs + " ms; a request looks one person up and writes a log for " + logMs
                + " ms before it gives its connection back";
    }
}
