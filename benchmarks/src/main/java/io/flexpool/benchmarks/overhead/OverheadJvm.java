// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.kit.JavaHome;
import io.flexpool.benchmarks.kit.JvmFacts;
import io.flexpool.benchmarks.kit.Steps;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Slicing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** What each fresh JVM runs: all variants under all loads, one load after the other. */
public final class OverheadJvm {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** It reports about once a second; only to open, to collect and to count bytes takes longer. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** The collector that a server's JVM chooses, also on a machine where this one would choose another. */
    private static final List<String> OPTIONS = List.of("-XX:+UseG1GC");

    private static final double NANOS_PER_SECOND = 1e9;

    private OverheadJvm() {}

    /**
     * What is to be measured.
     *
     * @param loads one after the other
     * @param variants each once, {@link Variant#BARE} first
     * @param warmUp rounds before those that count, under each load
     * @param slicings those that count
     */
    record Task(List<Load> loads, List<Variant> variants, int warmUp, List<Slicing> slicings) {
        /** How many milliseconds of slices each variant runs in one JVM: the steps of its progress. */
        long steps() {
            long perLoad = (long) warmUp * PairedBenchmark.SLICE_MILLIS;
            for (Slicing slicing : slicings) {
                perLoad += (long) slicing.rounds() * slicing.millis();
            }
            return perLoad * loads.size();
        }
    }

    /**
     * What one JVM measured.
     *
     * @param facts of the JVM
     * @param loadAverage the machine's load over the minute before
     * @param seconds how long it took
     * @param figuresRead how many figures of each variant were read
     * @param rows one per load, length of a slice and variant
     */
    record Answer(
            JvmFacts facts,
            double loadAverage,
            double seconds,
            Map<String, Long> figuresRead,
            List<OverheadRow> rows) {}

    /**
     * Measures, and answers.
     *
     * @param args one task, as JSON
     */
    public static void main(String[] args) {
        AnsweringJvm.answerJson(() -> run(MAPPER.readValue(args[0], Task.class)));
    }

    private static Answer run(Task task)
            throws ReflectiveOperationException, IOException, InterruptedException, ExecutionException {
        double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        long start = System.nanoTime();
        List<OverheadRow> rows = new ArrayList<>();
        Map<String, Long> figuresRead = new TreeMap<>();
        Steps news = new SeldomNews();
        for (Load load : task.loads()) {
            OverheadBenchmark.Outcome outcome =
                    new OverheadBenchmark(load, task.variants()).run(task.warmUp(), task.slicings(), news);
            rows.addAll(outcome.rows());
            outcome.figuresRead().forEach((variant, count) -> figuresRead.merge(variant, count, Long::sum));
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        return new Answer(JvmFacts.here(), hundredths(loadAverage), hundredths(seconds), figuresRead, rows);
    }

    private static double hundredths(double value) {
        return Math.round(value * 100) / 100.0;
    }

    /** Passes steps on about once a second, because the process that shows them takes its time from what is measured. */
    private static final class SeldomNews implements Steps {
        private static final long PAUSE_NANOS = 1_000_000_000;

        private long reportedAt = System.nanoTime();
        private long pending;

        @Override
        public void steps(long steps, String doing) {
            pending += steps;
            long now = System.nanoTime();
            if (now - reportedAt >= PAUSE_NANOS) {
                AnsweringJvm.news(pending + " " + doing);
                pending = 0;
                reportedAt = now;
            }
        }
    }

    /**
     * Runs a JVM and waits for its end.
     *
     * @param java its Java
     * @param progress in all {@link Task#steps()}, except if it fails or is to stop
     * @param stop asked several times a second whether to end it
     * @return what it measured; empty if it was to stop
     * @throws IOException if it cannot be started or fails; the message has what it said
     */
    static Optional<Answer> measure(Task task, JavaHome java, Steps progress, BooleanSupplier stop)
            throws IOException, InterruptedException {
        FreshJvm jvm =
                new FreshJvm(OverheadJvm.class).java(java).options(OPTIONS).arguments(MAPPER.writeValueAsString(task));
        Relay relay = new Relay(progress);
        Optional<String> answer = AnsweringJvm.ask("overhead", jvm, PATIENCE, stop, relay::news);
        if (answer.isEmpty()) {
            return Optional.empty();
        }
        progress.steps(task.steps() - relay.passedOn, "");
        return Optional.of(MAPPER.readValue(answer.get(), Answer.class));
    }

    private static final class Relay {
        private final Steps progress;
        private long passedOn;

        Relay(Steps progress) {
            this.progress = progress;
        }

        void news(String text) {
            String[] parts = text.split(" ", 2);
            long steps = Long.parseLong(parts[0]);
            passedOn += steps;
            progress.steps(steps, parts[1]);
        }
    }
}
