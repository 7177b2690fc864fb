// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import io.flexpool.benchmarks.kit.JavaHome;
import io.flexpool.benchmarks.kit.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Rounds of fresh JVMs: each round one for every Java and variant, one after the other, in random order. Not by turns in
 * one JVM: the other variants' threads would take processor time that is counted and wake-ups that are waited for, what
 * the compiler makes of one variant would depend on the others, and a second Java needs a second JVM anyway. That the
 * machine is faster in one minute than in the next is met by comparing only within a round.
 */
final class TailBenchmark {
    private final Collection<JavaHome> javas;
    private final Collection<Variant> variants;
    private final TailLoad load;
    private final Random random = new Random();

    /**
     * Nothing runs yet.
     *
     * @param javas what the JVMs are run with
     * @param variants with {@link Variant#BARE}
     * @param load what the clients do in each JVM
     */
    TailBenchmark(Collection<JavaHome> javas, Collection<Variant> variants, TailLoad load) {
        this.javas = javas;
        this.variants = variants;
        this.load = load;
    }

    /**
     * Runs all rounds.
     *
     * @param jvms JVMs of each Java and variant
     * @param progress steps once per JVM
     * @return by round and Java, and within these in the order in which they ran
     */
    List<TailRun> run(int jvms, Progress progress) throws IOException, InterruptedException {
        List<TailRun> runs = new ArrayList<>();
        for (int round = 0; round < jvms; round++) {
            for (JavaHome java : javas) {
                List<Variant> order = new ArrayList<>(variants);
                Collections.shuffle(order, random);
                for (Variant variant : order) {
                    progress.step(variant.toString());
                    add(runs, variant, round, TailJvm.ask(java, new TailJvm.Task(variant, load)));
                }
            }
        }
        return runs;
    }

    private static void add(List<TailRun> runs, Variant variant, int round, TailJvm.Answer answer) {
        for (int window = 0; window < answer.windows().size(); window++) {
            runs.add(new TailRun(
                    answer.jvm(),
                    variant.toString(),
                    round,
                    window,
                    answer.windows().get(window)));
        }
    }
}
