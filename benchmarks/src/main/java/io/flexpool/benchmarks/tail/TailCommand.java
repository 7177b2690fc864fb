// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import io.flexpool.benchmarks.kit.JavaHome;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code tail}. */
@Command(
        name = "tail",
        description = "How long requests wait if there are more clients than connections: throughput, percentiles of"
                + " getConnection(), leases of each client, processor time.",
        footer = {
            "",
            "The tail:             tail",
            "Throughput:           tail --hold 0",
            "Processors saturated: tail --threads 30 --pool 10 --hold 2ms --burn-held 500us --burn-between 500us"
        })
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class TailCommand extends Subcommand {
    @Mixin
    private TailOptions options = new TailOptions();

    @Range(max = 100)
    @Option(names = "--jvms", defaultValue = "3", description = "JVMs of each Java and variant, one after the other.")
    private int jvms;

    @Option(
            names = "--java",
            converter = JavaHome.Converter.class,
            paramLabel = "HOME",
            description = "Homes of the Javas to measure on. Default: the one that runs this program.")
    private Set<JavaHome> javas = new LinkedHashSet<>(List.of(JavaHome.own()));

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Mixin
    private ReportFiles files = new ReportFiles();

    @Override
    public Integer call() throws Exception {
        TailLoad load = options.load(this::refused);
        Set<Variant> compared = EnumSet.of(Variant.BARE);
        compared.addAll(variants);
        List<TailRun> runs;
        try (Progress progress = new Progress("tail", (long) compared.size() * javas.size() * jvms)) {
            runs = new TailBenchmark(javas, compared, load).run(jvms, progress);
        }
        files.publish(TailReport.of(load, jvms, runs), out());
        return 0;
    }
}
