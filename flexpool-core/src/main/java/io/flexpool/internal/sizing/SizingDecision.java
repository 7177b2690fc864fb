// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision;
import io.flexpool.pool.PoolMode;
import java.time.Instant;

/**
 * One decision of the sizing controller, or what became of one. A step that is tried gives two with the same number: one with
 * {@link io.flexpool.diagnostics.Decision.Verdict#PENDING} when the limit moves, and one with its outcome. Immutable.
 *
 * @param time on the pool's ticker; once logged, on the clock
 */
public record SizingDecision(
        long number,
        Instant time,
        PoolMode mode,
        int from,
        int to,
        int tried,
        Cause cause,
        Verdict verdict,
        Outcome outcome,
        Evidence inputs,
        String explanation)
        implements Decision {

    /** As a policy decides it, before anything is done about it. */
    public static SizingDecision of(
            long number,
            PoolMode mode,
            long nowNanos,
            int from,
            int to,
            int tried,
            Cause cause,
            Verdict verdict,
            Evidence inputs) {
        Outcome outcome = mode == PoolMode.RECOMMEND ? Outcome.REPORTED : from == to ? Outcome.KEPT : Outcome.DONE;
        Instant time = Instant.EPOCH.plusNanos(nowNanos);
        String explanation = new DecisionText(from, to, tried, cause, verdict, inputs).toString();
        return new SizingDecision(number, time, mode, from, to, tried, cause, verdict, outcome, inputs, explanation);
    }

    /** The policy threw: the limit stays. */
    public static SizingDecision broken(PoolMode mode, int at, String explanation) {
        Evidence none = Evidence.NONE;
        return new SizingDecision(
                1, Instant.EPOCH, mode, at, at, at, Cause.BROKEN, Verdict.NONE, Outcome.KEPT, none, explanation);
    }

    /** The cap is another one, and the limit followed. */
    public static SizingDecision capped(PoolMode mode, int from, int to, String explanation) {
        Evidence none = Evidence.NONE;
        return new SizingDecision(
                1, Instant.EPOCH, mode, from, to, to, Cause.FLEET, Verdict.NONE, Outcome.DONE, none, explanation);
    }

    /** The same, but the limit could not be moved. */
    public SizingDecision refused() {
        String why = explanation + " (not done: see the limit)";
        return new SizingDecision(number, time, mode, from, to, tried, cause, verdict, Outcome.REFUSED, inputs, why);
    }

    /** The same, where something caps the limit. */
    public SizingDecision allowedBy(String cap) {
        String why = explanation + "; " + cap + " allows no more";
        return new SizingDecision(number, time, mode, from, to, tried, cause, verdict, outcome, inputs, why);
    }

    /** The same with the number and the time that users see. */
    public SizingDecision logged(long as, Instant at) {
        return new SizingDecision(as, at, mode, from, to, tried, cause, verdict, outcome, inputs, explanation);
    }
}
