// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every contender with each of its parameters in every scenario with every seed, beside the best static size. */
final class Contest {
    private final List<Scenario> scenarios;
    private final List<Long> seeds;
    private final Map<Candidate, Contender> candidates = new LinkedHashMap<>();

    /**
     * Nothing has run yet.
     *
     * @param contenders the best static size needs not be among them: it is always there
     */
    Contest(List<Scenario> scenarios, List<Long> seeds, Iterable<Contender> contenders) {
        this.scenarios = scenarios;
        this.seeds = seeds;
        for (Contender contender : contenders) {
            contender.candidates().forEach(candidate -> candidates.put(candidate, contender));
        }
    }

    /**
     * What came out.
     *
     * @param scenarios those that were run to the end
     * @param statics the best static size of each
     * @param standings one per contender and choice of parameters, in their order
     */
    record Outcome(List<Scenario> scenarios, List<BestStatic> statics, List<Standing> standings) {
        /** The best static sizes as a contender. */
        Standing staticStanding() {
            List<Cell> cells = statics.stream()
                    .map(best -> new Cell(
                            best.runs().stream().map(run -> SimRow.of(run, run)).toList()))
                    .toList();
            return Standing.bestStatic(cells);
        }

        /** A contender at its best: the parameters with the lowest mean regret. Empty if it did not run. */
        Optional<Standing> best(Contender contender) {
            return contender == Contender.BEST_STATIC
                    ? Optional.of(staticStanding())
                    : standings.stream()
                            .filter(standing -> standing.contender() == contender)
                            .min(Comparator.comparingDouble(Standing::meanRegret));
        }

        /** All that ran, each at its best; the best static size first. */
        List<Standing> shown() {
            List<Standing> shown = new ArrayList<>();
            for (Contender contender : Contender.values()) {
                best(contender).ifPresent(shown::add);
            }
            return shown;
        }
    }

    /** Runs in all. */
    long runs() {
        return scenarios.stream()
                .mapToLong(scenario -> seeds.size() * (long) (scenario.ceiling() + candidates.size()))
                .sum();
    }

    /** Runs them; asked to stop, it leaves out the scenario that it was in. */
    Outcome run(Progress progress, Interrupt stop) {
        List<Scenario> done = new ArrayList<>();
        List<BestStatic> statics = new ArrayList<>();
        Map<Candidate, List<Cell>> cells = new LinkedHashMap<>();
        candidates.keySet().forEach(candidate -> cells.put(candidate, new ArrayList<>()));
        for (Scenario scenario : scenarios) {
            BestStatic best = BestStatic.of(scenario, seeds);
            progress.steps((long) seeds.size() * scenario.ceiling(), scenario.name());
            List<Candidate> all = List.copyOf(candidates.keySet());
            List<Cell> own = all.parallelStream()
                    .map(candidate -> cell(scenario, candidate, best))
                    .toList();
            progress.steps((long) seeds.size() * all.size(), scenario.name());
            if (stop.asked()) {
                return outcome(done, statics, cells);
            }
            done.add(scenario);
            statics.add(best);
            for (int at = 0; at < all.size(); at++) {
                cells.getOrDefault(all.get(at), new ArrayList<>()).add(own.get(at));
            }
        }
        return outcome(done, statics, cells);
    }

    private static Cell cell(Scenario scenario, Candidate candidate, BestStatic best) {
        return new Cell(best.runs().stream()
                .map(base -> SimRow.of(Simulation.run(scenario, base.seed(), candidate.controller()), base))
                .toList());
    }

    private Outcome outcome(List<Scenario> done, List<BestStatic> statics, Map<Candidate, List<Cell>> cells) {
        List<Standing> standings = new ArrayList<>();
        if (!done.isEmpty()) {
            candidates.forEach((candidate, contender) -> standings.add(
                    new Standing(contender, candidate, List.copyOf(cells.getOrDefault(candidate, List.of())))));
        }
        return new Outcome(List.copyOf(done), List.copyOf(statics), standings);
    }
}
