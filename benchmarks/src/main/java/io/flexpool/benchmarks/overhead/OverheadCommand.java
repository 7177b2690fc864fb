// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.JavaHome;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.Slicing;
import io.flexpool.benchmarks.report.ReportFiles;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code overhead}. */
@Command(
        name = "overhead",
        description = "What flexpool adds to getConnection() and close(), in CPU time and bytes, on a stub driver.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class OverheadCommand extends Subcommand {
    @Option(
            names = "--threads",
            converter = Load.Converter.class,
            defaultValue = "1:2,2:4,8:16,8:4",
            paramLabel = "THREADS:POOL",
            description = "Threads and connections.")
    private Set<Load> loads = new LinkedHashSet<>();

    @Option(
            names = "--variants",
            description = "Variants: ${COMPLETION-CANDIDATES}. Default: all. bare always runs, it is what all others"
                    + " are compared with; without ideal there is no D / I.")
    private Set<Variant> variants = EnumSet.allOf(Variant.class);

    @Option(
            names = "--slices",
            converter = SliceLength.Converter.class,
            defaultValue = "4,100:20",
            paramLabel = "MS[:ROUNDS]",
            description = "How long a variant runs in each round, and how many rounds of that length count if not"
                    + " --rounds.")
    private Set<SliceLength> slices = new LinkedHashSet<>();

    @Range(max = 100)
    @Option(
            names = "--jvms",
            defaultValue = "1",
            description = "JVMs of each Java, one after the other; of several Javas by turns.")
    private int jvms;

    @Option(
            names = "--java",
            converter = JavaHome.Converter.class,
            paramLabel = "HOME",
            description = "Homes of the Java installations that run the JVMs. Default: that of this program.")
    private Set<JavaHome> javas = new LinkedHashSet<>(Set.of(JavaHome.own()));

    @Range
    @Option(names = "--rounds", defaultValue = "200", description = "Rounds that count.")
    private int rounds;

    @Range
    @Option(names = "--warm-up", defaultValue = "250", description = "Rounds before those.")
    private int warmUp;

    @Mixin
    private ReportFiles files = new ReportFiles();

    @Override
    public Integer call() throws Exception {
        OverheadJvm.Task task = task();
        OverheadSeries series = new OverheadSeries(task, List.copyOf(javas), jvms);
        try (Interrupt stop = Interrupt.watch()) {
            OverheadSeries.Outcome outcome;
            try (Progress progress = new Progress("overhead", series.steps())) {
                outcome = series.run(progress, stop::asked);
            }
            files.publish(OverheadReport.of(task, outcome), out());
            return outcome.endedEarly() == null ? 0 : 1;
        }
    }

    private OverheadJvm.Task task() {
        Set<Variant> compared = EnumSet.of(Variant.BARE);
        compared.addAll(variants);
        return new OverheadJvm.Task(List.copyOf(loads), List.copyOf(compared), warmUp, slicings());
    }

    /** Figures of one length with two numbers of rounds could not be told apart. */
    private List<Slicing> slicings() {
        Map<Integer, SliceLength> byMillis = new LinkedHashMap<>();
        for (SliceLength slice : slices) {
            SliceLength other = byMillis.put(slice.millis(), slice);
            if (other != null) {
                throw refused("--slices", slice, "must differ in length from '" + other + "'");
            }
        }
        return byMillis.values().stream().map(slice -> slice.slicing(rounds)).toList();
    }
}
