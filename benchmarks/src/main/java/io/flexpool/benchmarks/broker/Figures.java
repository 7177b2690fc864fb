// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Finds figures among the measured ones.
 *
 * @param runs of all stores, workloads and rounds
 * @param failures the JVMs that measured nothing
 */
record Figures(List<Run> runs, List<Failure> failures) {
    /** The runs of a store and workload, in the order of their rounds. */
    List<Run> of(Store store, String workload) {
        return runs.stream()
                .filter(run ->
                        run.store().equals(store.toString()) && run.workload().equals(workload))
                .sorted(Comparator.comparingInt(Run::round))
                .toList();
    }

    /** A figure over a store's runs. */
    Spread spread(Store store, String workload, ToDoubleFunction<Run> figure) {
        return Spread.of(of(store, workload).stream().mapToDouble(figure));
    }

    /** A figure over the runs of all stores. */
    Spread spread(String workload, ToDoubleFunction<Run> figure) {
        return Spread.of(
                runs.stream().filter(run -> run.workload().equals(workload)).mapToDouble(figure));
    }

    /** The sum of a figure over all runs. */
    long sum(ToLongFunction<Run> figure) {
        return runs.stream().mapToLong(figure).sum();
    }

    /** One store's rate over another's in the same round. */
    Spread ratio(Store store, Store to, String workload) {
        return spread(store, workload, run -> run.rate() / rate(to, workload, run.round()));
    }

    /**
     * How much of the gap between a durable store and no store at all another store closes, in percent, in each round
     * that has all three: 0 if it is as slow as the durable store, 100 if it is as fast as none, below 0 if it is slower.
     * Rounds without a gap are left out.
     */
    Spread closed(Store store, Store from, String workload) {
        return spread(store, workload, run -> {
            double slow = rate(from, workload, run.round());
            double fast = rate(PersistenceStore.NON_PERSISTENT, workload, run.round());
            return fast > slow ? 100 * (run.rate() - slow) / (fast - slow) : Double.NaN;
        });
    }

    /** NaN if there is none. */
    private double rate(Store store, String workload, int round) {
        return of(store, workload).stream()
                .filter(run -> run.round() == round)
                .mapToDouble(Run::rate)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Of several runs the one in the middle, by its rate. */
    Optional<Run> middle(Store store, String workload) {
        List<Run> sorted = of(store, workload).stream()
                .sorted(Comparator.comparingDouble(Run::rate))
                .toList();
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
    }
}
