// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.paired.PairedOptions;
import io.flexpool.benchmarks.paired.Rounds;
import io.flexpool.benchmarks.statementpath.isolated.Variant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The subcommand {@code statement-path}. */
@Command(
        modelTransformer = OptionRules.class,
        name = "statement-path",
        description = "What flexpool adds to one query on a connection that is already out, in CPU time and bytes, on a"
                + " stub driver.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class StatementPathCommand implements Callable<Integer> {
    @Range(max = 100)
    @Option(
            names = "--threads",
            defaultValue = "1",
            paramLabel = "N",
            description = "Threads, each with its own connection. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Range(max = 100)
    @Option(
            names = "--parameters",
            defaultValue = "1",
            paramLabel = "N",
            description = "Parameters of each statement, all set with setInt. Default: ${DEFAULT-VALUE}.")
    private int parameters;

    @Range(max = 1_000)
    @Option(
            names = "--rows",
            defaultValue = "10",
            paramLabel = "N",
            description = "Rows of each result set. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Range(max = 100)
    @Option(
            names = "--columns",
            defaultValue = "4",
            paramLabel = "N",
            description = "Columns read of each row, by turns with getInt and getString. Default: ${DEFAULT-VALUE}.")
    private int columns;

    @Option(
            names = "--variants",
            split = ",",
            paramLabel = "VARIANT",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Range(max = 100)
    @Option(
            names = "--compilations",
            defaultValue = "10",
            paramLabel = "N",
            description = "How often every variant is loaded and compiled anew, each time with its warm-up; the rounds"
                    + " are shared out among them. Default: ${DEFAULT-VALUE}.")
    private int compilations;

    @Mixin
    private PairedOptions options = new PairedOptions(300);

    @Spec
    private CommandSpec spec;

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
        StatementPathReport report = StatementPathReport.of(load, rounds, results);
        report.print(spec.commandLine().getOut());
        options.write(report);
        return 0;
    }
}
