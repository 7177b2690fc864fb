// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.util.List;

/**
 * What a policy wants the lease limit to be, and why if it wants it to move. Immutable.
 *
 * @param limit the wanted lease limit, to be clamped to what is allowed
 * @param decisions what was decided in this tick and what became of earlier steps, in order; mostly empty
 */
public record SizingStep(int limit, List<SizingDecision> decisions) {
    /** Copies the list. */
    public SizingStep {
        decisions = List.copyOf(decisions);
    }
}
