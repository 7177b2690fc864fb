// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What this project aims at with its own controller, beside what came out. */
final class SimulateGoals {
    private static final String GOAL = "a goal of this project";
    private static final double MEAN_REGRET = 0.40;
    private static final double MOST_REGRET = 1.0;
    private static final double FAILURES = 1.05;
    private static final double SHARE_OF_REQUESTS = 0.01;
    private static final double CURVES_MEAN = 0.5;
    private static final double CURVES_MOST = 2;
    private static final int ENOUGH_CURVES = 20;
    private static final int ENOUGH_SEEDS = 5;

    private final Contest.Outcome outcome;
    private final List<CurveRow> curves;
    private final Usl curve;

    /**
     * Of a contest.
     *
     * @param curve the scenarios' database
     * @param curves what came out on databases drawn at random
     */
    SimulateGoals(Contest.Outcome outcome, Usl curve, List<CurveRow> curves) {
        this.outcome = outcome;
        this.curve = curve;
        this.curves = curves;
    }

    /** None without flexpool's controller. */
    List<Finding> all() {
        Optional<Standing> own = outcome.best(Contender.FLEXPOOL);
        if (own.isEmpty()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(meanRegret(own.get()));
        findings.add(worstRegret(own.get()));
        findings.add(failures(own.get()));
        findings.add(failuresWhereNoneIsDue(own.get()));
        own.get().cells().stream()
                .filter(cell -> cell.scenario().equals(Steadiness.SCENARIO))
                .findFirst()
                .ifPresent(cell -> findings.add(steadiness(own.get(), cell)));
        if (!curves.isEmpty()) {
            findings.addAll(onCurves());
        }
        return findings;
    }

    /** Whether this was the run that the goals are stated for. */
    private boolean complete() {
        return outcome.scenarios().size() == Scenarios.ALL.size()
                && outcome.statics().get(0).runs().size() >= ENOUGH_SEEDS
                && curve.equals(Usl.DEFAULT);
    }

    private Finding judged(String claim, String measured, double ratio, boolean met, String why) {
        return complete()
                ? new Finding(claim, GOAL, null, measured, ratio, met ? Verdict.GOAL_MET : Verdict.GOAL_MISSED, why)
                : new Finding(
                        claim,
                        GOAL,
                        null,
                        measured,
                        ratio,
                        Verdict.CANNOT_BE_JUDGED,
                        "It is stated for all scenarios, " + ENOUGH_SEEDS + " seeds and the usual database. " + why);
    }

    private Finding meanRegret(Standing own) {
        double regret = own.meanRegret();
        String others = String.join(
                ", ",
                outcome.shown().stream()
                        .filter(standing -> standing.contender() != Contender.FLEXPOOL)
                        .map(standing -> standing.contender() + " " + number(standing.meanRegret(), 2))
                        .toList());
        return judged(
                "The mean regret over all scenarios is at most " + number(MEAN_REGRET, 2),
                number(regret, 3),
                regret / MEAN_REGRET,
                regret <= MEAN_REGRET,
                "A scenario counts at most " + number(Cell.MOST_REGRET, 0) + ". The others at their best: " + others
                        + ".");
    }

    private Finding worstRegret(Standing own) {
        Cell worst = own.cells().stream()
                .max(Comparator.comparingDouble(Cell::regret))
                .orElseThrow();
        double worstRun =
                own.cells().stream().mapToDouble(Cell::worstRegret).max().orElse(Double.NaN);
        return judged(
                "The regret in no scenario is above " + number(MOST_REGRET, 1),
                number(worst.regret(), 2) + " in " + worst.scenario(),
                worst.regret() / MOST_REGRET,
                worst.regret() <= MOST_REGRET,
                "The mean over the seeds. The worst single run has " + number(worstRun, 2) + ".");
    }

    private Finding failures(Standing own) {
        double best = outcome.staticStanding().failures();
        double failures = own.failures();
        return judged(
                "At most " + number(FAILURES, 2)
                        + " times the failures of the best static sizes, all scenarios together",
                number(failures, 0) + " against " + number(best, 0),
                best == 0 ? (failures == 0 ? 1 : Double.POSITIVE_INFINITY) : failures / best,
                failures <= FAILURES * best,
                "Of one run of each scenario in the mean; each has its own best static size.");
    }

    private Finding failuresWhereNoneIsDue(Standing own) {
        List<Cell> statics = outcome.staticStanding().cells();
        double most = 0;
        String where = "none of them";
        for (int at = 0; at < statics.size(); at++) {
            Cell cell = own.cells().get(at);
            double share = (double) cell.failures() / cell.requests();
            if (statics.get(at).failures() == 0 && share > most) {
                most = share;
                where = cell.scenario();
            }
        }
        return judged(
                "At most " + number(100 * SHARE_OF_REQUESTS, 0)
                        + " % of the requests fail where none does with the best static size",
                number(100 * most, 2) + " % at most, in " + where,
                most / SHARE_OF_REQUESTS,
                most <= SHARE_OF_REQUESTS,
                "Of all seeds' requests in one scenario.");
    }

    private Finding steadiness(Standing own, Cell cell) {
        int at = own.cells().indexOf(cell);
        Steadiness steadiness = Steadiness.of(outcome.scenarios().get(at), own.candidate(), cell);
        return judged(
                "In steady load at most one change a minute, and none that takes back another after the first minute",
                number(steadiness.changesPerMinute(), 2) + " changes a minute, " + steadiness.reversals()
                        + " taken back",
                steadiness.changesPerMinute(),
                steadiness.changesPerMinute() <= 1 && steadiness.reversals() == 0,
                "The mean over the seeds, the way up from the base included; the worst seed has "
                        + steadiness.mostChanges() + " changes in " + number(steadiness.minutes(), 0) + " minutes.");
    }

    private List<Finding> onCurves() {
        CurveSummary summary = CurveSummary.of(Contender.FLEXPOOL, curves);
        String claim = " on databases that nothing was tuned on";
        return List.of(
                onCurves(
                        "The mean regret is at most " + number(CURVES_MEAN, 1) + claim,
                        number(summary.meanRegret(), 3),
                        summary.meanRegret() / CURVES_MEAN,
                        summary,
                        "Over " + summary.curves() + " databases with knees from 5 to 30 and all their scenarios; the"
                                + " worst database has " + number(summary.worstCurve(), 2) + "."),
                onCurves(
                        "No regret is above " + number(CURVES_MOST, 0) + claim,
                        number(summary.worst().row().regret(), 2) + " (" + summary.where() + ")",
                        summary.worst().row().regret() / CURVES_MOST,
                        summary,
                        "Of each database in each scenario, one run. " + above(summary.curves())));
    }

    private String above(int databases) {
        long above = curves.stream()
                .filter(row -> row.row().controller().equals(Contender.FLEXPOOL.toString()))
                .filter(row -> row.row().regret() > CURVES_MOST)
                .count();
        return above + " runs on " + databases + " databases are above it.";
    }

    private Finding onCurves(String claim, String measured, double ratio, CurveSummary summary, String why) {
        boolean enough =
                summary.curves() >= ENOUGH_CURVES && outcome.scenarios().size() == Scenarios.ALL.size();
        Verdict verdict = ratio <= 1 ? Verdict.GOAL_MET : Verdict.GOAL_MISSED;
        return new Finding(
                claim,
                GOAL,
                null,
                measured,
                ratio,
                enough ? verdict : Verdict.CANNOT_BE_JUDGED,
                (enough ? "" : "It is stated for all scenarios and " + ENOUGH_CURVES + " databases. ") + why);
    }
}
