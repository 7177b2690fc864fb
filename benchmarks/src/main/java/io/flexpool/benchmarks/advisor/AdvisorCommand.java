// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.Question;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.ReportFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
    private static final int SEEDS = 6;
    private static final int MINUTES = 10;

    @Range
    @Option(names = "--seeds", description = "Traces of each process. Default: 6, with --quick 1.")
    private @Nullable Integer seeds;

    @Range
    @Option(names = "--minutes", description = "Length of a trace. Default: 10, with --quick 2.")
    private @Nullable Integer minutes;

    @Range
    @Option(
            names = "--wait-target-ms",
            defaultValue = "10",
            description = "The wait that 99 of 100 requests shall not exceed.")
    private int targetMs;

    @Mixin
    private QuickForm form = new QuickForm();

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public AdvisorCommand() {}

    @Override
    public Integer call() throws IOException {
        // Large enough that each method's size is below it: the advice for a pool that is too small is another matter.
        Question question = Question.of(UNWATCHED).withWaitTarget(Duration.ofMillis(targetMs));
        Duration span = Duration.ofMinutes(form.value(minutes, MINUTES, 2));
        int traces = form.value(seeds, SEEDS, 1);
        List<LoadProcess> processes = LoadProcess.all();
        List<AdvisorRow> rows = new ArrayList<>();
        try (Interrupt stop = Interrupt.watch();
                Progress progress = new Progress("advisor", (long) processes.size() * traces)) {
            for (long seed = 1; seed <= traces; seed++) {
                long its = seed;
                List<AdvisorRow> of = processes.parallelStream()
                        .filter(process -> !stop.asked())
                        .flatMap(process -> {
                            List<AdvisorRow> all = rows(process, its, span, question);
                            progress.steps(1, process.toString());
                            return all.stream();
                        })
                        .toList();
                if (stop.asked()) {
                    break;
                }
                rows.addAll(of);
            }
            files.publish(AdvisorReport.of(form.selected(), !stop.asked(), targetMs, rows), out());
        }
        return 0;
    }

    /** The recommendation of each method for one trace, and whether it was enough for a fresh one. */
    private static List<AdvisorRow> rows(LoadProcess process, long seed, Duration span, Question question) {
        LeaseTrace seen = process.trace(seed, span);
        int optimum = Advisor.smallest(process.trace(seed + FRESH, span), question);
        return Stream.of(Method.values())
                .map(method -> {
                    int size = method.size(seen, question);
                    return new AdvisorRow(
                            process.arrivals().name(),
                            process.leases().name(),
                            process.demand(),
                            seed,
                            method.toString(),
                            size,
                            optimum,
                            size >= optimum);
                })
                .toList();
    }
}
