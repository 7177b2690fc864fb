// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.ScenarioResult;
import io.flexpool.benchmarks.simulate.Pilot.Best;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the scenario's result of what was played.
 *
 * @param asked every option with its value
 * @param best the best static size of each scenario
 * @param gradient2 its parameters, in words
 * @param heats what was played
 */
record AdaptiveResult(Map<String, String> asked, Map<RealScenario, Best> best, String gradient2, List<Heat> heats) {
    /**
     * Figures for programs.
     *
     * @param rows one per scenario, run and competitor
     * @param statics by scenario: the best static size
     */
    public record Figures(List<RealRow> rows, List<Static> statics) {}

    /**
     * A scenario's best static size.
     *
     * @param scenario its name
     * @param size the best, which is played: the smallest whose mean time is within 3 % of the lowest
     * @param lowestSize the one with the lowest mean time
     * @param largestSize the largest within 3 % of it
     */
    public record Static(String scenario, int size, int lowestSize, int largestSize) {}

    ScenarioResult of(Instant started, boolean complete, List<String> command) {
        List<Finding> goals = new AdaptiveGoals(heats).all();
        return ScenarioResult.of(
                new ScenarioResult.Run(
                        "adaptive", "Sizing controllers on a real database", started, complete, command, asked),
                goals,
                AdaptiveTables.of(heats, goals),
                AdaptiveGraphs.of(heats),
                notes(),
                figures());
    }

    private Figures figures() {
        return new Figures(
                heats.stream().flatMap(heat -> heat.rows().stream()).toList(),
                best.entrySet().stream()
                        .map(one -> new Static(
                                one.getKey().toString(),
                                one.getValue().smallest(),
                                one.getValue().lowest(),
                                one.getValue().largest()))
                        .toList());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("All pools at the same time in one JVM, each with its own connections to one PostgreSQL and its own"
                + " network; the same requests arrive at each at the same moments, whether or not the ones before are"
                + " answered, and times count from then. The acquisition timeout is 1 s.");
        notes.add("A request sleeps in the database (pg_sleep), mean " + RealScenario.CURVE.serviceSeconds() * 1000
                + " ms alone, lognormal, stretched along a Universal Scalability Law (sigma "
                + RealScenario.CURVE.sigma() + ", kappa " + RealScenario.CURVE.kappa()
                + ": at its peak 12.7 at once, 71"
                + " requests/s) by the statements of the same pool that are under way when it begins. They are counted"
                + " in the client.");
        notes.add(
                "All pools but the best static one begin with " + RealScenario.BASE + " connections and pass "
                        + RealScenario.CEILING
                        + " never. Best static is the simulator's for the same scenario on the same"
                        + " curve: of all sizes from 1 to the ceiling the smallest whose mean time is within 3 % of the lowest.");
        notes.add("Gradient2 is Netflix's own class with the simulator's best choice of parameters (" + gradient2
                + "), and moves the same gate as flexpool. FlexyPool is FlexyPool: it grows by one after a timeout, up"
                + " to the ceiling, then tries once more. flexpool acts with its defaults.");
        notes.add("Regret: the mean end-to-end time, a failure counting 5 s, over that of the best static size in the"
                + " same run, minus 1. Held are physical connections, as HikariCP counts them.");
        return notes;
    }
}
