// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.diagnostics.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a request.
 *
 * @param requestedNanos when the request was made
 * @param beganNanos when the attempt began; of one that never reached the pool, when the request was made
 * @param number which attempt it is, from 1
 * @param earlier how the connect failure of the attempt before it was explained; null if there was none
 */
public record Attempt(
        long requestedNanos,
        long beganNanos,
        int number,
        @Nullable Explanation earlier) {
    /** The only attempt of a request. */
    public static Attempt only(long requestedNanos) {
        return new Attempt(requestedNanos, requestedNanos, 1, null);
    }
}
