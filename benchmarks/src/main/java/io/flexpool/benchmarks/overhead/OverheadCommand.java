// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedOptions;
import io.flexpool.benchmarks.paired.Rounds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The subcommand {@code overhead}. */
@Command(
        name = "overhead",
        description = "What flexpool adds to getConnection() and close(), in CPU time and bytes, on a stub driver.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class OverheadCommand implements Callable<Integer> {
    @Option(
            names = "--threads",
            split = ",",
            converter = Load.Converter.class,
            defaultValue = "1:2,2:4,8:16,8:4",
            paramLabel = "THREADS:POOL",
            description = "Threads and connections. Default: ${DEFAULT-VALUE}.")
    private Set<Load> loads = new LinkedHashSet<>();

    @Option(
            names = "--variants",
            split = ",",
            converter = Variant.Converter.class,
            paramLabel = "VARIANT",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with; without ideal there is no D / I.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Mixin
    private PairedOptions options = new PairedOptions(150);

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public OverheadCommand() {}

    @Override
    public Integer call() throws Exception {
        Rounds rounds = options.rounds(1);
        List<OverheadRow> rows = new ArrayList<>();
        Map<String, Long> figuresRead = new TreeMap<>();
        try (Progress progress = new Progress("overhead", loads.size() * rounds.steps())) {
            for (Load load : loads) {
                OverheadBenchmark.Outcome outcome =
                        new OverheadBenchmark(load, PairedOptions.with(Variant.BARE, variants)).run(rounds, progress);
                rows.addAll(outcome.rows());
                outcome.figuresRead().forEach((variant, count) -> figuresRead.merge(variant, count, Long::sum));
            }
        }
        OverheadReport report = OverheadReport.of(rounds.counting(), figuresRead, rows);
        report.print(spec.commandLine().getOut());
        options.write(report);
        return 0;
    }
}
