// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.util.List;

/**
 * What a policy wants the lease limit to be, and why if it wants it to move. Immutable.
 *
 * @param limit the wanted lease limit; the actor clamps it to what is allowed
 * @param records what was decided in this tick and what became of earlier steps, in order; mostly empty
 */
public record SizingDecision(int limit, List<SizingRecord> records) {
    /** Copies the list. */
    public SizingDecision {
        records = List.copyOf(records);
    }

    /** A limit without a reason. */
    public SizingDecision(int limit) {
        this(limit, List.of());
    }
}
