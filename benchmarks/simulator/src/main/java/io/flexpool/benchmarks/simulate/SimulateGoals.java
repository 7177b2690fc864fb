// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;

/** What this project aims at with its own controller, beside what came out. */
final class SimulateGoals {
    private static final String GOAL = "a goal of this project";
    private static final double MEAN_REGRET = 0.06;
    private static final double MOST_REGRET = 1.0;
    private static final double FAILURES = 1.05;
    private static final double SHARE_OF_REQUESTS = 0.01;
    private static final double NEW_MEAN_REGRET = 0.40;
    private static final double NEW_MOST_REGRET = 1.5;
    private static final double CURVES_MEAN = 0.15;
    private static final double CURVES_MOST = 2;
    private static final int ENOUGH_CURVES = 20;
    private static final int ENOUGH_KINDS = 24;
    private static final int ENOUGH_SEEDS = 5;

    private final Contest.Outcome outcome;
    private final Contest.Outcome fresh;
    private final List<CurveRow> curves;
    private final List<CurveRow> kinds;
    private final Usl curve;

    /**
     * Of all groups.
     *
     * @param curve the scenarios' database
     */
    SimulateGoals(Outcomes outcomes, Usl curve) {
        this.outcome = outcomes.published();
        this.fresh = outcomes.fresh();
        this.curves = outcomes.curves();
        this.kinds = outcomes.kinds();
        this.curve = curve;
    }

    /** None without flexpool's controller, and none of a group that was not played. */
    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        outcome.best(Contender.FLEXPOOL).ifPresent(own -> findings.addAll(onPublished(own)));
        fresh.best(Contender.FLEXPOOL).ifPresent(own -> findings.addAll(onNew(own)));
        if (played(curves)) {
            findings.addAll(onCurves());
        }
        if (played(kinds)) {
            findings.add(onKinds());
        }
        return findings;
    }

    private static boolean played(List<CurveRow> rows) {
        return rows.stream().anyMatch(row -> row.row().controller().equals(Contender.FLEXPOOL.toString()));
    }

    private List<Finding> onPublished(Standing own) {
        List<Finding> findings = new ArrayList<>();
        findings.add(meanRegret(own));
        findings.add(worstRegret(own));
        findings.add(failures(own));
        findings.add(failuresWhereNoneIsDue(own));
        own.cells().stream()
                .filter(cell -> cell.scenario().equals(Steadiness.SCENARIO))
                .findFirst()
                .ifPresent(cell -> findings.add(steadiness(own, cell)));
        return findings;
    }

    private List<Finding> onNew(Standing own) {
        double regret = own.meanRegret();
        Cell worst = own.worst();
        return List.of(
                judged(
                        fresh,
                        "The mean regret over the new scenarios is at most " + number(NEW_MEAN_REGRET, 2),
                        number(regret, 3),
                        regret / NEW_MEAN_REGRET,
                        regret <= NEW_MEAN_REGRET,
                        "A scenario counts at most " + number(Cell.MOST_REGRET, 0) + ". The others at their best: "
                                + others(fresh) + "."),
                judged(
                        fresh,
                        "The regret in no new scenario is above " + number(NEW_MOST_REGRET, 1),
                        number(worst.regret(), 2) + " in " + worst.scenario(),
                        worst.regret() / NEW_MOST_REGRET,
                        worst.regret() <= NEW_MOST_REGRET,
                        worstRun(own)));
    }

    private static String worstRun(Standing own) {
        double worst = own.cells().stream().mapToDouble(Cell::worstRegret).max().orElse(Double.NaN);
        return "The mean over the seeds. The worst single run has " + number(worst, 2) + ".";
    }

    private static String others(Contest.Outcome of) {
        return String.join(
                ", ",
                of.shown().stream()
                        .filter(standing -> standing.contender() != Contender.FLEXPOOL)
                        .map(standing -> standing.contender() + " " + number(standing.meanRegret(), 2))
                        .toList());
    }

    /** Whether this was the run that the group's goals are stated for. */
    private boolean complete(Contest.Outcome of) {
        List<Scenario> all = of.equals(fresh) ? NewScenarios.ALL : Scenarios.ALL;
        return of.scenarios().size() == all.size()
                && of.statics().get(0).runs().size() >= ENOUGH_SEEDS
                && curve.equals(Usl.DEFAULT);
    }

    private Finding judged(String claim, String measured, double ratio, boolean met, String why) {
        return judged(outcome, claim, measured, ratio, met, why);
    }

    private Finding judged(Contest.Outcome of, String claim, String measured, double ratio, boolean met, String why) {
        return complete(of)
                ? new Finding(claim, GOAL, null, measured, ratio, met ? Verdict.GOAL_MET : Verdict.GOAL_MISSED, why)
                : new Finding(
                        claim,
                        GOAL,
                        null,
                        measured,
                        ratio,
                        Verdict.CANNOT_BE_JUDGED,
                        "It is stated for all scenarios of the group, " + ENOUGH_SEEDS
                                + " seeds and the usual database. " + why);
    }

    private Finding meanRegret(Standing own) {
        double regret = own.meanRegret();
        return judged(
                "The mean regret over all scenarios is at most " + number(MEAN_REGRET, 2),
                number(regret, 3),
                regret / MEAN_REGRET,
                regret <= MEAN_REGRET,
                "A scenario counts at most " + number(Cell.MOST_REGRET, 0) + ". The others at their best: "
                        + others(outcome) + ".");
    }

    private Finding worstRegret(Standing own) {
        Cell worst = own.worst();
        return judged(
                "The regret in no scenario is above " + number(MOST_REGRET, 1),
                number(worst.regret(), 2) + " in " + worst.scenario(),
                worst.regret() / MOST_REGRET,
                worst.regret() <= MOST_REGRET,
                worstRun(own));
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
                        "The mean regret is at most " + number(CURVES_MEAN, 2) + claim,
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
        boolean enough = summary.curves() >= ENOUGH_CURVES
                && curves.stream().map(row -> row.row().scenario()).distinct().count() == Scenarios.ALL.size();
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

    private Finding onKinds() {
        CurveSummary summary = CurveSummary.of(Contender.FLEXPOOL, kinds);
        boolean enough = summary.curves() >= ENOUGH_KINDS;
        boolean met = summary.meanRegret() <= NEW_MEAN_REGRET;
        return new Finding(
                "The mean regret is at most " + number(NEW_MEAN_REGRET, 2)
                        + " in scenarios of the new kinds drawn at random",
                GOAL,
                null,
                number(summary.meanRegret(), 3),
                summary.meanRegret() / NEW_MEAN_REGRET,
                enough ? (met ? Verdict.GOAL_MET : Verdict.GOAL_MISSED) : Verdict.CANNOT_BE_JUDGED,
                (enough ? "" : "It is stated for " + ENOUGH_KINDS + " scenarios. ") + "Over " + summary.curves()
                        + " scenarios, one run of each; the worst has "
                        + number(summary.worst().row().regret(), 2) + " (" + summary.where() + ").");
    }
}
