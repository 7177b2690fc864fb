// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.fleet.FleetRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Several instances on one database whose rate falls beyond its peak, for a minute with more load than it can do: what they complete below
 * a fleet's number, each alone, and with the best static sizes.
 */
public final class FleetOverload {
    private static final int LARGEST_SUM = 40;

    private FleetOverload() {}

    /**
     * The sums of all runs.
     *
     * @param instances that share the database
     * @param fleetMax what they share
     * @param requests that arrived
     * @param completions below the fleet's number
     * @param completionsEachAlone of the same controllers without a fleet
     * @param bestStaticSum connections of all instances together that complete the most, if nothing moves them
     * @param bestStaticCompletions so many
     * @param ofBestStatic completions in parts of those
     */
    public record Row(
            int instances,
            int fleetMax,
            int requests,
            int completions,
            int completionsEachAlone,
            int bestStaticSum,
            int bestStaticCompletions,
            double ofBestStatic) {}

    /**
     * Two and four instances, with a number near the database's peak and with one far above it.
     *
     * @param runs each with another seed
     * @return one row for each
     */
    public static List<Row> rows(int runs) {
        int peak = (int) Math.round(Usl.DEFAULT.knee());
        List<Row> rows = new ArrayList<>();
        for (Scenario scenario : NewScenarios.ALL) {
            if (scenario.instances() > 1) {
                Static best = best(scenario, runs);
                for (int most : List.of(peak, LARGEST_SUM)) {
                    rows.add(row(scenario, most, best, runs));
                }
            }
        }
        return rows;
    }

    private record Static(int sum, int completions) {}

    private static Static best(Scenario scenario, int runs) {
        Static best = new Static(0, -1);
        for (int sum = scenario.instances(); sum <= LARGEST_SUM; sum++) {
            int done = completions(scenario.withInstances(sum, scenario.instances()), runs, () -> StaticSize::new);
            if (done > best.completions()) {
                best = new Static(sum, done);
            }
        }
        return best;
    }

    private static Row row(Scenario scenario, int most, Static best, int runs) {
        FleetRules rules = new FleetRules(most, scenario.instances(), 0);
        int requests = seeds(runs)
                .mapToInt(
                        seed -> Simulation.run(scenario, seed, StaticSize::new).requests())
                .sum();
        int done = completions(scenario, runs, () -> {
            FleetController.Ledger ledger = new FleetController.Ledger(rules);
            return () -> new FleetController(ledger);
        });
        int alone = completions(scenario, runs, () -> FlexPoolController::new);
        double part = Math.rint(1_000.0 * done / best.completions()) / 1_000;
        return new Row(scenario.instances(), most, requests, done, alone, best.sum(), best.completions(), part);
    }

    private static LongStream seeds(int runs) {
        return LongStream.rangeClosed(1, runs);
    }

    private static int completions(Scenario scenario, int runs, Supplier<Supplier<SimController>> controllers) {
        return seeds(runs)
                .mapToObj(seed -> Simulation.run(scenario, seed, controllers.get()))
                .mapToInt(result -> result.requests() - result.failures())
                .sum();
    }
}
