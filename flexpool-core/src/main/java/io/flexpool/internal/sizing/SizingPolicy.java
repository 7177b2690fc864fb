// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides the size of a pool. A deterministic state machine: no clock, no input or output, no thread; the same windows
 * give the same decisions. Fed by one thread.
 */
@FunctionalInterface
public interface SizingPolicy {
    /** Takes the window since the last call, and decides the limit. */
    SizingStep onTick(PoolWindow window);

    /**
     * Sets the number of pools that share the database, including this pool, by the capping part; 0 without one. The
     * ceiling of the windows is then this pool's part already. Called before each window, by the same thread.
     */
    default void sharers(int pools) {}

    /** The limit above which throughput last stopped rising; 0 if unknown. */
    default int knee() {
        return 0;
    }

    /** Why requests wait for the limit now; null without waiting requests, or if unknown. */
    default @Nullable Cause blockingCause() {
        return null;
    }

    /**
     * The lease limit that a policy requires, with its decisions. Immutable.
     *
     * @param limit the required lease limit, to be clamped to the allowed range
     * @param decisions the decisions of this tick and the results of earlier steps, in order; usually empty
     */
    record SizingStep(int limit, List<SizingDecision> decisions) {
        /** Copies the list. */
        public SizingStep {
            decisions = List.copyOf(decisions);
        }
    }
}
