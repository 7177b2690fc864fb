// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.directory.Answers.Answer;
import io.flexpool.benchmarks.kit.ConnectionSampler.Sample;
import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Thinning;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The lines of one trial's graphs.
 *
 * @param total physical connections over time, seconds
 * @param busy connections that requests have, over time, seconds
 * @param idle the others, over time, seconds
 * @param steadyTail in the steady phase: the latency that one request in so many exceeds, milliseconds
 * @param burstTail the same among bursts
 * @param served requests of a burst that are served so many milliseconds after it, in the mean over all bursts
 */
record Lines(
        List<Point> total,
        List<Point> busy,
        List<Point> idle,
        List<Point> steadyTail,
        List<Point> burstTail,
        List<Point> served) {
    private static final double[] ONE_IN = {1.25, 2, 4, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000};
    private static final int STEPS_AFTER_A_BURST = 60;

    static Lines of(DirectoryLoad load, List<Answer> answers, List<Sample> samples) {
        return new Lines(
                overTime(samples, Sample::total),
                overTime(samples, Sample::busy),
                overTime(samples, Sample::idle),
                tail(answers.stream()
                        .filter(answer -> answer.arrival().window() < 0 && answer.served())
                        .toList()),
                tail(answers.stream()
                        .filter(answer -> answer.arrival().window() >= 0 && answer.served())
                        .toList()),
                served(load, answers));
    }

    private static List<Point> overTime(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return Thinning.thinned(samples.stream()
                .map(sample -> new Point(Math.round(sample.seconds() * 1000) / 1000.0, figure.applyAsDouble(sample)))
                .toList());
    }

    /** As far out as there are ten requests beyond. */
    private static List<Point> tail(List<Answer> served) {
        Histogram latencies = DirectoryRow.histogram(served);
        List<Point> points = new ArrayList<>();
        for (double oneIn : ONE_IN) {
            if (served.size() >= 10 * oneIn) {
                points.add(new Point(oneIn, DirectoryRow.ms(latencies.getValueAtPercentile(100 - 100 / oneIn))));
            }
        }
        return points;
    }

    private static List<Point> served(DirectoryLoad load, List<Answer> answers) {
        double[] latencies = answers.stream()
                .filter(answer -> answer.arrival().ofBurst() && answer.served())
                .mapToDouble(Answer::latencyMs)
                .sorted()
                .toArray();
        double last = latencies.length == 0 ? load.everyMs() : latencies[latencies.length - 1];
        return IntStream.rangeClosed(0, STEPS_AFTER_A_BURST)
                .mapToObj(step -> {
                    double ms = step * last / STEPS_AFTER_A_BURST;
                    return new Point(Math.round(ms * 10) / 10.0, (double) upTo(latencies, ms) / load.bursts());
                })
                .toList();
    }

    private static int upTo(double[] sorted, double most) {
        int count = 0;
        while (count < sorted.length && sorted[count] <= most) {
            count++;
        }
        return count;
    }
}
