// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what size a pool should have. A deterministic state machine: no clock, no input or output, no thread; the
 * same windows give the same decisions. Fed by one thread.
 */
@FunctionalInterface
public interface SizingPolicy {
    /** Takes what was seen since the last call, and decides what the limit should be. */
    SizingStep onTick(PoolWindow window);

    /**
     * How many pools share the database, this one included, as a part counts them that caps it; 0 if none does. The ceiling of the
     * windows is then this pool's part already. Called before each window, by the same thread.
     */
    default void sharers(int pools) {}

    /** The limit above which the database was last seen to do no more work; 0 if that is not known. */
    default int knee() {
        return 0;
    }

    /** Why requests wait for the limit now; null if none does, or it is not known. */
    default @Nullable Cause waitsFor() {
        return null;
    }

    /**
     * What a policy wants the lease limit to be, and why if it wants it to move. Immutable.
     *
     * @param limit the wanted lease limit, to be clamped to what is allowed
     * @param decisions what was decided in this tick and what became of earlier steps, in order; mostly empty
     */
    record SizingStep(int limit, List<SizingDecision> decisions) {
        /** Copies the list. */
        public SizingStep {
            decisions = List.copyOf(decisions);
        }
    }
}
