// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Verdicts on figures that the test makes up; the steady load alone is really simulated, with a pool that never moves. */
class SimulateGoalsTest {
    private static final int REQUESTS = 1000;
    private static final Candidate STILL = new Candidate("still", StaticSize::new);

    private List<Scenario> scenarios = Scenarios.ALL;
    private int seeds = 5;
    private Usl curve = Usl.DEFAULT;
    private double regret = 0.3;
    private double regretOfLatency = 0.3;
    private int failures = 10;
    private int failuresOfLeak;
    private int changes;
    private int databases = 20;
    private double regretOfLastDatabase = 0.4;

    @Test
    void whatIsReachedIsMet() {
        assertThat(findings()).hasSize(7).extracting(Finding::verdict).containsOnly(Verdict.GOAL_MET);
        assertThat(finding("mean regret over all").measured()).isEqualTo("0.300");
        assertThat(finding("mean regret over all").why()).contains("gradient2 0.50");
        assertThat(finding("1.05 times").measured()).isEqualTo("110 against 110");
    }

    @Test
    void aMeanRegretAboveTheGoalIsMissed() {
        regret = 0.42;

        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("no scenario is above").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void aScenarioAboveTheGoalIsMissedAndNamed() {
        regretOfLatency = 1.01;

        assertThat(finding("no scenario is above").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("no scenario is above").measured()).isEqualTo("1.01 in latency");
        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void oneScenarioCountsAtMostTen() {
        regretOfLatency = 100;

        assertThat(finding("mean regret over all").measured()).isEqualTo("1.182");
    }

    @Test
    void failuresBeyondThoseOfTheBestStaticSizesAreMissed() {
        failures = 11;

        assertThat(finding("1.05 times").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("1.05 times").measured()).isEqualTo("120 against 110");
    }

    @Test
    void failuresWhereNoneIsDueAreMissedAndNamed() {
        failuresOfLeak = 11;

        assertThat(finding("where none does").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("where none does").measured()).isEqualTo("1.10 % at most, in leak");
        failuresOfLeak = 10;
        assertThat(finding("where none does").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void moreThanOneChangeAMinuteIsMissed() {
        changes = 3;
        assertThat(finding("one change a minute").verdict()).isEqualTo(Verdict.GOAL_MET);
        changes = 4;

        assertThat(finding("one change a minute").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("one change a minute").measured()).startsWith("1.33 changes a minute, 0 taken back");
    }

    @Test
    void aDatabaseDrawnAtRandomAboveTheGoalIsMissed() {
        regretOfLastDatabase = 2.1;

        assertThat(finding("The mean regret is at most").verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("No regret is above 2").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("No regret is above 2").measured()).isEqualTo("2.10 (database 20, knee 20.0, step)");
        assertThat(finding("No regret is above 2").why()).contains("1 runs on 20 databases");
    }

    @Test
    void aRunThatTheGoalsAreNotStatedForJudgesNone() {
        seeds = 4;
        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        seeds = 5;
        curve = new Usl(0.03, 0.005, 0.020);
        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        curve = Usl.DEFAULT;
        databases = 19;
        assertThat(finding("No regret is above 2").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.GOAL_MET);
        databases = 20;
        scenarios = Scenarios.ALL.subList(0, 10);
        assertThat(findings()).extracting(Finding::verdict).containsOnly(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void withoutFlexpoolThereIsNothingToJudge() {
        Contest.Outcome outcome = new Contest.Outcome(scenarios, statics(), List.of());

        assertThat(new SimulateGoals(outcome, curve, List.of()).all()).isEmpty();
    }

    private Finding finding(String claim) {
        return findings().stream()
                .filter(finding -> finding.claim().contains(claim))
                .findFirst()
                .orElseThrow();
    }

    private List<Finding> findings() {
        List<Standing> standings = List.of(
                standing(Contender.FLEXPOOL, at -> row(Contender.FLEXPOOL, at, own(at), ownFailures(at))),
                standing(Contender.GRADIENT2, at -> row(Contender.GRADIENT2, at, 0.7, 0)),
                standing(Contender.GRADIENT2, at -> row(Contender.GRADIENT2, at, 0.5, 0)));
        Contest.Outcome outcome = new Contest.Outcome(scenarios, statics(), standings);
        return new SimulateGoals(outcome, curve, curves()).all();
    }

    private double own(int at) {
        return scenarios.get(at).name().equals("latency") ? regretOfLatency : regret;
    }

    private int ownFailures(int at) {
        return scenarios.get(at).name().equals("leak") ? failuresOfLeak : at == 0 ? 10 + failures : failures;
    }

    private Standing standing(Contender contender, IntFunction<SimRow> row) {
        return new Standing(
                contender,
                STILL,
                IntStream.range(0, scenarios.size())
                        .mapToObj(at -> new Cell(IntStream.range(0, seeds)
                                .mapToObj(seed -> row.apply(at))
                                .toList()))
                        .toList());
    }

    private SimRow row(Contender contender, int at, double its, int failed) {
        return new SimRow(
                scenarios.get(at).name(), contender.toString(), 1, failed, 1, 5, its, changes, 5, REQUESTS, 20);
    }

    /** Ten failures in each scenario but in leak, where there is none; the first one makes up for it. */
    private List<BestStatic> statics() {
        return scenarios.stream()
                .map(scenario -> new BestStatic(
                        5,
                        LongStream.rangeClosed(1, seeds)
                                .mapToObj(seed -> new SimResult(
                                        scenario.name(),
                                        "best-static",
                                        seed,
                                        REQUESTS,
                                        scenario.name().equals("leak")
                                                ? 0
                                                : scenario.name().equals("steady") ? 20 : 10,
                                        1,
                                        5,
                                        0.02,
                                        0,
                                        5,
                                        null))
                                .toList(),
                        5,
                        0.02))
                .toList();
    }

    private List<CurveRow> curves() {
        List<CurveRow> rows = new ArrayList<>();
        for (int number = 1; number <= databases; number++) {
            double its = number == databases ? regretOfLastDatabase : 0.4;
            rows.add(new CurveRow(number, number, 0.03, 0.01, 20, 5, row(Contender.FLEXPOOL, 1, its, 0)));
            rows.add(new CurveRow(number, number, 0.03, 0.01, 20, 5, row(Contender.BEST_STATIC, 1, 0, 0)));
        }
        return rows;
    }
}
