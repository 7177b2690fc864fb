// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.List;

/** What the simulator says beforehand of scenarios that are then played on a real database. */
public final class Pilot {
    private Pilot() {}

    /**
     * The best of the sizes that never change.
     *
     * @param smallest the smallest whose mean time is within 3 % of the lowest
     * @param lowest the one with the lowest mean time
     * @param largest the largest whose mean time is within 3 % of the lowest
     */
    public record Best(int smallest, int lowest, int largest) {
        /** Of one size. */
        public static Best of(int size) {
            return new Best(size, size, size);
        }

        /** The sizes that are as good as the best, in words. */
        @Override
        public String toString() {
            return smallest == largest ? String.valueOf(smallest) : smallest + " to " + largest;
        }
    }

    /**
     * The best size that never changes, of all from 1 to the ceiling.
     *
     * @param scenario with the curve that the real database will follow
     * @param seeds as many runs of each size
     */
    public static Best bestStatic(Scenario scenario, List<Long> seeds) {
        BestStatic best = BestStatic.of(scenario, seeds);
        return new Best(best.size(), best.lowestSize(), best.largestSize());
    }

    /**
     * The parameters with which Netflix's {@code Gradient2Limit} does best.
     *
     * @param scenarios all that count
     * @param seeds as many runs of each
     * @return of its grid the choice with the lowest mean regret
     */
    public static Candidate gradient2(List<Scenario> scenarios, List<Long> seeds) {
        List<BestStatic> statics = scenarios.stream()
                .map(scenario -> BestStatic.of(scenario, seeds))
                .toList();
        Candidate best = null;
        double least = Double.POSITIVE_INFINITY;
        for (Candidate candidate : Contender.GRADIENT2.candidates()) {
            double regret = 0;
            for (int at = 0; at < scenarios.size(); at++) {
                regret += regret(scenarios.get(at), candidate, statics.get(at));
            }
            if (best == null || regret < least) {
                best = candidate;
                least = regret;
            }
        }
        if (best == null) {
            throw new IllegalStateException("nothing to choose from");
        }
        return best;
    }

    private static double regret(Scenario scenario, Candidate candidate, BestStatic best) {
        List<SimRow> rows = best.runs().stream()
                .map(base -> SimRow.of(Simulation.run(scenario, base.seed(), candidate.controller()), base))
                .toList();
        return new Cell(rows).cappedRegret();
    }
}
