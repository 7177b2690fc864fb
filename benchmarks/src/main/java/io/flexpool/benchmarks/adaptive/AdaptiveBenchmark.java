// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.simulate.Candidate;
import io.flexpool.benchmarks.simulate.Pilot;
import io.flexpool.benchmarks.simulate.Pilot.Best;
import io.flexpool.benchmarks.simulate.Scenario;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Plays each scenario as often as asked, all of them once before any of them again. */
final class AdaptiveBenchmark {
    /** Seeds of the simulator; the real requests have others. */
    private static final List<Long> PILOT_SEEDS = List.of(1L, 2L, 3L, 4L, 5L);

    private static final long REAL_SEEDS = 1_000;
    private static final double WARM_UP_SECONDS = 3;

    private final List<RealScenario> scenarios;
    private final int runs;
    private final long seed;
    private final double pace;
    private final Map<RealScenario, Best> best = new EnumMap<>(RealScenario.class);
    private final Candidate gradient2;

    /**
     * Asks the simulator for the best static sizes and for Gradient2's parameters.
     *
     * @param pace what the scenarios' times are multiplied by
     */
    AdaptiveBenchmark(List<RealScenario> scenarios, int runs, long seed, double pace) {
        this.scenarios = scenarios;
        this.runs = runs;
        this.seed = seed;
        this.pace = pace;
        // The figures of a small form are not quotable.
        List<Long> seeds = pace == 1 ? PILOT_SEEDS : PILOT_SEEDS.subList(0, 1);
        scenarios.forEach(one -> best.put(one, Pilot.bestStatic(one.scenario(), seeds)));
        gradient2 =
                Pilot.gradient2(scenarios.stream().map(RealScenario::scenario).toList(), seeds);
    }

    Candidate gradient2() {
        return gradient2;
    }

    Map<RealScenario, Best> best() {
        return best;
    }

    /** How long all of it is played, seconds. */
    long seconds() {
        return scenarios.stream().mapToLong(this::seconds).sum() * runs;
    }

    private long seconds(RealScenario scenario) {
        return Math.max(1, Math.round(scenario.scenario(pace).seconds()));
    }

    /** What was completed before a stop was requested. */
    List<Heat> run(Progress progress, Interrupt stop) throws SQLException, InterruptedException {
        List<Heat> heats = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start()) {
            warmUp(server, stop);
            for (int run = 1; run <= runs; run++) {
                for (RealScenario scenario : scenarios) {
                    Heat heat = slept(scenario, run, server, progress, stop);
                    if (heat.courses().isEmpty()) {
                        return heats;
                    }
                    heats.add(heat);
                }
            }
        }
        return heats;
    }

    private Heat slept(RealScenario scenario, int run, PostgresServer server, Progress progress, Interrupt stop)
            throws SQLException, InterruptedException {
        List<Course> courses = race(scenario.scenario(pace), REAL_SEEDS + seed + run, scenario, server, stop);
        progress.steps(seconds(scenario), scenario + " " + run);
        return new Heat(scenario, pace, run, best(scenario), courses);
    }

    /** Code that is not compiled yet would be measured as the pool's. */
    private void warmUp(PostgresServer server, Interrupt stop) throws SQLException, InterruptedException {
        RealScenario first = scenarios.get(0);
        Scenario whole = RealScenario.STEP.scenario();
        var unused =
                race(RealScenario.STEP.scenario(WARM_UP_SECONDS / whole.seconds()), REAL_SEEDS, first, server, stop);
    }

    private List<Course> race(
            Scenario scenario, long requests, RealScenario sized, PostgresServer server, Interrupt stop)
            throws SQLException, InterruptedException {
        Entry entry = new Entry(scenario, best(sized).smallest(), gradient2);
        return new Race(scenario, requests, () -> new SleepingDatabase(scenario.curve()), List.of(Competitor.values()))
                .run(server, entry, stop);
    }

    private Best best(RealScenario scenario) {
        return best.getOrDefault(scenario, Best.of(RealScenario.BASE));
    }
}
