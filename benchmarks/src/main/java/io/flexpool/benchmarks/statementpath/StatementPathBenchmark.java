// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.paired.Measured;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Rounds;
import io.flexpool.benchmarks.paired.Trial;
import io.flexpool.benchmarks.statementpath.isolated.StatementPathWorkload;
import io.flexpool.benchmarks.statementpath.isolated.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** Compares the variants under one load; the bytes also without the query, to separate statement from result set. */
final class StatementPathBenchmark {
    private final PairedBenchmark queries;
    private final PairedBenchmark statements;

    StatementPathBenchmark(Load load, Set<Variant> variants) {
        List<String> names = variants.stream().map(Variant::toString).toList();
        queries = new PairedBenchmark(trial(load, true), names);
        statements = new PairedBenchmark(trial(load, false), names);
    }

    private static Trial trial(Load load, boolean querying) {
        return new Trial(
                load.toString(),
                StatementPathWorkload.class,
                load.threads(),
                List.of(load.threads(), load.parameters(), load.rows(), load.columns(), querying));
    }

    /**
     * Runs all rounds.
     *
     * @param rounds how many
     * @return one row per variant
     */
    List<StatementPathRow> run(Rounds rounds, Progress progress)
            throws ReflectiveOperationException, IOException, InterruptedException, ExecutionException {
        List<Measured> measured = queries.run(rounds, progress);
        Map<String, Double> ofStatement = statements.allocations();
        Measured bare = measured.get(0);
        double bareStatement = ofStatement.getOrDefault(bare.variant(), Double.NaN);
        return measured.stream()
                .map(one -> row(one, bare, ofStatement.getOrDefault(one.variant(), Double.NaN) - bareStatement))
                .toList();
    }

    private static StatementPathRow row(Measured one, Measured bare, double perStatement) {
        double overBare = one.bytesPerCycle() - bare.bytesPerCycle();
        return new StatementPathRow(
                one.variant(),
                Measured.rounded(one.cpuMedianNs()),
                Measured.rounded(one.diffMedianNs()),
                Measured.rounded(one.diffP25Ns()),
                Measured.rounded(one.diffP75Ns()),
                Measured.rounded(one.diffMedianNs() / bare.cpuMedianNs() * 100),
                Measured.rounded(one.bytesPerCycle()),
                Measured.rounded(overBare),
                Measured.rounded(perStatement),
                Measured.rounded(overBare - perStatement));
    }
}
