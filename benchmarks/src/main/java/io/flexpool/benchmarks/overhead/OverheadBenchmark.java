// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.overhead.isolated.OverheadWorkload;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.Measured;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Rounds;
import io.flexpool.benchmarks.paired.Trial;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** Compares the variants under one load, in units of what the ideal adds. */
final class OverheadBenchmark {
    private final Load load;
    private final PairedBenchmark benchmark;

    OverheadBenchmark(Load load, Set<Variant> variants) {
        this.load = load;
        this.benchmark = new PairedBenchmark(
                new Trial(load.toString(), OverheadWorkload.class, load.threads(), List.of(load.pool())),
                variants.stream().map(Variant::toString).toList());
    }

    /**
     * What all rounds gave.
     *
     * @param rows one per variant
     * @param figuresRead by variant
     */
    record Outcome(List<OverheadRow> rows, Map<String, Long> figuresRead) {}

    /**
     * Runs all rounds.
     *
     * @param rounds how many
     */
    Outcome run(Rounds rounds, Progress progress)
            throws ReflectiveOperationException, IOException, InterruptedException, ExecutionException {
        List<Measured> measured = benchmark.run(rounds, progress);
        double unit = measured.stream()
                .filter(one -> one.variant().equals(Variant.IDEAL.toString()))
                .mapToDouble(Measured::diffMedianNs)
                .findFirst()
                .orElse(Double.NaN);
        return new Outcome(
                measured.stream().map(one -> row(one, unit)).toList(),
                measured.stream().collect(Collectors.toMap(Measured::variant, Measured::figuresRead)));
    }

    private OverheadRow row(Measured one, double unit) {
        return new OverheadRow(
                load.threads(),
                load.pool(),
                one.variant(),
                Measured.rounded(one.cpuMedianNs()),
                Measured.rounded(one.diffMedianNs()),
                Measured.rounded(one.diffP25Ns()),
                Measured.rounded(one.diffP75Ns()),
                Double.isNaN(unit) ? null : Math.round(one.diffMedianNs() / unit * 1000) / 1000.0,
                Measured.rounded(one.bytesPerCycle()));
    }
}
