// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.ReportFiles;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedOptions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The subcommand {@code cold}. */
@Command(
        modelTransformer = OptionRules.class,
        name = "cold",
        description = "The first calls of getConnection() and close() of a fresh JVM, on a stub driver.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class ColdCommand implements Callable<Integer> {
    @Range(max = 1_000_000)
    @Option(
            names = "--calls",
            defaultValue = "4000",
            paramLabel = "N",
            description = "Calls of each JVM. Default: ${DEFAULT-VALUE}.")
    private int calls;

    @Range(max = 1_000)
    @Option(
            names = "--jvms",
            defaultValue = "10",
            paramLabel = "N",
            description = "JVMs of each variant, one after the other. Default: ${DEFAULT-VALUE}.")
    private int jvms;

    @Option(
            names = "--variants",
            split = ",",
            paramLabel = "VARIANT",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Mixin
    private ReportFiles files = new ReportFiles();

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public ColdCommand() {}

    @Override
    public Integer call() throws Exception {
        Set<Variant> compared = PairedOptions.with(Variant.BARE, variants);
        List<ColdRow> rows;
        try (Progress progress = new Progress("cold", (long) compared.size() * jvms)) {
            rows = new ColdBenchmark(compared, calls).run(jvms, progress);
        }
        ColdReport report = ColdReport.of(calls, jvms, rows);
        report.print(spec.commandLine().getOut());
        files.write(report);
        return 0;
    }
}
