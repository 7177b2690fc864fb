// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.directory.Answers.Answer;
import io.flexpool.benchmarks.kit.ConnectionSampler;
import io.flexpool.benchmarks.kit.ConnectionSampler.Sample;
import io.flexpool.benchmarks.kit.Spread;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one pool did in one variant.
 *
 * @param pool the pool
 * @param variant what stands around it
 * @param steady the phase without bursts
 * @param inBursts the phase with bursts: those of the bursts and the steady ones between them
 * @param failuresPerBurst of the requests of each burst, those that were not served, for any reason
 * @param worstPerBurstMs the longest latency of a served request from each burst to the next, milliseconds
 * @param meanConnections physical connections in the mean of the phase with bursts, over time
 * @param peakConnections the most physical connections at once
 * @param broken requests that failed for another reason than a refused connection
 * @param lateStartMs how late 1 request in 100 was sent, or later, of all or of those of the bursts, whichever is more:
 *     what the machine, and not the pool, delayed
 * @param firstRefusal the first refused connection in the pool's words; null if there was none
 * @param firstBreak the first failure of another kind; null if there was none
 */
public record DirectoryRow(
        DirectoryPool pool,
        Variant variant,
        Phase steady,
        Phase inBursts,
        List<Integer> failuresPerBurst,
        List<Double> worstPerBurstMs,
        double meanConnections,
        int peakConnections,
        int broken,
        double lateStartMs,
        @Nullable String firstRefusal,
        @Nullable String firstBreak) {
    private static final long MICROS_PER_MS = 1000;

    /**
     * The requests of one phase. Latencies and times are of those that were served, milliseconds.
     *
     * @param requests how many there were
     * @param failures those that were not served
     * @param perSecond requests served within the phase, per second
     * @param meanMs the average latency
     * @param p50Ms half took no longer
     * @param p99Ms 99 of 100 took no longer
     * @param maxMs the longest latency
     * @param waitMs the average wait for a connection
     * @param databaseMs the average time in the database
     * @param idleMs the average time that a connection was active but not in the database
     * @param returnMs the average time that giving a connection back took
     * @param elsewhereMs the average of the rest: HTTP, and the queue for a thread
     */
    public record Phase(
            int requests,
            int failures,
            double perSecond,
            double meanMs,
            double p50Ms,
            double p99Ms,
            double maxMs,
            double waitMs,
            double databaseMs,
            double idleMs,
            double returnMs,
            double elsewhereMs) {
        /**
         * Of these answers.
         *
         * @param answers to the requests of the phase
         * @param fromSeconds when the phase began
         * @param toSeconds when it ended, seconds after the load began
         */
        static Phase of(List<Answer> answers, double fromSeconds, double toSeconds) {
            List<Answer> served = answers.stream().filter(Answer::served).toList();
            Histogram latencies = histogram(served);
            return new Phase(
                    answers.size(),
                    answers.size() - served.size(),
                    served.stream()
                                    .filter(answer -> answer.answeredAtSeconds() <= toSeconds)
                                    .count()
                            / (toSeconds - fromSeconds),
                    mean(served, Answer::latencyMs),
                    ms(latencies.getValueAtPercentile(50)),
                    ms(latencies.getValueAtPercentile(99)),
                    served.stream().mapToDouble(Answer::latencyMs).max().orElse(Double.NaN),
                    mean(served, answer -> answer.stages().waitMs()),
                    mean(served, answer -> answer.stages().databaseMs()),
                    mean(served, answer -> answer.stages().idleMs()),
                    mean(served, answer -> answer.stages().returnMs()),
                    mean(served, Answer::elsewhereMs));
        }

        private static double mean(List<Answer> served, ToDoubleFunction<Answer> figure) {
            return served.stream().mapToDouble(figure).average().orElse(Double.NaN);
        }

        /** Of a request's latency, the part spent waiting for a connection; 0 to 1. */
        double waitShare() {
            return waitMs / meanMs;
        }

        double databaseShare() {
            return databaseMs / meanMs;
        }

        double idleShare() {
            return idleMs / meanMs;
        }

        double returnShare() {
            return returnMs / meanMs;
        }

        /** The average latency without the hold that is this scenario's own, milliseconds. */
        double apartFromIdleMs() {
            return meanMs - idleMs;
        }

        double elsewhereShare() {
            return elsewhereMs / meanMs;
        }
    }

    static DirectoryRow of(
            Trial trial, DirectoryLoad load, Answers answers, List<Sample> samples, int peakConnections) {
        List<Answer> all = answers.all().toList();
        List<Answer> inBursts =
                all.stream().filter(answer -> answer.arrival().window() >= 0).toList();
        return new DirectoryRow(
                trial.pool(),
                trial.variant(),
                Phase.of(
                        all.stream()
                                .filter(answer -> answer.arrival().window() < 0)
                                .toList(),
                        0,
                        load.burstAtSeconds(0)),
                Phase.of(inBursts, load.burstAtSeconds(0), load.burstAtSeconds(load.bursts())),
                IntStream.range(0, load.bursts())
                        .mapToObj(burst -> failures(inBursts, burst))
                        .toList(),
                IntStream.range(0, load.bursts())
                        .mapToObj(burst -> worst(inBursts, burst))
                        .toList(),
                ConnectionSampler.meanTotal(samples, load.burstAtSeconds(0)),
                peakConnections,
                answers.broken(),
                answers.lateStartMs(),
                answers.firstRefusal(),
                answers.firstBreak());
    }

    private static int failures(List<Answer> inBursts, int burst) {
        return (int) inBursts.stream()
                .filter(answer ->
                        answer.arrival().window() == burst && answer.arrival().ofBurst() && !answer.served())
                .count();
    }

    private static double worst(List<Answer> inBursts, int burst) {
        return inBursts.stream()
                .filter(answer -> answer.arrival().window() == burst && answer.served())
                .mapToDouble(Answer::latencyMs)
                .max()
                .orElse(Double.NaN);
    }

    /** Latencies of served requests in microseconds, counted from their intended arrivals. */
    static Histogram histogram(List<Answer> served) {
        Histogram histogram = new Histogram(3);
        served.forEach(answer -> histogram.recordValue(Math.round(answer.latencyMs() * MICROS_PER_MS)));
        return histogram;
    }

    static double ms(long micros) {
        return (double) micros / MICROS_PER_MS;
    }

    /** Over the bursts. */
    Spread lost() {
        return Spread.of(failuresPerBurst.stream().mapToDouble(Integer::doubleValue));
    }

    int failures() {
        return steady.failures() + inBursts.failures();
    }

    /** Of the bursts' longest latencies, milliseconds. */
    Spread worstMs() {
        return Spread.of(worstPerBurstMs);
    }
}
