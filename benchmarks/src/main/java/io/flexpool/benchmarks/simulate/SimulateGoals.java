// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What this project aims at with its own controller, beside what came out.
 *
 * @param outcomes of all groups
 * @param curve the scenarios' database
 */
record SimulateGoals(Outcomes outcomes, Usl curve) {
    private static final String GOAL = "a goal of this project";
    private static final double MEAN_REGRET = 0.06;
    private static final double MOST_REGRET = 1.0;
    private static final double FAILURES = 1.05;
    private static final double SHARE_OF_REQUESTS = 0.01;
    private static final double NEW_MEAN_REGRET = 0.40;
    private static final double NEW_MOST_REGRET = 1.5;
    /** Where requests are of two kinds: few that last long, among many that do not. */
    private static final double TWO_KINDS_REGRET = 0.3;

    private static final double CURVES_MEAN = 0.15;
    private static final double CURVES_MOST = 2;
    private static final int ENOUGH_CURVES = 20;
    private static final int ENOUGH_KINDS = 24;
    private static final int ENOUGH_SEEDS = 5;

    /** None without flexpool's controller, and none of a group that was not played. */
    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        Contest.Outcome published = outcomes.published();
        published.best(Contender.FLEXPOOL).ifPresent(own -> {
            findings.add(meanRegret(published, own, "over all scenarios", MEAN_REGRET));
            findings.add(worstRegret(published, own, "in no scenario", MOST_REGRET));
            findings.add(failures(published, own));
            findings.add(failuresWhereNoneIsDue(published, own));
            own.cells().stream()
                    .filter(cell -> cell.scenario().equals(Steadiness.SCENARIO))
                    .findFirst()
                    .ifPresent(cell -> findings.add(steadiness(published, own, cell)));
        });
        Contest.Outcome fresh = outcomes.fresh();
        fresh.best(Contender.FLEXPOOL).ifPresent(own -> {
            findings.add(meanRegret(fresh, own, "over the new scenarios", NEW_MEAN_REGRET));
            findings.add(worstRegret(fresh, own, "in no new scenario", NEW_MOST_REGRET));
            findings.addAll(regretsOfTwoKinds(fresh, own, "without classes"));
        });
        fresh.best(Contender.FLEXPOOL_CLASSES)
                .ifPresent(own -> findings.addAll(regretsOfTwoKinds(fresh, own, "with classes")));
        if (Outcomes.played(outcomes.curves()).contains(Contender.FLEXPOOL)) {
            findings.addAll(onCurves());
        }
        if (Outcomes.played(outcomes.kinds()).contains(Contender.FLEXPOOL)) {
            findings.add(onKinds());
        }
        return findings;
    }

    private static Finding judged(String goal, boolean met, Measured evidence) {
        return Claim.<Measured>goal(GOAL, goal, same -> same, same -> met).judged(evidence);
    }

    /** Only the run that the group's goals are stated for is judged. */
    private Finding judged(Contest.Outcome of, String goal, boolean met, String measured, double ratio, String why) {
        List<Scenario> all = of.equals(outcomes.fresh()) ? NewScenarios.ALL : Scenarios.ALL;
        boolean whole = of.scenarios().size() == all.size()
                && of.statics().get(0).runs().size() >= ENOUGH_SEEDS
                && curve.equals(Usl.DEFAULT);
        return judged(
                goal,
                met,
                Measured.of(measured, ratio, why)
                        .unless(
                                !whole,
                                "it is stated for all scenarios of the group, " + ENOUGH_SEEDS
                                        + " seeds and the usual database"));
    }

    private Finding meanRegret(Contest.Outcome of, Standing own, String where, double most) {
        double regret = own.meanRegret();
        String others = of.shown().stream()
                .filter(standing -> standing.contender() != Contender.FLEXPOOL)
                .map(standing -> standing.contender() + " " + number(standing.meanRegret(), 2))
                .collect(Collectors.joining(", "));
        return judged(
                of,
                "The mean regret " + where + " is at most " + number(most, 2),
                regret <= most,
                number(regret, 3),
                regret / most,
                "A scenario counts at most " + number(Cell.MOST_REGRET, 0) + ". The others at their best: " + others
                        + ".");
    }

    private Finding worstRegret(Contest.Outcome of, Standing own, String where, double most) {
        Cell worst = own.worst();
        double worstRun =
                own.cells().stream().mapToDouble(Cell::worstRegret).max().orElse(Double.NaN);
        return judged(
                of,
                "The regret " + where + " is above " + number(most, 1),
                worst.regret() <= most,
                number(worst.regret(), 2) + " in " + worst.scenario(),
                worst.regret() / most,
                "The mean over the seeds. The worst single run has " + number(worstRun, 2) + ".");
    }

    private List<Finding> regretsOfTwoKinds(Contest.Outcome of, Standing own, String which) {
        return of.scenarios().stream()
                .filter(Scenario::ofTwoKinds)
                .map(scenario -> own.cells().get(of.scenarios().indexOf(scenario)))
                .map(cell -> regretOfTwoKinds(of, cell, which))
                .toList();
    }

    private Finding regretOfTwoKinds(Contest.Outcome of, Cell cell, String which) {
        return judged(
                of,
                "The regret in " + cell.scenario() + " is at most " + number(TWO_KINDS_REGRET, 1) + " in a pool "
                        + which,
                cell.regret() <= TWO_KINDS_REGRET,
                number(cell.regret(), 2),
                cell.regret() / TWO_KINDS_REGRET,
                "The mean over the seeds. The worst single run has " + number(cell.worstRegret(), 2) + ".");
    }

    private Finding failures(Contest.Outcome of, Standing own) {
        double best = of.staticStanding().failures();
        double failures = own.failures();
        return judged(
                of,
                "At most " + number(FAILURES, 2)
                        + " times the failures of the best static sizes, all scenarios together",
                failures <= FAILURES * best,
                number(failures, 0) + " against " + number(best, 0),
                best == 0 ? (failures == 0 ? 1 : Double.POSITIVE_INFINITY) : failures / best,
                "Of one run of each scenario in the mean; each has its own best static size.");
    }

    private Finding failuresWhereNoneIsDue(Contest.Outcome of, Standing own) {
        List<Cell> statics = of.staticStanding().cells();
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
                of,
                "At most " + number(100 * SHARE_OF_REQUESTS, 0)
                        + " % of the requests fail where none does with the best static size",
                most <= SHARE_OF_REQUESTS,
                number(100 * most, 2) + " % at most, in " + where,
                most / SHARE_OF_REQUESTS,
                "Of all seeds' requests in one scenario.");
    }

    private Finding steadiness(Contest.Outcome of, Standing own, Cell cell) {
        int at = own.cells().indexOf(cell);
        Steadiness steadiness = Steadiness.of(of.scenarios().get(at), own.candidate(), cell);
        return judged(
                of,
                "In steady load at most one change a minute, and none that takes back another after the first minute",
                steadiness.changesPerMinute() <= 1 && steadiness.reversals() == 0,
                number(steadiness.changesPerMinute(), 2) + " changes a minute, " + steadiness.reversals()
                        + " taken back",
                steadiness.changesPerMinute(),
                "The mean over the seeds, the way up from the base included; the worst seed has "
                        + steadiness.mostChanges() + " changes in " + number(steadiness.minutes(), 0) + " minutes.");
    }

    private List<Finding> onCurves() {
        CurveSummary summary = CurveSummary.of(Contender.FLEXPOOL, outcomes.curves());
        double worst = summary.worst().row().regret();
        boolean enough = summary.curves() >= ENOUGH_CURVES
                && outcomes.curves().stream()
                                .map(row -> row.row().scenario())
                                .distinct()
                                .count()
                        == Scenarios.ALL.size();
        long above = outcomes.curves().stream()
                .filter(row -> row.row().controller().equals(Contender.FLEXPOOL.toString()))
                .filter(row -> row.row().regret() > CURVES_MOST)
                .count();
        String stated = "it is stated for all scenarios and " + ENOUGH_CURVES + " databases";
        String where = " on databases that nothing was tuned on";
        return List.of(
                judged(
                        "The mean regret is at most " + number(CURVES_MEAN, 2) + where,
                        summary.meanRegret() <= CURVES_MEAN,
                        Measured.of(
                                        number(summary.meanRegret(), 3),
                                        summary.meanRegret() / CURVES_MEAN,
                                        "Over " + summary.curves()
                                                + " databases with knees from 5 to 30 and all their scenarios; the"
                                                + " worst database has " + number(summary.worstCurve(), 2) + ".")
                                .unless(!enough, stated)),
                judged(
                        "No regret is above " + number(CURVES_MOST, 0) + where,
                        worst <= CURVES_MOST,
                        Measured.of(
                                        number(worst, 2) + " (" + summary.where() + ")",
                                        worst / CURVES_MOST,
                                        "Of each database in each scenario, one run. " + above + " runs on "
                                                + summary.curves() + " databases are above it.")
                                .unless(!enough, stated)));
    }

    private Finding onKinds() {
        CurveSummary summary = CurveSummary.of(Contender.FLEXPOOL, outcomes.kinds());
        return judged(
                "The mean regret is at most " + number(NEW_MEAN_REGRET, 2)
                        + " in scenarios of the new kinds drawn at random",
                summary.meanRegret() <= NEW_MEAN_REGRET,
                Measured.of(
                                number(summary.meanRegret(), 3),
                                summary.meanRegret() / NEW_MEAN_REGRET,
                                "Over " + summary.curves() + " scenarios, one run of each; the worst has "
                                        + number(summary.worst().row().regret(), 2) + " (" + summary.where() + ").")
                        .unless(summary.curves() < ENOUGH_KINDS, "it is stated for " + ENOUGH_KINDS + " scenarios"));
    }
}
