// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

import io.flexpool.benchmarks.kit.Database;
import io.flexpool.benchmarks.kit.JsonFile;
import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Pool;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The subcommand {@code open-close}. */
@Command(
        modelTransformer = OptionRules.class,
        name = "open-close",
        description = "Opens and closes connections: without a pool, with each pool, with each pool inside flexpool.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class OpenCloseCommand implements Callable<Integer> {
    @Option(
            names = "--db",
            split = ",",
            defaultValue = "postgres",
            paramLabel = "DB",
            description = "Databases: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Set<Database> databases = new LinkedHashSet<>();

    @Option(
            names = "--pools",
            split = ",",
            defaultValue = "hikaricp",
            paramLabel = "POOL",
            description = "Pools: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Set<Pool> pools = new LinkedHashSet<>();

    @Range
    @Option(
            names = "--iterations",
            defaultValue = "1000",
            paramLabel = "N",
            description = "Connections per variant and round. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Range
    @Option(
            names = "--rounds",
            defaultValue = "4",
            paramLabel = "N",
            description = "Rounds; the first is cold. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--json",
            converter = JsonFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the figures to this file.")
    private @Nullable JsonFile json;

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public OpenCloseCommand() {}

    @Override
    public Integer call() throws SQLException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        Set<Database> available = available(out);
        List<OpenCloseResult> results = new ArrayList<>();
        long steps = (long) available.size() * rounds * OpenCloseBenchmark.variantsWith(pools);
        try (Progress progress = new Progress("open-close", steps)) {
            for (Database database : available) {
                try (Database.Running running = database.start()) {
                    results.addAll(new OpenCloseBenchmark(running, pools, iterations).run(rounds, progress));
                }
            }
        }
        OpenCloseReport report = OpenCloseReport.of(results);
        report.print(out);
        if (json != null) {
            json.write(report);
        }
        return 0;
    }

    /** The selected database, or, with a message, the nearest one that can run. */
    private Set<Database> available(PrintWriter out) {
        Set<Database> available = new LinkedHashSet<>();
        for (Database database : databases) {
            Optional<String> reason = database.unavailable();
            reason.ifPresent(why -> out.println("NOTICE: " + database + " cannot run here (" + why + "). Measuring "
                    + Database.H2TCP + " instead: its figures are not those of " + database + "."));
            available.add(reason.isPresent() ? Database.H2TCP : database);
        }
        out.flush();
        return available;
    }
}
