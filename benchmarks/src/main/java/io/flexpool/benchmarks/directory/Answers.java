// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What became of the requests of a load, written by many threads and read when the load is over. */
final class Answers {
    private final List<Arrival> arrivals;
    private final AtomicReferenceArray<@Nullable Answer> answers;
    private final AtomicReference<@Nullable String> firstRefusal = new AtomicReference<>();
    private final AtomicReference<@Nullable String> firstBreak = new AtomicReference<>();
    private final AtomicInteger broken = new AtomicInteger();
    private final Histogram lateMicros = new Histogram(3);
    private final Histogram lateInBurstsMicros = new Histogram(3);

    /**
     * What became of one request.
     *
     * @param arrival the request
     * @param latencyMs from its intended arrival to its answer
     * @param served whether the answer was right; else it was refused
     * @param stages where its time went inside the service
     */
    record Answer(Arrival arrival, double latencyMs, boolean served, Stages stages) {
        /** Outside the service's own stages: on the way, and in the queue for one of its threads. */
        double elsewhereMs() {
            return Math.max(0, latencyMs - stages.sumMs());
        }

        /** From its intended arrival, seconds after the load began, to its answer. */
        double answeredAtSeconds() {
            return arrival.atNanos() / 1e9 + latencyMs / 1e3;
        }
    }

    Answers(List<Arrival> arrivals) {
        this.arrivals = arrivals;
        this.answers = new AtomicReferenceArray<>(arrivals.size());
    }

    void served(int index, double latencyMs, Stages stages) {
        answers.set(index, new Answer(arrivals.get(index), latencyMs, true, stages));
    }

    /** The service said that it has no connection. */
    void refused(int index, double latencyMs, Stages stages, String why) {
        answers.set(index, new Answer(arrivals.get(index), latencyMs, false, stages));
        firstRefusal.compareAndSet(null, why);
    }

    /** There was no answer, or a wrong one, or the database failed: no connection was refused. */
    void broken(int index, double latencyMs, String why) {
        answers.set(index, new Answer(arrivals.get(index), latencyMs, false, Stages.NONE));
        firstBreak.compareAndSet(null, why);
        broken.incrementAndGet();
    }

    /** Called by the one thread that sends. */
    void started(int index, double lateMs) {
        long micros = Math.max(0, Math.round(lateMs * 1000));
        lateMicros.recordValue(micros);
        if (arrivals.get(index).ofBurst()) {
            lateInBurstsMicros.recordValue(micros);
        }
    }

    Stream<Answer> all() {
        return IntStream.range(0, answers.length()).mapToObj(answers::get).flatMap(Stream::ofNullable);
    }

    /**
     * How late 1 request in 100 was sent, or later: of all, or of those of the bursts if they were later. Those are few
     * among all, and the ones that matter. To be asked by the thread that sent them.
     */
    double lateStartMs() {
        return DirectoryRow.ms(
                Math.max(lateMicros.getValueAtPercentile(99), lateInBurstsMicros.getValueAtPercentile(99)));
    }

    @Nullable
    String firstRefusal() {
        return firstRefusal.get();
    }

    /** Requests that failed for another reason than a refused connection. */
    int broken() {
        return broken.get();
    }

    @Nullable
    String firstBreak() {
        return firstBreak.get();
    }
}
