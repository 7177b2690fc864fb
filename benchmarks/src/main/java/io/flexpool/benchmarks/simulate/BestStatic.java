// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.ArrayList;
import java.util.List;

/**
 * The best that a size can do in a scenario if it never changes: all are tried. From some size on, more connections make
 * next to no difference for a long way, so of all that come within {@link #AS_GOOD} of the lowest mean time the smallest
 * one is the best.
 *
 * @param size the best
 * @param runs its runs, one per seed
 * @param lowestSize the size with the lowest mean time of all
 * @param lowestSeconds that time
 */
record BestStatic(int size, List<SimResult> runs, int lowestSize, double lowestSeconds) {
    /** So much longer than the lowest mean time is as good. */
    static final double AS_GOOD = 0.03;

    static BestStatic of(Scenario scenario, List<Long> seeds) {
        List<List<SimResult>> bySize = new ArrayList<>();
        int lowest = 0;
        for (int size = 1; size <= scenario.ceiling(); size++) {
            Scenario sized = sized(scenario, size);
            bySize.add(seeds.stream()
                    .map(seed -> Simulation.run(sized, seed, new StaticSize()))
                    .toList());
            if (meanSeconds(bySize.get(size - 1)) < meanSeconds(bySize.get(lowest))) {
                lowest = size - 1;
            }
        }
        double least = meanSeconds(bySize.get(lowest));
        int best = 0;
        while (meanSeconds(bySize.get(best)) > (1 + AS_GOOD) * least) {
            best++;
        }
        return new BestStatic(best + 1, bySize.get(best), lowest + 1, least);
    }

    double meanSeconds() {
        return meanSeconds(runs);
    }

    private static double meanSeconds(List<SimResult> runs) {
        return runs.stream().mapToDouble(SimResult::meanSeconds).average().orElse(Double.NaN);
    }

    /** The same scenario with a pool that has another size from the start. */
    static Scenario sized(Scenario scenario, int size) {
        return new Scenario(
                scenario.name(),
                scenario.curve(),
                size,
                scenario.ceiling(),
                scenario.seconds(),
                scenario.phases(),
                scenario.bursts(),
                scenario.leakSeconds());
    }
}
