// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Databases not used for tuning, drawn at random: each has its own knee and contention, a request of
 * its own length, and a seed of its own. Every contender meets each in all scenarios, with the parameters that were best
 * on the usual database.
 */
final class RandomCurves {
    private static final double LEAST_KNEE = 5;
    private static final double MOST_KNEE = 30;
    private static final double LEAST_SIGMA = 0.01;
    private static final double MOST_SIGMA = 0.1;
    private static final double LEAST_SERVICE_SECONDS = 0.010;
    private static final double MOST_SERVICE_SECONDS = 0.030;
    private static final double MS_PER_SECOND = 1e3;

    /** Far from the seeds of the scenarios: those are small numbers from --seed on. */
    private static final long OWN_SEEDS = 0x5EED_0F_C0_77E5L;

    private final List<Drawn> drawn = new ArrayList<>();

    /** A database and the seed of its runs. */
    record Drawn(int number, Usl curve, long seed) {}

    /**
     * Draws them. The first ones are the same however many there are.
     *
     * @param count how many
     * @param seed another one gives others
     */
    RandomCurves(int count, long seed) {
        SplittableRandom random = new SplittableRandom(OWN_SEEDS + seed);
        for (int number = 1; number <= count; number++) {
            drawn.add(draw(number, random.split()));
        }
    }

    static Drawn draw(int number, SplittableRandom own) {
        Usl curve = Usl.withKnee(
                between(own, LEAST_KNEE, MOST_KNEE),
                between(own, LEAST_SIGMA, MOST_SIGMA),
                between(own, LEAST_SERVICE_SECONDS, MOST_SERVICE_SECONDS));
        return new Drawn(number, curve, own.nextLong());
    }

    static double between(SplittableRandom random, double least, double most) {
        return least + (most - least) * random.nextDouble();
    }

    List<Drawn> drawn() {
        return List.copyOf(drawn);
    }

    /** Runs of {@link #run} in all. */
    long runs(List<Scenario> like, int contenders) {
        return (long) drawn.size()
                * like.stream()
                        .mapToInt(scenario -> scenario.ceiling() + contenders)
                        .sum();
    }

    /**
     * Runs them; asked to stop, it leaves out the databases that it has not come to.
     *
     * @param names of the scenarios
     * @param shown the contenders with their parameters
     */
    List<CurveRow> run(List<String> names, List<Standing> shown, Progress progress, Interrupt stop) {
        List<CurveRow> rows = new ArrayList<>();
        for (Drawn one : drawn) {
            if (stop.asked()) {
                return rows;
            }
            List<Scenario> chosen = Scenarios.on(one.curve()).stream()
                    .filter(scenario -> names.contains(scenario.name()))
                    .toList();
            rows.addAll(chosen.parallelStream()
                    .flatMap(scenario -> cell(one, scenario, shown).stream())
                    .toList());
            chosen.forEach(
                    scenario -> progress.steps(scenario.ceiling() + (long) shown.size(), "database " + one.number()));
        }
        return rows;
    }

    /** Every contender in one scenario. */
    static List<CurveRow> cell(Drawn one, Scenario scenario, List<Standing> shown) {
        BestStatic best = BestStatic.of(scenario, List.of(one.seed()));
        SimResult base = best.runs().get(0);
        return shown.parallelStream()
                .map(standing -> standing.contender() == Contender.BEST_STATIC
                        ? base
                        : Simulation.run(
                                scenario, one.seed(), standing.candidate().controller()))
                .map(run -> new CurveRow(
                        one.number(),
                        one.curve().knee(),
                        one.curve().sigma(),
                        one.curve().kappa(),
                        one.curve().serviceSeconds() * MS_PER_SECOND,
                        best.size(),
                        SimRow.of(run, base)))
                .toList();
    }
}
