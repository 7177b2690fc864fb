// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How large the pools are and how long requests wait.
 *
 * @param base connections at first and after calm
 * @param ceiling the most connections there may be; not below the base
 * @param timeoutMs the acquisition timeout of one attempt, milliseconds
 * @param deadlineMs the deadline of a whole request, milliseconds; not below the timeout
 * @param keepMs how long flexpool keeps growth that is not needed, milliseconds; null for the gradual return
 */
public record Sizes(
        int base,
        int ceiling,
        int timeoutMs,
        int deadlineMs,
        @Nullable Integer keepMs) {
    Duration timeout() {
        return Duration.ofMillis(timeoutMs);
    }

    Duration deadline() {
        return Duration.ofMillis(deadlineMs);
    }

    /** How long a request waits at most until flexpool grows the pool: the default of growth on wait. */
    double growAfterMs() {
        return Math.min(250, timeoutMs / 10.0);
    }

    /** The keys of flexpool: growth to the ceiling, and back as {@link #keepMs} says, within the deadline. */
    Map<String, Object> keys() {
        Map<String, Object> keys =
                new HashMap<>(Map.of("base", base, "ceiling", ceiling, "grow-on-wait.enabled", true));
        if (keepMs != null) {
            keys.put("grow-on-wait.keep", Duration.ofMillis(keepMs));
        }
        if (deadlineMs > timeoutMs) {
            keys.put("retry.deadline", deadline());
        }
        return keys;
    }

    /** How growth is given back, for people. */
    String keepInWords() {
        return keepMs == null
                ? "gives growth back gradually"
                : "gives growth back at once when it was not needed for " + keepMs + " ms";
    }

    /** FlexyPool knows no deadline: further attempts that reach as far. */
    int retries() {
        return Math.max(1, (deadlineMs + timeoutMs - 1) / timeoutMs - 1);
    }
}
