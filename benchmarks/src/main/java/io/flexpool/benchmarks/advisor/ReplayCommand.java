// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.Question;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ReportFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code advisor-replay}. */
@Command(
        name = "advisor-replay",
        description = "How long the advisor takes for a trace with many sizes; -Xmx decides with how much memory.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class ReplayCommand extends Subcommand {
    private static final double NANOS = 1e9;
    private static final double MEAN_GAP_NANOS = 1e6;
    private static final double MEAN_LEASE_NANOS = 20e6;
    /** A thread in so many holds two connections at once. */
    private static final int NESTED_EVERY = 20;

    @Range
    @Option(names = "--requests", defaultValue = "1000000", description = "Requests of the trace.")
    private int requests;

    @Range(max = 1_000)
    @Option(names = "--sizes", defaultValue = "50", description = "Sizes, from 1 on.")
    private int sizes;

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public ReplayCommand() {}

    @Override
    public Integer call() throws IOException {
        List<Integer> all = IntStream.rangeClosed(1, sizes).boxed().toList();
        Question question = Question.of(sizes);
        List<ReplayRow> rows = new ArrayList<>();
        LeaseTrace single = trace(false);
        rows.add(timed("replay", () -> Advisor.curve(single, question.timeout(), all)));
        rows.add(timed("advice", () -> Advisor.advise(single, question)));
        LeaseTrace nested = trace(true);
        rows.add(timed("replay, nested", () -> Advisor.curve(nested, question.timeout(), all)));
        files.publish(ReplayReport.of(requests, sizes, rows), out());
        return 0;
    }

    private static ReplayRow timed(String what, Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return new ReplayRow(what, (System.nanoTime() - begin) / NANOS);
    }

    /** A thousand requests a second of 20 ms each: 20 leases on average. */
    private LeaseTrace trace(boolean nested) {
        SplittableRandom random = new SplittableRandom(1);
        LeaseTrace.Builder trace = LeaseTrace.builder();
        double at = 0;
        for (int request = 0; request < requests; request++) {
            at += -Math.log(1 - random.nextDouble()) * MEAN_GAP_NANOS;
            long lease = (long) (-Math.log(1 - random.nextDouble()) * MEAN_LEASE_NANOS);
            boolean holds = nested && request % NESTED_EVERY == 0 && ++request < requests;
            trace.add((long) at, 0, lease, Ending.RELEASED, "", holds ? request : 0);
            if (holds) {
                trace.add((long) at + lease / 4, 0, lease / 2, Ending.RELEASED, "", request);
            }
        }
        return trace.build();
    }
}
