// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision;
import io.flexpool.pool.PoolMode;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One decision of the sizing controller, or its result. A tried step has two with the same number: one with
 * {@link io.flexpool.diagnostics.Decision.Verdict#PENDING} when the limit moves, and one with its outcome. Immutable.
 *
 * @param time on the pool's ticker; once logged, on the clock
 * @param part the name of the part that caps the limit; null for other causes
 */
public record SizingDecision(
        long number,
        Instant time,
        PoolMode mode,
        int from,
        int to,
        int tried,
        Cause cause,
        @Nullable String part,
        Verdict verdict,
        Outcome outcome,
        Evidence evidence,
        String explanation)
        implements Decision {

    @Override
    public String causeWord() {
        return part == null ? Decision.super.causeWord() : part;
    }

    @Override
    public Map<String, Double> inputs() {
        return evidence.figures();
    }

    /** A policy's decision, before it is applied. */
    public static SizingDecision of(
            long number,
            PoolMode mode,
            long nowNanos,
            int from,
            int to,
            int tried,
            Cause cause,
            Verdict verdict,
            Evidence evidence) {
        Outcome outcome = mode == PoolMode.RECOMMEND ? Outcome.REPORTED : from == to ? Outcome.KEPT : Outcome.DONE;
        Instant time = Instant.EPOCH.plusNanos(nowNanos);
        String explanation = new DecisionText(from, to, tried, cause, verdict, evidence).toString();
        return new SizingDecision(
                number, time, mode, from, to, tried, cause, null, verdict, outcome, evidence, explanation);
    }

    /** The decision after the policy threw: the limit stays. */
    public static SizingDecision broken(PoolMode mode, int at, String explanation) {
        return unmeasured(mode, at, at, Cause.BROKEN, null, Outcome.KEPT, explanation);
    }

    /** The decision after a part changed its cap, and the limit followed. */
    public static SizingDecision capped(PoolMode mode, @Nullable String part, int from, int to, String explanation) {
        return unmeasured(mode, from, to, Cause.CAP, part, Outcome.DONE, explanation);
    }

    private static SizingDecision unmeasured(
            PoolMode mode, int from, int to, Cause cause, @Nullable String part, Outcome done, String why) {
        Instant time = Instant.EPOCH;
        return new SizingDecision(1, time, mode, from, to, to, cause, part, Verdict.NONE, done, Evidence.NONE, why);
    }

    /** A copy for a limit that could not be moved. */
    public SizingDecision refused() {
        return saying(Outcome.REFUSED, explanation + " (not done: the limit could not be changed)");
    }

    /** A copy for a capped limit. */
    public SizingDecision allowedBy(String cap) {
        return saying(outcome, explanation + "; " + cap + " allows no more connections");
    }

    /** A copy for a step that is bounded not by the ceiling, but because the database refused a larger step. */
    public SizingDecision afterRefusals() {
        String why = " (a small step: the database has refused connections)";
        return saying(outcome, explanation.replace(DecisionText.AT_CEILING, why));
    }

    private SizingDecision saying(Outcome done, String why) {
        return new SizingDecision(number, time, mode, from, to, tried, cause, part, verdict, done, evidence, why);
    }

    /** A copy with the number and the time that users see. */
    public SizingDecision logged(long as, Instant at) {
        return new SizingDecision(as, at, mode, from, to, tried, cause, part, verdict, outcome, evidence, explanation);
    }
}
