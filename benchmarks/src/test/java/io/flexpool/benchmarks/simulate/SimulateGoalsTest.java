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
    private static final Contest.Outcome NONE = new Contest.Outcome(List.of(), List.of(), List.of());
    private static final int REQUESTS = 1000;
    private static final Candidate STILL = new Candidate("still", StaticSize::new);

    private List<Scenario> scenarios = Scenarios.ALL;
    private List<Scenario> newScenarios = NewScenarios.ALL;
    private int seeds = 5;
    private Usl curve = Usl.DEFAULT;
    private double regret = 0.05;
    private double regretOfLatency = 0.05;
    private double regretOfNew = 0.3;
    private double regretOfNightBatch = 0.3;
    private double withClasses = 0.3;
    private double regretOfDatabases = 0.1;
    private double regretOfKinds = 0.3;
    private int kinds = 24;
    private int failures = 10;
    private int failuresOfLeak;
    private int changes;
    private int databases = 20;
    private double regretOfLastDatabase = 0.1;

    @Test
    void whatIsReachedIsMet() {
        assertThat(findings()).hasSize(14).extracting(Finding::verdict).containsOnly(Verdict.GOAL_MET);
        assertThat(finding("mean regret over all").measured()).isEqualTo("0.050");
        assertThat(finding("mean regret over all").why()).contains("gradient2 0.50");
        assertThat(finding("1.05 times").measured()).isEqualTo("110 against 110");
    }

    @Test
    void aMeanRegretAboveTheGoalIsMissed() {
        regret = 0.065;

        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("no scenario is above").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void aScenarioAboveTheGoalIsMissedAndNamed() {
        regret = -0.05;
        regretOfLatency = 1.01;

        assertThat(finding("no scenario is above").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("no scenario is above").measured()).isEqualTo("1.01 in latency");
        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void oneScenarioCountsAtMostTen() {
        regretOfLatency = 100;

        assertThat(finding("mean regret over all").measured()).isEqualTo("0.955");
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
        regretOfLastDatabase = 2.01;

        assertThat(finding("The mean regret is at most 0.15").verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("No regret is above 2").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("No regret is above 2").measured()).isEqualTo("2.01 (database 20, knee 20.0, step)");
        assertThat(finding("No regret is above 2").why()).contains("1 runs on 20 databases");
    }

    @Test
    void theNewScenariosHaveGoalsOfTheirOwn() {
        regretOfNew = 0.41;
        assertThat(finding("over the new scenarios").verdict()).isEqualTo(Verdict.GOAL_MET);
        regretOfNightBatch = 0.41;
        assertThat(finding("over the new scenarios").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("over the new scenarios").measured()).isEqualTo("0.410");
        assertThat(finding("no new scenario").verdict()).isEqualTo(Verdict.GOAL_MET);
        regretOfNightBatch = 1.51;
        assertThat(finding("no new scenario").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("no new scenario").measured()).isEqualTo("1.51 in night-batch");
        assertThat(finding("new kinds").verdict()).isEqualTo(Verdict.GOAL_MET);
        regretOfKinds = 0.41;
        assertThat(finding("new kinds").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void requestsOfTwoKindsHaveGoalsOfTheirOwnWithAndWithoutClasses() {
        regretOfNightBatch = 0.31;
        assertThat(finding("night-batch is at most 0.3 in a pool without").verdict())
                .isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("night-batch is at most 0.3 in a pool with classes").verdict())
                .isEqualTo(Verdict.GOAL_MET);
        withClasses = 0.31;
        assertThat(finding("night-batch is at most 0.3 in a pool with classes").verdict())
                .isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("mixed-work is at most 0.3 in a pool with classes").measured())
                .isEqualTo("0.30");
        assertThat(finding("mixed-work is at most 0.3 in a pool with classes").verdict())
                .isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void aMeanRegretAboveTheGoalOnOtherDatabasesIsMissed() {
        regretOfDatabases = 0.16;

        assertThat(finding("The mean regret is at most 0.15").verdict()).isEqualTo(Verdict.GOAL_MISSED);
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
        kinds = 23;
        assertThat(finding("new kinds").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("no new scenario").verdict()).isEqualTo(Verdict.GOAL_MET);
        newScenarios = NewScenarios.ALL.subList(1, 8);
        assertThat(finding("no new scenario").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("mean regret over all").verdict()).isEqualTo(Verdict.GOAL_MET);
        scenarios = Scenarios.ALL.subList(0, 10);
        assertThat(findings()).extracting(Finding::verdict).containsOnly(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void withoutFlexpoolThereIsNothingToJudge() {
        Contest.Outcome outcome = new Contest.Outcome(scenarios, statics(scenarios), List.of());

        assertThat(new SimulateGoals(new Outcomes(outcome, outcome, NONE, List.of(), List.of()), curve).all())
                .isEmpty();
    }

    private Finding finding(String claim) {
        return findings().stream()
                .filter(finding -> finding.claim().contains(claim))
                .findFirst()
                .orElseThrow();
    }

    private List<Finding> findings() {
        Contest.Outcome outcome = new Contest.Outcome(
                scenarios,
                statics(scenarios),
                List.of(
                        standing(
                                scenarios,
                                Contender.FLEXPOOL,
                                at -> row(Contender.FLEXPOOL, at, own(at), ownFailures(at))),
                        standing(scenarios, Contender.GRADIENT2, at -> row(Contender.GRADIENT2, at, 0.7, 0)),
                        standing(scenarios, Contender.GRADIENT2, at -> row(Contender.GRADIENT2, at, 0.5, 0))));
        Contest.Outcome fresh = new Contest.Outcome(
                newScenarios,
                statics(newScenarios),
                List.of(ofNew(Contender.FLEXPOOL, regretOfNightBatch), ofNew(Contender.FLEXPOOL_CLASSES, withClasses)));
        return new SimulateGoals(new Outcomes(outcome, fresh, NONE, curves(), kinds()), curve).all();
    }

    private Standing ofNew(Contender contender, double nightBatch) {
        return standing(newScenarios, contender, at -> {
            String name = newScenarios.get(at).name();
            return row(name, contender, name.equals("night-batch") ? nightBatch : regretOfNew, 0);
        });
    }

    private double own(int at) {
        return scenarios.get(at).name().equals("latency") ? regretOfLatency : regret;
    }

    private int ownFailures(int at) {
        return scenarios.get(at).name().equals("leak") ? failuresOfLeak : at == 0 ? 10 + failures : failures;
    }

    private Standing standing(List<Scenario> all, Contender contender, IntFunction<SimRow> row) {
        return new Standing(
                contender,
                STILL,
                IntStream.range(0, all.size())
                        .mapToObj(at -> new Cell(IntStream.range(0, seeds)
                                .mapToObj(seed -> row.apply(at))
                                .toList()))
                        .toList());
    }

    private SimRow row(Contender contender, int at, double its, int failed) {
        return row(scenarios.get(at).name(), contender, its, failed);
    }

    private SimRow row(String scenario, Contender contender, double its, int failed) {
        return new SimRow(scenario, contender.toString(), 1, failed, 1, 5, its, changes, 5, REQUESTS, 20);
    }

    /** Ten failures in each scenario but in leak, where there is none; the first one makes up for it. */
    private List<BestStatic> statics(List<Scenario> all) {
        return all.stream()
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
                        0.02,
                        5))
                .toList();
    }

    private List<CurveRow> curves() {
        List<CurveRow> rows = new ArrayList<>();
        for (int number = 1; number <= databases; number++) {
            double its = number == databases ? regretOfLastDatabase : regretOfDatabases;
            for (int at = 0; at < scenarios.size(); at++) {
                double here = scenarios.get(at).name().equals("step") ? its : regretOfDatabases;
                rows.add(new CurveRow(number, number, 0.03, 0.01, 20, 5, row(Contender.FLEXPOOL, at, here, 0)));
                rows.add(new CurveRow(number, number, 0.03, 0.01, 20, 5, row(Contender.BEST_STATIC, at, 0, 0)));
            }
        }
        return rows;
    }

    private List<CurveRow> kinds() {
        return IntStream.rangeClosed(1, kinds)
                .mapToObj(number -> new CurveRow(
                        number, number, 0.03, 0.01, 20, 5, row("mixed-work", Contender.FLEXPOOL, regretOfKinds, 0)))
                .toList();
    }
}
