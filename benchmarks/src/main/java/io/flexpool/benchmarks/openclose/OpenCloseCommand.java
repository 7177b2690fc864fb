// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

import io.flexpool.benchmarks.kit.Database;
import io.flexpool.benchmarks.kit.Pool;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code open-close}. */
@Command(
        name = "open-close",
        description = "Opens and closes connections: without a pool, with each pool, with each pool inside flexpool and"
                + " inside FlexyPool.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class OpenCloseCommand extends Subcommand {
    @Option(names = "--db", defaultValue = "postgres", description = "Databases: ${COMPLETION-CANDIDATES}.")
    private Set<Database> databases = new LinkedHashSet<>();

    @Option(names = "--pools", defaultValue = "hikaricp", description = "Pools: ${COMPLETION-CANDIDATES}.")
    private Set<Pool> pools = new LinkedHashSet<>();

    @Range
    @Option(names = "--iterations", defaultValue = "1000", description = "Connections per variant and round.")
    private int iterations;

    @Range
    @Option(names = "--rounds", defaultValue = "4", description = "Rounds; the first is cold.")
    private int rounds;

    @Mixin
    private ReportFiles files = new ReportFiles();

    @Override
    public Integer call() throws SQLException, IOException {
        PrintWriter out = out();
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
        files.publish(OpenCloseReport.of(results), out);
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
