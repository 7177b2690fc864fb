// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import java.util.List;

/**
 * The effect of a statement's text on its session. Immutable.
 *
 * <p>A verdict that is not unknown can still be wrong: an application's function may change the session, and its name
 * does not show that. If every such function made a statement unknown, nearly all statements would be unknown.
 *
 * @param steps the effects and transaction control in the order of the text
 * @param unknown whether a part of the text cannot be judged: anonymous blocks, calls of procedures, statements that
 *     run another text, unbalanced quotes
 * @param readsSequence whether the text reads the value that an earlier statement of the same session took from a
 *     sequence
 */
public record Verdict(List<Step> steps, boolean unknown, boolean readsSequence) {
    /** The verdict on a text without any effect on the session. */
    public static final Verdict HARMLESS = new Verdict(List.of(), false, false);

    /** Copies the steps. */
    public Verdict {
        steps = List.copyOf(steps);
    }

    /** {@return whether the statement neither changes the session nor depends on its state} */
    public boolean harmless() {
        return !unknown && steps.isEmpty() && !readsSequence;
    }

    /** {@return whether the text starts or ends a transaction} */
    public boolean controlsTransactions() {
        for (Step step : steps) {
            if (step instanceof TransactionStep) {
                return true;
            }
        }
        return false;
    }
}
