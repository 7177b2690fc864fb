// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Scenarios of the new kinds, drawn at random, each kind in its turn: a database, a load, a timeout from 50 ms to 30 s,
 * requests of different lengths, a number of instances, its own seed.
 */
final class RandomKinds {
    /** Far from the seeds of the scenarios, and from those of the databases drawn for the published ones. */
    private static final long OWN_SEEDS = 0x5EED_0F_41_4D5L;

    private static final List<NewKind> KINDS = List.of(NewKind.values());

    private final List<Drawn> drawn = new ArrayList<>();

    /** A scenario, and the database and seed of its run. */
    record Drawn(RandomCurves.Drawn database, Scenario scenario) {}

    /**
     * Draws them. The first ones are the same however many there are, and whichever kinds are left out.
     *
     * @param count how many
     * @param seed another one gives others
     * @param names of the chosen scenarios: a kind none of which is chosen is left out
     */
    RandomKinds(int count, long seed, Set<String> names) {
        SplittableRandom random = new SplittableRandom(OWN_SEEDS + seed);
        for (int number = 1; number <= count; number++) {
            SplittableRandom own = random.split();
            RandomCurves.Drawn database = RandomCurves.draw(number, own);
            NewKind kind = KINDS.get((number - 1) % KINDS.size());
            if (names.stream().anyMatch(name -> name.contains(kind.toString()))) {
                drawn.add(new Drawn(
                        database,
                        kind.draw(database.curve(), (least, most) -> RandomCurves.between(own, least, most))));
            }
        }
    }

    List<Drawn> drawn() {
        return List.copyOf(drawn);
    }

    /** Runs of {@link #run} in all. */
    long runs(int contenders) {
        return drawn.stream()
                .mapToLong(one -> one.scenario().ceiling() + contenders)
                .sum();
    }

    /**
     * Runs them; asked to stop, it leaves out those that have not begun.
     *
     * @param shown the contenders with their parameters
     */
    List<CurveRow> run(List<Standing> shown, Progress progress, Interrupt stop) {
        List<CurveRow> rows = new ArrayList<>();
        for (Drawn one : drawn) {
            if (stop.asked()) {
                return rows;
            }
            rows.addAll(RandomCurves.cell(one.database(), one.scenario(), shown));
            progress.steps(
                    one.scenario().ceiling() + (long) shown.size(),
                    one.scenario().name());
        }
        return rows;
    }
}
