// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.cold.ColdCalls.Calls;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.Measured;
import io.flexpool.benchmarks.paired.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Rounds of fresh JVMs: each round one for every variant, one after the other, in random order. */
final class ColdBenchmark {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Set<Variant> variants;
    private final int calls;
    private final Random random = new Random();

    /**
     * Nothing runs yet.
     *
     * @param variants with {@link Variant#BARE}
     * @param calls calls of each JVM
     */
    ColdBenchmark(Set<Variant> variants, int calls) {
        this.variants = variants;
        this.calls = calls;
    }

    /**
     * Runs all rounds.
     *
     * @param jvms JVMs of each variant
     * @param progress steps once per JVM
     * @return one row per variant
     */
    List<ColdRow> run(int jvms, Progress progress) throws IOException, InterruptedException {
        Map<Variant, List<Calls>> measured = new EnumMap<>(Variant.class);
        for (int round = 0; round < jvms; round++) {
            List<Variant> order = new ArrayList<>(variants);
            Collections.shuffle(order, random);
            for (Variant variant : order) {
                progress.step(variant.toString());
                measured.computeIfAbsent(variant, unused -> new ArrayList<>())
                        .add(ColdCalls.run(variant.toString(), calls));
            }
        }
        Series bare = series(measured.getOrDefault(Variant.BARE, List.of()), Calls::medianNs);
        return measured.entrySet().stream()
                .map(entry -> row(entry.getKey(), entry.getValue(), bare))
                .toList();
    }

    private static ColdRow row(Variant variant, List<Calls> jvms, Series bare) {
        Series medians = series(jvms, Calls::medianNs);
        return new ColdRow(
                variant.toString(),
                Measured.rounded(medians.median()),
                Measured.rounded(medians.quantile(0.25)),
                Measured.rounded(medians.quantile(0.75)),
                Measured.rounded(series(jvms, Calls::p99Ns).median()),
                Measured.rounded(series(jvms, Calls::sumNs).median() / NANOS_PER_MILLI),
                Measured.rounded(medians.over(bare).median()));
    }

    private static Series series(List<Calls> jvms, ToDoubleFunction<Calls> figure) {
        Series series = new Series(jvms.size());
        for (int at = 0; at < jvms.size(); at++) {
            series.set(at, figure.applyAsDouble(jvms.get(at)));
        }
        return series;
    }
}
