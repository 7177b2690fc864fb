// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A published claim or a goal of this project, as one row of a scenario's table: who said what, which figure was
 * published, how it is measured and when it holds. Immutable.
 *
 * @param goal whether this project aims at it; otherwise others published it
 * @param source who says so, and when; of a goal, this project
 * @param claim in one sentence
 * @param published the published figure with its unit; null where none was
 * @param measured makes the evidence of the figures; called once for each verdict
 * @param holds whether the figures bear the claim out; called only if the evidence is free of doubt
 * @param <F> the figures of the scenario
 */
public record Claim<F>(
        boolean goal,
        String source,
        String claim,
        @Nullable String published,
        Function<F, Measured> measured,
        Predicate<F> holds) {

    /**
     * A claim of others.
     *
     * @param source who says so, and when
     * @param claim in one sentence
     * @param published the published figure with its unit; null where none was
     * @param measured makes the evidence of the figures
     * @param holds whether the figures bear the claim out
     * @param <F> the figures of the scenario
     * @return a claim that is reproduced or not
     */
    public static <F> Claim<F> of(
            String source,
            String claim,
            @Nullable String published,
            Function<F, Measured> measured,
            Predicate<F> holds) {
        return new Claim<>(false, source, claim, published, measured, holds);
    }

    /**
     * A goal of this project, of which nothing was published.
     *
     * @param source whose goal it is
     * @param claim in one sentence
     * @param measured makes the evidence of the figures
     * @param holds whether the figures reach the goal
     * @param <F> the figures of the scenario
     * @return a goal that is met or missed
     */
    public static <F> Claim<F> goal(String source, String claim, Function<F, Measured> measured, Predicate<F> holds) {
        return new Claim<>(true, source, claim, null, measured, holds);
    }

    /**
     * Judges the claim. Evidence with a doubt decides nothing; the finding then names the doubts first.
     *
     * @param figures what was measured
     * @return the claim beside the evidence
     */
    public Finding judged(F figures) {
        Measured evidence = measured.apply(figures);
        return new Finding(
                claim,
                source,
                published,
                evidence.figure(),
                evidence.ratio(),
                verdict(evidence, figures),
                evidence.inWords());
    }

    private Verdict verdict(Measured evidence, F figures) {
        if (!evidence.doubts().isEmpty()) {
            return Verdict.CANNOT_BE_JUDGED;
        }
        boolean borneOut = holds.test(figures);
        if (goal) {
            return borneOut ? Verdict.GOAL_MET : Verdict.GOAL_MISSED;
        }
        return borneOut ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
    }
}
