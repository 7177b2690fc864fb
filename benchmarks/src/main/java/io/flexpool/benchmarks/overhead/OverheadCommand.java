// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.CountConverter;
import io.flexpool.benchmarks.kit.JsonFile;
import io.flexpool.benchmarks.kit.Progress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
    static final String WEAK_REFERENCES = "com.zaxxer.hikari.useWeakReferences";

    @Option(
            names = "--threads",
            split = ",",
            converter = Load.Converter.class,
            defaultValue = "1:2,2:4",
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

    @Option(
            names = "--rounds",
            converter = CountConverter.class,
            defaultValue = "150",
            paramLabel = "N",
            description = "Rounds that count. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warm-up",
            converter = CountConverter.class,
            defaultValue = "250",
            paramLabel = "N",
            description = "Rounds before those. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--json",
            converter = JsonFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the figures to this file.")
    private @Nullable JsonFile json;

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public OverheadCommand() {}

    @Override
    public Integer call() throws Exception {
        // Read by HikariCP's classes when a contender loads them; the report says that it is set.
        System.setProperty(WEAK_REFERENCES, "false");
        Set<Variant> compared = EnumSet.of(Variant.BARE);
        compared.addAll(variants);
        List<OverheadRow> rows = new ArrayList<>();
        try (Progress progress = new Progress("overhead", (long) loads.size() * ((long) warmUp + rounds))) {
            for (Load load : loads) {
                rows.addAll(new OverheadBenchmark(load, compared).run(warmUp, rounds, progress));
            }
        }
        OverheadReport report = OverheadReport.of(rounds, rows);
        report.print(spec.commandLine().getOut());
        if (json != null) {
            json.write(report);
        }
        return 0;
    }
}
