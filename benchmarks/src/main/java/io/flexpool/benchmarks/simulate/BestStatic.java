// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.stream.IntStream;

/**
 * The best that a size can do in a scenario if it never changes: all are tried. From some size on, more connections make
 * next to no difference for a long way, so of all that come within {@link #AS_GOOD} of the lowest mean time the smallest
 * one is the best.
 *
 * @param size the best
 * @param runs its runs, one per seed
 * @param lowestSize the size with the lowest mean time of all
 * @param lowestSeconds that time
 * @param largestSize the largest size that comes within {@link #AS_GOOD}
 */
record BestStatic(int size, List<SimResult> runs, int lowestSize, double lowestSeconds, int largestSize) {
    /** So much longer than the lowest mean time is as good. */
    static final double AS_GOOD = 0.03;
    /** What a sum of mean times may be off. */
    private static final double ROUNDING = 1e-6;
    /** A few sizes far from each other come first: what is better than the rest is soon known. */
    private static final int COARSE = 8;

    /** Several instances have the best sum, dealt out evenly. */
    static BestStatic of(Scenario scenario, List<Long> seeds) {
        Sizes sizes = new Sizes(scenario, seeds);
        int[] all = IntStream.rangeClosed(scenario.instances(), scenario.ceiling())
                .boxed()
                .sorted(Comparator.comparingInt(size -> size % COARSE))
                .mapToInt(Integer::intValue)
                .toArray();
        IntStream.of(all).parallel().forEach(sizes::tryOut);
        return sizes.best();
    }

    /** What was tried. Runs that cannot be the best end early, or do not begin: that changes nothing of what is best. */
    private static final class Sizes {
        private final Scenario scenario;
        private final List<Long> seeds;
        private final SortedMap<Integer, List<SimResult>> bySize = new ConcurrentSkipListMap<>();
        private final DoubleAccumulator lowest = new DoubleAccumulator(Math::min, Double.POSITIVE_INFINITY);
        private final Map<Long, Integer> requests = new ConcurrentHashMap<>();

        Sizes(Scenario scenario, List<Long> seeds) {
            this.scenario = scenario;
            this.seeds = seeds;
        }

        void tryOut(int size) {
            Scenario sized = sized(scenario, size);
            List<SimResult> runs = new ArrayList<>();
            double sum = 0;
            for (long seed : seeds) {
                double left = lowest.get() * (1 + AS_GOOD + ROUNDING) * seeds.size() - sum;
                Optional<SimResult> run = Simulation.runWithin(
                        sized, seed, StaticSize::new, requests.getOrDefault(seed, Integer.MAX_VALUE), left);
                if (run.isEmpty()) {
                    return;
                }
                requests.put(seed, run.get().requests());
                runs.add(run.get());
                sum += run.get().meanSeconds();
            }
            bySize.put(size, runs);
            lowest.accumulate(BestStatic.meanSeconds(runs));
        }

        BestStatic best() {
            int lowestSize = bySize.entrySet().stream()
                    .min(Comparator.comparingDouble(entry -> BestStatic.meanSeconds(entry.getValue())))
                    .orElseThrow()
                    .getKey();
            double least = lowest.get();
            List<Integer> asGood = bySize.entrySet().stream()
                    .filter(entry -> BestStatic.meanSeconds(entry.getValue()) <= (1 + AS_GOOD) * least)
                    .map(Map.Entry::getKey)
                    .toList();
            int size = asGood.get(0);
            return new BestStatic(
                    size,
                    Objects.requireNonNull(bySize.get(size), "it was tried"),
                    lowestSize,
                    least,
                    asGood.get(asGood.size() - 1));
        }
    }

    double meanSeconds() {
        return meanSeconds(runs);
    }

    private static double meanSeconds(List<SimResult> runs) {
        return runs.stream().mapToDouble(SimResult::meanSeconds).average().orElse(Double.NaN);
    }

    /** The same scenario with a pool that has another size from the start. */
    static Scenario sized(Scenario scenario, int size) {
        return scenario.withInstances(size, scenario.instances());
    }
}
