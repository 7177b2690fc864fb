// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.paired.PairedOptions;
import io.flexpool.benchmarks.paired.Rounds;
import io.flexpool.benchmarks.statementpath.isolated.Variant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code statement-path}. */
@Command(
        name = "statement-path",
        description = "What flexpool adds to one query on a connection that is already out, in CPU time and bytes, on a"
                + " stub driver.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class StatementPathCommand extends Subcommand {
    @Range(max = 100)
    @Option(names = "--threads", defaultValue = "1", description = "Threads, each with its own connection.")
    private int threads;

    @Range(max = 100)
    @Option(
            names = "--parameters",
            defaultValue = "1",
            description = "Parameters of each statement, all set with setInt.")
    private int parameters;

    @Range(max = 1_000)
    @Option(names = "--rows", defaultValue = "10", description = "Rows of each result set.")
    private int rows;

    @Range(max = 100)
    @Option(
            names = "--columns",
            defaultValue = "4",
            description = "Columns read of each row, by turns with getInt and getString.")
    private int columns;

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Range(max = 100)
    @Option(
            names = "--compilations",
            defaultValue = "10",
            description = "How often every variant is loaded and compiled anew, each time with its warm-up; the"
                    + " rounds are shared out among them.")
    private int compilations;

    @Mixin
    private PairedOptions options = new PairedOptions(300);

    /** Made by the command line parser. */
    public StatementPathCommand() {}

    @Override
    public Integer call() throws Exception {
        Load load = new Load(threads, parameters, rows, columns);
        Rounds rounds = options.rounds(compilations);
        List<StatementPathRow> results;
        try (Progress progress = new Progress("statement-path", rounds.steps())) {
            results =
                    new StatementPathBenchmark(load, PairedOptions.with(Variant.BARE, variants)).run(rounds, progress);
        }
        options.publish(StatementPathReport.of(load, rounds, results), out());
        return 0;
    }
}
