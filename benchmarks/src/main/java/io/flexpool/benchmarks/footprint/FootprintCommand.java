// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import io.flexpool.benchmarks.kit.JavaHome;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.paired.PairedOptions;
import io.flexpool.benchmarks.report.ReportFiles;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code footprint}. */
@Command(
        name = "footprint",
        description = "What a wrapped pool costs that does nothing: its first build and call, its memory, its processor"
                + " time. In fresh JVMs, on a stub driver.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class FootprintCommand extends Subcommand {
    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with.")
    private Set<Subject> subjects = EnumSet.allOf(Subject.class);

    @Range(max = 1_000)
    @Option(
            names = "--processors",
            description = "How many processors a JVM is to see, one kind of JVM for each. Default: as many as there"
                    + " are.")
    private Set<Integer> processors =
            new LinkedHashSet<>(Set.of(Runtime.getRuntime().availableProcessors()));

    @Option(
            names = "--java",
            converter = JavaHome.Converter.class,
            paramLabel = "HOME",
            description = "Folders of Java installations, one kind of JVM for each. Default: that of this program.")
    private Set<JavaHome> javas = new LinkedHashSet<>(Set.of(JavaHome.own()));

    @Range(min = 2, max = 1_000)
    @Option(names = "--pools", defaultValue = "100", description = "Pools that are wrapped.")
    private int pools;

    @Range(max = 100)
    @Option(names = "--size", defaultValue = "10", description = "Connections of each pool.")
    private int size;

    @Range(min = 0, max = 3_600)
    @Option(
            names = "--rest",
            defaultValue = "20",
            paramLabel = "S",
            description = "How long the pools rest before processor time is measured, seconds.")
    private int restSeconds;

    @Range(max = 3_600)
    @Option(
            names = "--measure",
            defaultValue = "45",
            paramLabel = "S",
            description = "How long processor time is measured, seconds.")
    private int measureSeconds;

    @Range(max = 1_000)
    @Option(names = "--jvms", defaultValue = "3", description = "JVMs of each kind and variant, one after the other.")
    private int jvms;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public FootprintCommand() {}

    @Override
    public Integer call() throws Exception {
        Plan plan = new Plan(pools, size, restSeconds, measureSeconds);
        Set<Subject> compared = PairedOptions.with(Subject.BARE, subjects);
        List<FootprintJvm> kinds = javas.stream()
                .flatMap(java -> processors.stream().map(seen -> new FootprintJvm(java, seen)))
                .toList();
        List<FootprintRow> rows;
        try (Progress progress = new Progress("footprint", (long) kinds.size() * compared.size() * jvms)) {
            rows = new FootprintBenchmark(kinds, compared, plan).run(jvms, progress);
        }
        files.publish(FootprintReport.of(plan, jvms, rows), out());
        return 0;
    }
}
