// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.simulate.RealScenario.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How one pool did in one run. Requests write from their own threads, each its own place; the samples come from one
 * thread; all of it is read when the run is over.
 */
final class RealCourse {
    private static final double P99 = 0.99;

    private final List<Request> requests;
    /** Times from a request's arrival to the end of its lease, or to its failure, seconds. */
    private final double[] ended;

    private final boolean[] failed;
    private final List<Sample> samples = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();

    RealCourse(List<Request> requests) {
        this.requests = requests;
        this.ended = new double[requests.size()];
        this.failed = new boolean[requests.size()];
    }

    /**
     * One sample of the pool.
     *
     * @param second since the load began
     * @param limit how many connections may be out
     * @param held physical connections
     */
    record Sample(double second, int limit, int held) {}

    void served(int request, double afterSeconds) {
        ended[request] = afterSeconds;
    }

    void failed(int request, double afterSeconds, Throwable why) {
        failed[request] = true;
        ended[request] = afterSeconds;
        firstFailure.compareAndSet(null, why);
    }

    void add(Sample sample) {
        samples.add(sample);
    }

    int requests() {
        return requests.size();
    }

    int failures() {
        return (int) IntStream.range(0, failed.length).filter(n -> failed[n]).count();
    }

    /** From arrival to the end of the lease, or to failure, of requests that arrive between two times. */
    double p99Ms(double fromSecond, double toSecond) {
        double[] times = IntStream.range(0, ended.length)
                .filter(n -> requests.get(n).second() >= fromSecond
                        && requests.get(n).second() < toSecond)
                .mapToDouble(n -> ended[n])
                .sorted()
                .toArray();
        return 1e3 * times[(int) Math.ceil(P99 * times.length) - 1];
    }

    /** Requests that were served between two times. */
    long completed(double fromSecond, double toSecond) {
        return IntStream.range(0, ended.length)
                .filter(n -> !failed[n] && endedAt(n) >= fromSecond && endedAt(n) < toSecond)
                .count();
    }

    /** How long after a time the last request that failed had ended; 0 if none failed after it. */
    double lastFailureAfter(double second) {
        return IntStream.range(0, ended.length)
                .filter(n -> failed[n])
                .mapToDouble(n -> endedAt(n) - second)
                .reduce(0, Math::max);
    }

    private double endedAt(int request) {
        return requests.get(request).second() + ended[request];
    }

    /** The median of the samples between two times. */
    double median(double fromSecond, double toSecond, ToIntFunction<Sample> figure) {
        return Spread.of(between(fromSecond, toSecond).mapToDouble(figure::applyAsInt))
                .median();
    }

    /** The highest of the samples between two times, and of the last one before: a late machine may have had none. */
    int most(double fromSecond, double toSecond, ToIntFunction<Sample> figure) {
        Stream<Sample> last = between(0, fromSecond).reduce((earlier, later) -> later).stream();
        return Stream.concat(last, between(fromSecond, toSecond))
                .mapToInt(figure)
                .max()
                .orElse(0);
    }

    private Stream<Sample> between(double fromSecond, double toSecond) {
        return samples.stream().filter(sample -> sample.second() >= fromSecond && sample.second() < toSecond);
    }

    @Override
    public String toString() {
        return failures() + " of " + requests() + " failed, p99 " + Math.round(p99Ms(0, Double.MAX_VALUE)) + " ms, "
                + samples.stream().mapToInt(Sample::held).average().orElse(0)
                + " connections in the mean, first failure "
                + firstFailure.get();
    }
}
