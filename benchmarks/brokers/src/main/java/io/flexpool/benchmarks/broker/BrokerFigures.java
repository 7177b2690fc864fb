// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Finds figures among the measured ones. */
final class BrokerFigures {
    private final List<ChainRun> runs;

    BrokerFigures(List<ChainRun> runs) {
        this.runs = List.copyOf(runs);
    }

    List<ChainRun> all() {
        return runs;
    }

    /** The runs of a store and payload, in the order of their rounds. */
    List<ChainRun> of(BrokerStore store, int payload) {
        return runs.stream()
                .filter(run -> run.store().equals(store.toString()) && run.payload() == payload)
                .sorted(Comparator.comparingInt(ChainRun::round))
                .toList();
    }

    /** A figure over a store's runs. */
    Spread spread(BrokerStore store, int payload, ToDoubleFunction<ChainRun> figure) {
        return Spread.of(of(store, payload).stream()
                .map(run -> figure.applyAsDouble(run))
                .toList());
    }

    /** One store's rate over another's in the same round. */
    Spread ratio(BrokerStore store, BrokerStore to, int payload) {
        List<Double> ratios = new ArrayList<>();
        for (ChainRun run : of(store, payload)) {
            of(to, payload).stream()
                    .filter(other -> other.round() == run.round())
                    .forEach(other -> ratios.add(run.rate() / other.rate()));
        }
        return Spread.of(ratios);
    }

    /** Of several runs the one in the middle, by its rate. */
    Optional<ChainRun> middle(BrokerStore store, int payload) {
        List<ChainRun> sorted = of(store, payload).stream()
                .sorted(Comparator.comparingDouble(ChainRun::rate))
                .toList();
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
    }
}
