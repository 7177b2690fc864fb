// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.report.ScenarioResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the scenario's result of what was simulated.
 *
 * @param curve the scenarios' database
 * @param asked every option with its value
 * @param outcomes what came out
 */
record SimulateResult(Usl curve, Map<String, String> asked, Outcomes outcomes) {
    /**
     * Figures for programs.
     *
     * @param rows one per scenario, controller at its best, and seed
     * @param statics by scenario: the best static size
     * @param tried every choice of parameters that was tried
     * @param drawn one per database drawn at random, scenario and controller
     * @param drawnKinds one per scenario of the new kinds drawn at random, and controller
     * @param groups one per group of scenarios and controller
     */
    public record Figures(
            List<SimRow> rows,
            List<Static> statics,
            List<Tried> tried,
            List<CurveRow> drawn,
            List<CurveRow> drawnKinds,
            List<GroupRow> groups) {}

    /**
     * A scenario's best static size.
     *
     * @param scenario its name
     * @param size the best
     * @param lowestSize the one with the lowest mean time
     */
    public record Static(String scenario, int size, int lowestSize) {}

    /**
     * A contender with one choice of its parameters.
     *
     * @param group of scenarios
     * @param controller its name
     * @param parameters in words
     * @param shown whether the rows are of this choice
     * @param meanRegret over all scenarios
     * @param failures of one run in the mean, summed over all scenarios
     * @param meanHeld over all scenarios
     */
    public record Tried(
            String group,
            String controller,
            String parameters,
            boolean shown,
            double meanRegret,
            double failures,
            double meanHeld) {}

    ScenarioResult of(Instant started, boolean complete, List<String> command) {
        return ScenarioResult.of(
                new ScenarioResult.Run(
                        "simulate", "Sizing controllers in simulation", started, complete, command, asked),
                new SimulateGoals(outcomes, curve).all(),
                new SimulateTables(outcomes).all(),
                outcomes.contests().stream()
                        .flatMap(outcome -> SimulateGraphs.of(outcome).stream())
                        .toList(),
                notes(),
                figures());
    }

    private Figures figures() {
        List<SimRow> rows = new ArrayList<>();
        List<Static> statics = new ArrayList<>();
        List<Tried> tried = new ArrayList<>();
        for (Contest.Outcome outcome : outcomes.contests()) {
            List<Standing> shown = outcome.shown();
            shown.forEach(standing -> rows.addAll(standing.rows()));
            for (int at = 0; at < outcome.scenarios().size(); at++) {
                BestStatic best = outcome.statics().get(at);
                statics.add(new Static(outcome.scenarios().get(at).name(), best.size(), best.lowestSize()));
            }
            outcome.standings().forEach(standing -> tried.add(tried(outcome, standing, shown.contains(standing))));
        }
        return new Figures(rows, statics, tried, outcomes.curves(), outcomes.kinds(), outcomes.groups());
    }

    private Tried tried(Contest.Outcome outcome, Standing standing, boolean shown) {
        return new Tried(
                outcomes.group(outcome).toString(),
                standing.contender().toString(),
                standing.candidate().parameters(),
                shown,
                standing.meanRegret(),
                standing.failures(),
                standing.meanHeld());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(
                "In virtual time: Poisson arrivals wait first come, first served, 1 s at most unless the scenario says"
                        + " otherwise, for a pool that opens a connection in 30 ms with 30 ms between two; the database is"
                        + " shared by all that work in it, along a Universal Scalability Law; the controllers see a window"
                        + " each 250 ms. Nothing reads a clock.");
        notes.add("Database: sigma " + curve.sigma() + ", kappa " + curve.kappa() + ", mean work "
                + curve.serviceSeconds() * 1000 + " ms (lognormal, its standard deviation the same). Loads keep their"
                + " ratio to its peak.");
        notes.add("Regret: the mean end-to-end time, a failure counting 5 s, over that of the best static size with the"
                + " same seed, minus 1. Best static: of all sizes from 1 to the ceiling the smallest whose mean comes"
                + " within 3 % of the lowest. Over scenarios one counts at most 10.");
        notes.add("Failures, p99, held and changes are means over the seeds of one run each.");
        notes.add(
                "flexpool's controller is the class that production runs, with its defaults. The others are shown with"
                        + " the parameters that did best on the same seeds, so they are at an advantage.");
        List<Contender> contenders = outcomes.contests().stream()
                .flatMap(outcome -> outcome.shown().stream())
                .map(Standing::contender)
                .distinct()
                .toList();
        contenders.stream()
                .map(contender -> contender + " is tried with: " + contender.grid() + ".")
                .forEach(notes::add);
        if (contenders.contains(Contender.FLEXYPOOL)) {
            notes.add("FlexyPool's rule is kinder here than in FlexyPool: a raised limit serves those who already"
                    + " wait, and most pools' maximum does not. Its bound is the ceiling, like that of all others. A"
                    + " request that asks again after its timeout waits longer than the timeout, which its p99 shows.");
        }
        if (contenders.contains(Contender.VEGAS)) {
            notes.add("Netflix's VegasLimit probes for a new shortest lease at random moments, from a generator that"
                    + " cannot be seeded: with that on, its figures differ a little from run to run. All others repeat"
                    + " exactly.");
        }
        if (!outcomes.curves().isEmpty()) {
            notes.add("Databases drawn at random: knee 5 to 30, sigma 0.01 to 0.1, mean work 10 to 30 ms, one seed each"
                    + " that no scenario has; the parameters are those of the scenarios above.");
        }
        if (!outcomes.fresh().scenarios().isEmpty() || !outcomes.kinds().isEmpty()) {
            notes.add("Where several instances share the database, each has a pool, requests and a controller of its"
                    + " own; the best static size is the best sum, dealt out evenly. flexpool's controllers are"
                    + " given their number, the others have no such setting. A failure counts the acquisition"
                    + " timeout where that is longer than 5 s; the time for which a batch job keeps its connection"
                    + " does not count.");
        }
        return notes;
    }
}
