// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import io.flexpool.benchmarks.kit.Spread;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One variant on one Java: each figure of {@link TailWindow} over all windows of all its JVMs.
 *
 * @param java the Java that ran it
 * @param variant what stood around the pool
 * @param opsPerSecond leases per second
 * @param meanMicros the mean wait, microseconds
 * @param p50Micros the median wait
 * @param p99Micros the 99th percentile of the waits
 * @param p999Micros the 99.9th percentile
 * @param maxMicros the longest wait
 * @param fewest leases of the client that got fewest
 * @param most leases of the client that got most
 * @param cpuMicrosPerOp processor time of the whole JVM per lease, microseconds
 * @param clientCpuMicrosPerOp processor time of the clients alone per lease, microseconds
 * @param busy connections that clients held, on the average over time
 * @param mostOpen the most connections that were open at once
 * @param overBare figures over those of the bare pool
 */
record TailRow(
        String java,
        String variant,
        Spread opsPerSecond,
        Spread meanMicros,
        Spread p50Micros,
        Spread p99Micros,
        Spread p999Micros,
        Spread maxMicros,
        Spread fewest,
        Spread most,
        Spread cpuMicrosPerOp,
        Spread clientCpuMicrosPerOp,
        Spread busy,
        Spread mostOpen,
        Over overBare) {
    /**
     * Figures over those of another variant, each over that of the same window in the JVM of the same round.
     *
     * @param opsPerSecond quotients of the leases per second
     * @param meanMicros quotients of the mean waits
     * @param p50Micros quotients of the median waits
     * @param p99Micros quotients of the 99th percentiles
     * @param p999Micros quotients of the 99.9th percentiles
     * @param maxMicros quotients of the longest waits
     * @param cpuMicrosPerOp quotients of the JVMs' processor time per lease
     */
    record Over(
            Spread opsPerSecond,
            Spread meanMicros,
            Spread p50Micros,
            Spread p99Micros,
            Spread p999Micros,
            Spread maxMicros,
            Spread cpuMicrosPerOp) {
        /** Of two variants on one Java, as many runs of each. */
        static Over of(List<TailRun> runs, List<TailRun> others) {
            return new Over(
                    quotients(runs, others, TailWindow::opsPerSecond),
                    quotients(runs, others, TailWindow::meanMicros),
                    quotients(runs, others, TailWindow::p50Micros),
                    quotients(runs, others, TailWindow::p99Micros),
                    quotients(runs, others, TailWindow::p999Micros),
                    quotients(runs, others, TailWindow::maxMicros),
                    quotients(runs, others, TailWindow::cpuMicrosPerOp));
        }
    }

    /**
     * Over the windows.
     *
     * @param runs of one variant on one Java, from one
     * @param bare the bare pool's on that Java, as many
     */
    static TailRow of(List<TailRun> runs, List<TailRun> bare) {
        TailRun first = runs.get(0);
        return new TailRow(
                first.jvm().name(),
                first.variant(),
                spread(runs, TailWindow::opsPerSecond),
                spread(runs, TailWindow::meanMicros),
                spread(runs, TailWindow::p50Micros),
                spread(runs, TailWindow::p99Micros),
                spread(runs, TailWindow::p999Micros),
                spread(runs, TailWindow::maxMicros),
                spread(runs, TailWindow::fewest),
                spread(runs, TailWindow::most),
                spread(runs, TailWindow::cpuMicrosPerOp),
                spread(runs, TailWindow::clientCpuMicrosPerOp),
                spread(runs, TailWindow::busy),
                spread(runs, TailWindow::mostOpen),
                Over.of(runs, bare));
    }

    private static Spread spread(List<TailRun> runs, ToDoubleFunction<TailWindow> figure) {
        return Spread.of(runs.stream().map(TailRun::figures).mapToDouble(figure));
    }

    private static Spread quotients(List<TailRun> runs, List<TailRun> others, ToDoubleFunction<TailWindow> figure) {
        return Spread.of(runs.stream()
                .mapToDouble(run -> figure.applyAsDouble(run.figures())
                        / figure.applyAsDouble(sameRound(run, others).figures())));
    }

    private static TailRun sameRound(TailRun run, List<TailRun> others) {
        return others.stream()
                .filter(other -> other.round() == run.round() && other.window() == run.window())
                .findFirst()
                .orElseThrow();
    }
}
