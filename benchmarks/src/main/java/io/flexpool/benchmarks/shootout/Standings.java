// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All that was measured, by pool, variant and thread count.
 *
 * @param setup what was to be measured
 * @param results what was
 */
record Standings(Setup setup, List<Result> results) {
    /** All repeats of one pool in one variant at one thread count; empty if it was not run. */
    Optional<Standing> of(ShootOutPool pool, Variant variant, int threads) {
        return of(pool, variant, round -> !round.pressing() && round.threads() == threads);
    }

    /** All repeats of one pool in one variant under pressure; empty if it was not run. */
    Optional<Standing> pressed(ShootOutPool pool, Variant variant) {
        return of(pool, variant, Assignment.Round::pressing);
    }

    private Optional<Standing> of(ShootOutPool pool, Variant variant, Predicate<Assignment.Round> rounds) {
        List<Result> its = results.stream()
                .filter(result -> result.pool() == pool && result.variant() == variant && rounds.test(result.round()))
                .toList();
        return its.isEmpty() ? Optional.empty() : Optional.of(new Standing(its));
    }

    /** One pool in one variant, from few threads to many; without those that were not run. */
    Stream<Standing> of(ShootOutPool pool, Variant variant) {
        return setup.threads().stream()
                .map(threads -> of(pool, variant, threads))
                .flatMap(Optional::stream);
    }

    /** Median milliseconds, with or without errors; empty if there are none. */
    OptionalDouble ms(ShootOutPool pool, Variant variant, int threads) {
        return of(pool, variant, threads)
                .filter(Standing::measured)
                .map(standing -> OptionalDouble.of(standing.ms().median()))
                .orElseGet(OptionalDouble::empty);
    }

    /** Answered cycles per second in a variant over those of the bare pool in the same round. */
    Optional<Spread> overBare(ShootOutPool pool, Variant variant, int threads) {
        DoubleStream ratios = IntStream.range(0, setup.repeats())
                .mapToObj(repeat -> rate(pool, variant, threads, repeat)
                        .flatMap(rate ->
                                rate(pool, Variant.BARE, threads, repeat).map(bare -> rate / bare)))
                .flatMap(Optional::stream)
                .mapToDouble(Double::doubleValue);
        double[] all = ratios.toArray();
        return all.length == 0 ? Optional.empty() : Optional.of(Spread.of(DoubleStream.of(all)));
    }

    private Optional<Double> rate(ShootOutPool pool, Variant variant, int threads, int repeat) {
        return of(pool, variant, threads).stream()
                .flatMap(standing -> standing.results().stream())
                .filter(result -> result.repeat() == repeat)
                .map(Result::heat)
                .flatMap(Stream::ofNullable)
                .filter(heat -> heat.answered() > 0)
                .map(heat -> heat.answered() / heat.ms())
                .findFirst();
    }

    /** All rounds of one pool in one variant, the pressing one last; without those that were not run. */
    Stream<Standing> all(ShootOutPool pool, Variant variant) {
        return Stream.concat(of(pool, variant), pressed(pool, variant).stream());
    }

    /** The round in which a pool had the most connections open at once. */
    Optional<Standing> largest(ShootOutPool pool, Variant variant) {
        return all(pool, variant).filter(Standing::measured).max(Comparator.comparingInt(Standing::peak));
    }
}
