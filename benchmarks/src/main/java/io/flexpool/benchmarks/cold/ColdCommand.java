// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedOptions;
import io.flexpool.benchmarks.report.ReportFiles;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code cold}. */
@Command(
        name = "cold",
        description = "The first calls of getConnection() and close() of a fresh JVM, on a stub driver.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class ColdCommand extends Subcommand {
    @Range(max = 1_000_000)
    @Option(names = "--calls", defaultValue = "4000", description = "Calls of each JVM.")
    private int calls;

    @Range(max = 1_000)
    @Option(names = "--jvms", defaultValue = "10", description = "JVMs of each variant, one after the other.")
    private int jvms;

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public ColdCommand() {}

    @Override
    public Integer call() throws Exception {
        Set<Variant> compared = PairedOptions.with(Variant.BARE, variants);
        List<ColdRow> rows;
        try (Progress progress = new Progress("cold", (long) compared.size() * jvms)) {
            rows = new ColdBenchmark(compared, calls).run(jvms, progress);
        }
        files.publish(ColdReport.of(calls, jvms, rows), out());
        return 0;
    }
}
