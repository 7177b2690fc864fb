// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.ReportFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all scenarios of this method share, as a picocli mixin. */
public final class PairedOptions {
    @Range
    @Option(names = "--rounds", paramLabel = "N", description = "Rounds that count. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Range
    @Option(names = "--warm-up", paramLabel = "N", description = "Rounds before those. Default: ${DEFAULT-VALUE}.")
    private int warmUp = 250;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /**
     * With a default of the scenario's own.
     *
     * @param rounds the default number of rounds that count
     */
    public PairedOptions(int rounds) {
        this.rounds = rounds;
    }

    /**
     * The selected number of rounds.
     *
     * @param compilations how often every variant is compiled anew; at most once for each round that counts
     * @return the rounds
     */
    public Rounds rounds(int compilations) {
        return new Rounds(warmUp, rounds, Math.min(compilations, rounds));
    }

    /**
     * The selected variants, and the bare pool as the base of comparison.
     *
     * @param bare the bare pool
     * @param asked the selected variants
     * @return in the enum's order
     * @param <E> the scenario's variants
     */
    public static <E extends Enum<E>> Set<E> with(E bare, Collection<E> asked) {
        Set<E> compared = EnumSet.of(bare);
        compared.addAll(asked);
        return compared;
    }

    /**
     * Prints the report and writes it to each file that was named.
     *
     * @param report what the scenario leaves behind
     * @param out the screen
     * @throws IOException if a file can no longer be written
     */
    public void publish(Report report, PrintWriter out) throws IOException {
        files.publish(report, out);
    }
}
