// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.Question;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code advisor}. */
@Command(
        name = "advisor",
        description =
                "Sizes that the advisor and rules of thumb recommend from a trace, tried on a fresh trace of the same"
                        + " process: 40 processes, of five kinds of arrivals, four laws of leases and two loads.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class AdvisorCommand extends Subcommand {
    /** So far apart that no trace is another's fresh one. */
    private static final long FRESH = 1_000_000;

    private static final int UNWATCHED = 1_000;

    @Range
    @Option(names = "--seeds", defaultValue = "6", description = "Traces of each process.")
    private int seeds;

    @Range
    @Option(names = "--minutes", defaultValue = "10", description = "Length of a trace.")
    private int minutes;

    @Range
    @Option(
            names = "--wait-target-ms",
            defaultValue = "10",
            description = "The wait that 99 of 100 requests shall not exceed.")
    private int targetMs;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public AdvisorCommand() {}

    @Override
    public Integer call() throws IOException {
        // Large enough that each method's size is below it: the advice for a pool that is too small is another matter.
        Question question = Question.of(UNWATCHED).withWaitTarget(Duration.ofMillis(targetMs));
        Duration span = Duration.ofMinutes(minutes);
        List<AdvisorRow> rows = new ArrayList<>();
        try (Progress progress =
                new Progress("advisor", (long) LoadProcess.all().size() * seeds)) {
            for (LoadProcess process : LoadProcess.all()) {
                for (long seed = 1; seed <= seeds; seed++) {
                    LeaseTrace seen = process.trace(seed, span);
                    LeaseTrace fresh = process.trace(seed + FRESH, span);
                    int optimum = Advisor.smallest(fresh, question);
                    for (Method method : Method.values()) {
                        int size = method.size(seen, question);
                        rows.add(new AdvisorRow(
                                process.arrivals().name(),
                                process.leases().name(),
                                process.demand(),
                                seed,
                                method.toString(),
                                size,
                                optimum,
                                size >= optimum));
                    }
                    progress.steps(1, process.toString());
                }
            }
        }
        files.publish(AdvisorReport.of(targetMs, rows), out());
        return 0;
    }
}
