// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Scenarios drawn at random: any load, slowness, outage, burst, batch and leak on any curve, with any timeout and
 * mix of requests, of any number of instances, a minute or less.
 */
final class RandomScenarios {
    private static final int MOST_CEILING = 40;

    private RandomScenarios() {}

    static Arbitrary<Scenario> any() {
        return Combinators.combine(
                        alone(),
                        Arbitraries.of(1.0, 1.0, 0.05, 0.1, 0.25, 3.0, 30.0),
                        Arbitraries.of(Mix.ALL_ALIKE, Mix.ALL_ALIKE, new Mix(0.01, 0.075, 100), new Mix(0.05, 0.5, 20)),
                        Arbitraries.of(1, 1, 1, 2, 4))
                .as((one, timeout, mix, instances) ->
                        one.withTimeout(timeout).withMix(mix).withInstances(one.base() * instances, instances));
    }

    private static Arbitrary<Scenario> alone() {
        return Combinators.combine(
                        curves(),
                        Arbitraries.integers().between(2, 15),
                        Arbitraries.integers().between(0, 30),
                        phases(),
                        bursts(),
                        Arbitraries.integers().between(0, 45).list().ofMaxSize(6))
                .as((curve, base, above, phases, bursts, leaks) -> new Scenario(
                        "random",
                        curve,
                        base,
                        Math.min(MOST_CEILING, base + above),
                        phases.get(phases.size() - 1).fromSecond() + 15,
                        phases,
                        bursts,
                        leaks.stream().sorted().map(Integer::doubleValue).toList()));
    }

    private static Arbitrary<Usl> curves() {
        return Combinators.combine(
                        Arbitraries.doubles().between(5, 30),
                        Arbitraries.doubles().between(0, 0.1),
                        Arbitraries.doubles().between(0.005, 0.05).ofScale(4))
                .as(Usl::withKnee);
    }

    private static Arbitrary<List<Phase>> phases() {
        return Combinators.combine(
                        Arbitraries.integers().between(5, 15),
                        Arbitraries.of(0, 10, 50, 100, 250, 400),
                        Arbitraries.of(1, 1, 1, 3, 10),
                        Arbitraries.of(0, 0, 0, 9),
                        Arbitraries.of(0.0, 0.0, 0.06),
                        Arbitraries.integers().between(0, 7).map(one -> one > 0))
                .as((seconds, rate, work, delay, hold, up) -> new Phase(seconds, rate, work, delay, hold, up))
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(RandomScenarios::inARow);
    }

    /** From how long each lasts to when each begins. */
    private static List<Phase> inARow(List<Phase> lasting) {
        List<Phase> phases = new ArrayList<>();
        double begin = 0;
        for (Phase phase : lasting) {
            phases.add(new Phase(
                    begin, phase.rate(), phase.workFactor(), phase.delayFactor(), phase.holdSeconds(), phase.up()));
            begin += phase.fromSecond();
        }
        return phases;
    }

    private static Arbitrary<List<Burst>> bursts() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 45),
                        Arbitraries.integers().between(1, 200),
                        Arbitraries.of(0, 0, 0, 20))
                .as((second, requests, hold) -> new Burst(second, hold > 0 ? 1 + requests / 10 : requests, hold))
                .list()
                .ofMaxSize(3)
                .map(bursts -> bursts.stream()
                        .sorted((one, other) -> Double.compare(one.second(), other.second()))
                        .toList());
    }
}
