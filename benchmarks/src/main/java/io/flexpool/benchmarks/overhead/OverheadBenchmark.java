// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Steps;
import io.flexpool.benchmarks.overhead.isolated.OverheadWorkload;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.Measured;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Slicing;
import io.flexpool.benchmarks.paired.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** Compares the variants under one load in this JVM, in units of what the ideal adds. */
final class OverheadBenchmark {
    private final Load load;
    private final PairedBenchmark benchmark;

    OverheadBenchmark(Load load, List<Variant> variants) {
        this.load = load;
        this.benchmark = new PairedBenchmark(
                new Trial(load.toString(), OverheadWorkload.class, load.threads(), List.of(load.pool())),
                variants.stream().map(Variant::toString).toList());
    }

    /**
     * What all rounds gave.
     *
     * @param rows one per length of a slice and variant
     * @param figuresRead by variant
     */
    record Outcome(List<OverheadRow> rows, Map<String, Long> figuresRead) {}

    /**
     * Runs all rounds.
     *
     * @param warmUp rounds before those that count
     * @param slicings those that count
     */
    Outcome run(int warmUp, List<Slicing> slicings, Steps progress)
            throws ReflectiveOperationException, IOException, InterruptedException, ExecutionException {
        List<OverheadRow> rows = new ArrayList<>();
        Map<String, Long> figuresRead = new HashMap<>();
        benchmark.run(warmUp, slicings, progress).forEach((slicing, measured) -> {
            double unit = measured.stream()
                    .filter(one -> one.variant().equals(Variant.IDEAL.toString()))
                    .mapToDouble(Measured::diffMedianNs)
                    .findFirst()
                    .orElse(Double.NaN);
            measured.forEach(one -> {
                rows.add(row(slicing, one, unit));
                figuresRead.put(one.variant(), one.figuresRead());
            });
        });
        return new Outcome(rows, figuresRead);
    }

    private OverheadRow row(Slicing slicing, Measured one, double unit) {
        return new OverheadRow(
                load.threads(),
                load.pool(),
                slicing.millis(),
                one.variant(),
                tenths(one.cpuMedianNs()),
                tenths(one.diffMedianNs()),
                tenths(one.diffP25Ns()),
                tenths(one.diffP75Ns()),
                Double.isNaN(unit) ? null : Math.round(one.diffMedianNs() / unit * 1000) / 1000.0,
                tenths(one.bytesPerCycle()));
    }

    /** No more is known, and the figures of twenty JVMs shall fit into a file that people open. */
    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
