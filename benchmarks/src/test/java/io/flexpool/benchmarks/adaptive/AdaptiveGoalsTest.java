// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import io.flexpool.benchmarks.simulate.Pilot.Best;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveGoalsTest {
    private static final int BEST = 10;

    @Test
    void theMedianOfTheRunsIsJudged() {
        IntFunction<Course> oneRunFails = run -> run == 1 ? flexpool(second -> 5, 700) : flexpool(second -> 5);
        assertThat(verdicts(RealScenario.STEP, 3, oneRunFails))
                .containsExactly(Verdict.GOAL_MET, Verdict.GOAL_MET, Verdict.GOAL_MET);
        assertThat(verdicts(RealScenario.STEP, 3, run -> flexpool(second -> 5, 700)))
                .startsWith(Verdict.GOAL_MISSED);
    }

    @Test
    void fewRunsAndOtherLengthsAreNotJudged() {
        assertThat(verdicts(RealScenario.STEP, 2, run -> flexpool(second -> 5))).containsOnly(Verdict.CANNOT_BE_JUDGED);
        Heat quick = new Heat(
                RealScenario.STEP,
                0.1,
                1,
                Best.of(BEST),
                heat(RealScenario.STEP, 1).courses());
        assertThat(new AdaptiveGoals(List.of(quick, quick, quick)).all())
                .extracting(Finding::verdict)
                .containsOnly(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void slowRequestsOfAStepCountInSeconds5To25() {
        int step = (int) RealScenario.STEP.begins();
        // Two hundred requests arrive in these seconds: three failures are more than one in a hundred.
        assertThat(verdicts(RealScenario.STEP, 3, slow(step + 6)).get(1)).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(verdicts(RealScenario.STEP, 3, slow(step + 4)).get(1)).isEqualTo(Verdict.GOAL_MET);
        assertThat(verdicts(RealScenario.STEP, 3, slow(step + 26)).get(1)).isEqualTo(Verdict.GOAL_MET);
    }

    private static IntFunction<Course> slow(int second) {
        return run -> flexpool(now -> 5, 10 * second, 10 * second + 1, 10 * second + 2);
    }

    @Test
    void connectionsAMinuteAfterAStepDownAreCounted() {
        double down = RealScenario.STEP.ends();
        assertThat(verdicts(RealScenario.STEP, 3, run -> flexpool(now -> now < down + 60 ? 20 : 6))
                        .get(2))
                .isEqualTo(Verdict.GOAL_MET);
        assertThat(verdicts(RealScenario.STEP, 3, run -> flexpool(now -> now < down + 70 ? 7 : 6))
                        .get(2))
                .isEqualTo(Verdict.GOAL_MISSED);
    }

    @Test
    void anOverloadsSizeIsJudgedAfterTwentyFiveSeconds() {
        double begins = RealScenario.OVERLOAD.begins();
        assertThat(overload(now -> now < begins + 25 ? 40 : 12)).isEqualTo(Verdict.GOAL_MET);
        assertThat(overload(now -> now < begins + 25 ? 10 : 13)).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(overload(now -> 7)).isEqualTo(Verdict.GOAL_MISSED);
    }

    private static Verdict overload(ToIntFunction<Double> size) {
        Heat one = Courses.heat(RealScenario.OVERLOAD, 1, BEST, flexpool(size));
        Heat heat = new Heat(one.scenario(), 1, 1, new Best(8, 10, 12), one.courses());
        return new AdaptiveGoals(List.of(heat, heat, heat)).all().get(0).verdict();
    }

    @Test
    void anOverloadsSizeMayBeAnyThatIsAsGoodAsTheBest() {
        assertThat(overload(now -> 8)).isEqualTo(Verdict.GOAL_MET);
        assertThat(overload(now -> 10)).isEqualTo(Verdict.GOAL_MET);
        assertThat(overload(now -> 12)).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void theRunsThatMeetAGoalAreCounted() {
        List<Heat> heats = IntStream.rangeClosed(1, 3)
                .mapToObj(run -> Courses.heat(
                        RealScenario.STEP, run, BEST, run == 2 ? flexpool(now -> 5, 700) : flexpool(now -> 5)))
                .toList();

        assertThat(new AdaptiveGoals(heats).all().get(0).measured()).endsWith(", met in 2 of 3 runs");
    }

    @Test
    void completionsInTheOverloadAreComparedInTheSameRun() {
        int begins = (int) RealScenario.OVERLOAD.begins();
        int[] few = IntStream.range(10 * begins, 10 * begins + 20).toArray();
        int[] many = IntStream.range(10 * begins, 10 * begins + 30).toArray();
        assertThat(verdicts(RealScenario.OVERLOAD, 3, run -> flexpool(now -> BEST, few))
                        .get(1))
                .isEqualTo(Verdict.GOAL_MET);
        assertThat(verdicts(RealScenario.OVERLOAD, 3, run -> flexpool(now -> BEST, many))
                        .get(1))
                .isEqualTo(Verdict.GOAL_MISSED);
    }

    @Test
    void lateRecoveryFromAnOutageMissesTheGoal() {
        int late = (int) (10 * RealScenario.OUTAGE.ends()) + 20;
        assertThat(verdicts(RealScenario.OUTAGE, 3, run -> flexpool(now -> 5, late)))
                .containsExactly(Verdict.GOAL_MET, Verdict.GOAL_MISSED);
    }

    @Test
    void growthInAnyOutageMissesTheGoal() {
        double begins = RealScenario.OUTAGE.begins();
        IntFunction<Course> grewOnce = run -> flexpool(now -> run == 1 && now > begins + 3 && now < begins + 5 ? 7 : 5);
        assertThat(verdicts(RealScenario.OUTAGE, 3, grewOnce)).containsExactly(Verdict.GOAL_MISSED, Verdict.GOAL_MET);
    }

    /** Played fast, the second before the outage lasts as long as one sampling interval. */
    @Test
    void theLastSampleBeforeTheOutageCounts() {
        Heat quick = new Heat(
                RealScenario.OUTAGE,
                0.06,
                1,
                Best.of(BEST),
                heat(RealScenario.OUTAGE, 1).courses());
        assertThat(new AdaptiveGoals(List.of(quick)).all().get(0).measured()).isEqualTo("0 connections more at most");
        Course late = Courses.looked(Competitor.FLEXPOOL, 0.5, 2.5);
        Heat stoodStill = new Heat(
                RealScenario.OUTAGE,
                0.06,
                1,
                Best.of(BEST),
                List.of(heat(RealScenario.OUTAGE, 1).of(Competitor.BEST_STATIC), late));
        assertThat(new AdaptiveGoals(List.of(stoodStill)).all().get(0).measured())
                .isEqualTo("0 connections more at most");
    }

    private static Course flexpool(ToIntFunction<Double> size, int... failed) {
        return Courses.of(Competitor.FLEXPOOL, size, failed);
    }

    private static Heat heat(RealScenario scenario, int run) {
        return Courses.heat(scenario, run, BEST, flexpool(now -> 5));
    }

    private static List<Verdict> verdicts(RealScenario scenario, int runs, IntFunction<Course> flexpool) {
        List<Heat> heats = IntStream.rangeClosed(1, runs)
                .mapToObj(run -> Courses.heat(scenario, run, BEST, flexpool.apply(run)))
                .toList();
        return new AdaptiveGoals(heats).all().stream().map(Finding::verdict).toList();
    }
}
