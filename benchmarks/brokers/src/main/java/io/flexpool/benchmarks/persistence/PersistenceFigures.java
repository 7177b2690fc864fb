// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.kit.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Finds figures among the measured ones. */
final class PersistenceFigures {
    private final List<FanRun> runs;

    PersistenceFigures(List<FanRun> runs) {
        this.runs = List.copyOf(runs);
    }

    List<FanRun> all() {
        return runs;
    }

    /** The runs of a store and workload, in the order of their rounds. */
    List<FanRun> of(PersistenceStore store, String workload) {
        return runs.stream()
                .filter(run ->
                        run.store().equals(store.toString()) && run.workload().equals(workload))
                .sorted(Comparator.comparingInt(FanRun::round))
                .toList();
    }

    /** A figure over a store's runs. */
    Spread spread(PersistenceStore store, String workload, ToDoubleFunction<FanRun> figure) {
        return Spread.of(of(store, workload).stream()
                .map(run -> figure.applyAsDouble(run))
                .toList());
    }

    /** One store's rate over another's in the same round. */
    Spread ratio(PersistenceStore store, PersistenceStore to, String workload) {
        List<Double> ratios = new ArrayList<>();
        for (FanRun run : of(store, workload)) {
            of(to, workload).stream()
                    .filter(other -> other.round() == run.round())
                    .forEach(other -> ratios.add(run.rate() / other.rate()));
        }
        return Spread.of(ratios);
    }

    /**
     * How much of the gap between a durable store and no store at all another store closes, in percent, in each round
     * that has all three: 0 if it is as slow as the durable store, 100 if it is as fast as none, below 0 if it is slower.
     * Rounds without a gap are left out.
     */
    Spread closed(PersistenceStore store, PersistenceStore from, String workload) {
        List<Double> shares = new ArrayList<>();
        for (FanRun run : of(store, workload)) {
            double slow = rate(from, workload, run.round());
            double fast = rate(PersistenceStore.NON_PERSISTENT, workload, run.round());
            if (fast > slow) {
                shares.add(100 * (run.rate() - slow) / (fast - slow));
            }
        }
        return Spread.of(shares);
    }

    /** NaN if there is none. */
    private double rate(PersistenceStore store, String workload, int round) {
        return of(store, workload).stream()
                .filter(run -> run.round() == round)
                .mapToDouble(FanRun::rate)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Of several runs the one in the middle, by its rate. */
    Optional<FanRun> middle(PersistenceStore store, String workload) {
        List<FanRun> sorted = of(store, workload).stream()
                .sorted(Comparator.comparingDouble(FanRun::rate))
                .toList();
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
    }
}
