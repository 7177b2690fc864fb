// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.report.ScenarioResult;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the scenario's result of what was simulated.
 *
 * @param curve the scenarios' database
 * @param asked every option with its value
 * @param outcome what came out
 * @param curves what came out on databases drawn at random
 */
record SimulateResult(Usl curve, Map<String, String> asked, Contest.Outcome outcome, List<CurveRow> curves) {
    /**
     * Figures for programs.
     *
     * @param rows one per scenario, controller at its best, and seed
     * @param statics by scenario: the best static size
     * @param tried every choice of parameters that was tried
     * @param drawn one per database drawn at random, scenario and controller
     */
    public record Figures(List<SimRow> rows, List<Static> statics, List<Tried> tried, List<CurveRow> drawn) {}

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
     * @param controller its name
     * @param parameters in words
     * @param shown whether the rows are of this choice
     * @param meanRegret over all scenarios
     * @param failures of one run in the mean, summed over all scenarios
     * @param meanHeld over all scenarios
     */
    public record Tried(
            String controller, String parameters, boolean shown, double meanRegret, double failures, double meanHeld) {}

    ScenarioResult of(Instant started, boolean complete, List<String> command) {
        return new ScenarioResult(
                "simulate",
                "Sizing controllers in simulation",
                started.truncatedTo(ChronoUnit.SECONDS)
                        .atZone(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME),
                Duration.between(started, Instant.now()).toMillis() / 1000.0,
                complete,
                command,
                asked,
                Environment.here(),
                outcome.scenarios().isEmpty() ? List.of() : new SimulateGoals(outcome, curve, curves).all(),
                outcome.scenarios().isEmpty() ? List.of() : new SimulateTables(outcome, curves).all(),
                SimulateGraphs.of(outcome),
                notes(),
                figures());
    }

    private Figures figures() {
        List<Standing> shown = outcome.shown();
        List<Static> statics = new ArrayList<>();
        for (int at = 0; at < outcome.scenarios().size(); at++) {
            BestStatic best = outcome.statics().get(at);
            statics.add(new Static(outcome.scenarios().get(at).name(), best.size(), best.lowestSize()));
        }
        return new Figures(
                shown.stream().flatMap(standing -> standing.rows().stream()).toList(),
                statics,
                outcome.standings().stream()
                        .map(standing -> new Tried(
                                standing.contender().toString(),
                                standing.candidate().parameters(),
                                shown.contains(standing),
                                standing.meanRegret(),
                                standing.failures(),
                                standing.meanHeld()))
                        .toList(),
                curves);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(
                "In virtual time: Poisson arrivals wait first come, first served, 1 s at most, for a pool that opens a"
                        + " connection in 30 ms with 30 ms between two; the database is shared by all that work in it, along a"
                        + " Universal Scalability Law; the controllers see a window each 250 ms. Nothing reads a clock.");
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
        outcome.shown().stream()
                .map(Standing::contender)
                .map(contender -> contender + " is tried with: " + contender.grid() + ".")
                .forEach(notes::add);
        if (outcome.best(Contender.FLEXYPOOL).isPresent()) {
            notes.add("FlexyPool's rule is kinder here than in FlexyPool: a raised limit serves those who already wait,"
                    + " and most pools' maximum does not. Its bound is the ceiling, as everybody's. A request that asks"
                    + " again after its timeout waits longer than the timeout, which its p99 shows.");
        }
        if (outcome.best(Contender.VEGAS).isPresent()) {
            notes.add(
                    "Netflix's VegasLimit looks for a new shortest lease at moments that it draws from a generator that"
                            + " nobody can seed: with that on, its figures differ a little from run to run. All others repeat"
                            + " exactly.");
        }
        if (!curves.isEmpty()) {
            notes.add("Databases drawn at random: knee 5 to 30, sigma 0.01 to 0.1, mean work 10 to 30 ms, one seed each"
                    + " that no scenario has; the parameters are those of the scenarios above.");
        }
        return notes;
    }
}
