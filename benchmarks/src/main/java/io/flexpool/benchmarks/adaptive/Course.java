// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How one competitor did in one run. Requests write from their own threads, each its own place; the samples come from one
 * thread; all of it is read when the run is over.
 */
final class Course {
    /** What a failed request counts in the mean end-to-end time, seconds. */
    private static final double FAILURE_SECONDS = 5;

    private static final double P99 = 0.99;

    private final Competitor competitor;
    private final List<Request> requests;
    private final double seconds;
    /** Times from a request's arrival, seconds; NaN where that never came. */
    private final double[] acquired;

    private final double[] ended;
    private final boolean[] failed;
    private final List<Sample> samples = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

    /**
     * A decision of flexpool's controller.
     *
     * @param second since the load began
     * @param from the limit before
     * @param to the limit after
     * @param tried the limit that is or was tried
     * @param cause why, in one word
     * @param verdict what became of it, in one word
     * @param explanation all of it in a sentence
     */
    public record Step(double second, int from, int to, int tried, String cause, String verdict, String explanation) {}

    Course(Competitor competitor, List<Request> requests, double seconds) {
        this.competitor = competitor;
        this.requests = requests;
        this.seconds = seconds;
        this.acquired = new double[requests.size()];
        this.ended = new double[requests.size()];
        this.failed = new boolean[requests.size()];
        Arrays.fill(acquired, Double.NaN);
        Arrays.fill(ended, Double.NaN);
    }

    void acquired(int request, double afterSeconds) {
        acquired[request] = afterSeconds;
    }

    void served(int request, double afterSeconds) {
        ended[request] = afterSeconds;
    }

    void failed(int request, double afterSeconds, Throwable why) {
        failed[request] = true;
        ended[request] = afterSeconds;
        firstFailure.compareAndSet(null, why.toString());
    }

    void add(Sample sample) {
        samples.add(sample);
    }

    void add(Step step) {
        steps.add(step);
    }

    Competitor competitor() {
        return competitor;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    List<Sample> samples() {
        return List.copyOf(samples);
    }

    List<Request> requests() {
        return requests;
    }

    @Nullable
    String firstFailure() {
        return firstFailure.get();
    }

    boolean failed(int request) {
        return failed[request];
    }

    /** When a request had ended, with success or without, seconds since the load began. */
    double endedAt(int request) {
        return requests.get(request).second() + ended[request];
    }

    int failures() {
        return (int) IntStream.range(0, failed.length).filter(n -> failed[n]).count();
    }

    /** From arrival to connection, or to failure. */
    double p99AcquireMs() {
        return p99Ms(0, seconds, n -> Double.isNaN(acquired[n]) ? ended[n] : acquired[n]);
    }

    /** From arrival to the end of the lease, or to failure, of requests that arrive between two times. */
    double p99Ms(double fromSecond, double toSecond) {
        return p99Ms(fromSecond, toSecond, n -> ended[n]);
    }

    double p99Ms() {
        return p99Ms(0, seconds);
    }

    private double p99Ms(double fromSecond, double toSecond, ToDoubleFunction<Integer> time) {
        double[] times = IntStream.range(0, requests.size())
                .filter(n -> requests.get(n).second() >= fromSecond
                        && requests.get(n).second() < toSecond)
                .mapToDouble(time::applyAsDouble)
                .sorted()
                .toArray();
        return times.length == 0 ? Double.NaN : 1e3 * times[(int) Math.ceil(P99 * times.length) - 1];
    }

    /** A failure counting five seconds. */
    double meanSeconds() {
        return IntStream.range(0, requests.size())
                .mapToDouble(n -> failed[n] ? FAILURE_SECONDS : ended[n])
                .average()
                .orElse(Double.NaN);
    }

    /** Requests that were served between two times. */
    long completed(double fromSecond, double toSecond) {
        return IntStream.range(0, requests.size())
                .filter(n -> !failed[n] && endedAt(n) >= fromSecond && endedAt(n) < toSecond)
                .count();
    }

    double meanHeld() {
        return meanHeld(0, seconds);
    }

    /** The mean over time of the physical connections. */
    double meanHeld(double fromSecond, double toSecond) {
        double sum = 0;
        double length = 0;
        for (int at = 0; at + 1 < samples.size(); at++) {
            Sample sample = samples.get(at);
            if (sample.second() >= fromSecond && sample.second() < toSecond) {
                double lasted = samples.get(at + 1).second() - sample.second();
                sum += sample.held() * lasted;
                length += lasted;
            }
        }
        return length == 0 ? Double.NaN : sum / length;
    }

    int maxHeld() {
        return samples.stream().mapToInt(Sample::held).max().orElse(0);
    }

    /** The median of the samples between two times. */
    double median(double fromSecond, double toSecond, ToIntFunction<Sample> figure) {
        return Medians.of(samples.stream()
                .filter(sample -> sample.second() >= fromSecond && sample.second() < toSecond)
                .mapToDouble(figure::applyAsInt)
                .toArray());
    }

    /** At the last sample before a time: a late machine may have had none for a while. */
    int lastBefore(double second, ToIntFunction<Sample> figure) {
        return samples.stream()
                .filter(sample -> sample.second() < second)
                .reduce((earlier, later) -> later)
                .map(figure::applyAsInt)
                .orElse(0);
    }

    int most(double fromSecond, double toSecond, ToIntFunction<Sample> figure) {
        return samples.stream()
                .filter(sample -> sample.second() >= fromSecond && sample.second() < toSecond)
                .mapToInt(figure)
                .max()
                .orElse(0);
    }

    /** How often the limit was seen to have moved. */
    int changes() {
        return (int) IntStream.range(1, samples.size())
                .filter(at -> samples.get(at).limit() != samples.get(at - 1).limit())
                .count();
    }
}
